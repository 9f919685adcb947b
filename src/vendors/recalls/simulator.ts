/** RecallRadar: GET /recalls and /recalls/{id} with a bearer key. The CPSC needs no key. */
import { isMiss, json, openData, SIMULATED } from '../../simulators/open-data.ts'
import { records } from '../../simulators/record-merchant.ts'

const recalls = records('recalls', '/recalls', { title: 'Simulated strollers recalled' })

const cpsc = openData({
  'GET /Recall': (request) =>
    json(
      isMiss(request, 'cpsc') || request.query.get('RecallID') === '404'
        ? []
        : [
            {
              RecallID: 10234,
              RecallNumber: '26001',
              RecallDate: '2026-01-08T00:00:00',
              Title: 'Simulated strollers recalled',
              Description: SIMULATED,
            },
            { RecallID: 10233, RecallNumber: '26000', Title: 'Simulated cribs recalled' },
          ],
    ),
})

export const simulators = { recalls, cpsc }
