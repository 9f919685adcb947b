/**
 * TrialBase DB: GET /trials and /trials/{id} with a bearer key. ClinicalTrials.gov needs no key.
 */
import { isMiss, json, openData, text } from '../../simulators/open-data.ts'
import { records } from '../../simulators/record-merchant.ts'

const trials = records('trials', '/trials', {
  nct_id: 'NCT00000001',
  title: 'A simulated trial',
})

const study = (nctId: string) => ({
  protocolSection: {
    identificationModule: { nctId, briefTitle: 'A simulated trial' },
    statusModule: { overallStatus: 'RECRUITING' },
    designModule: { phases: ['PHASE3'] },
  },
})

const clinicaltrials = openData(
  {
    'GET /studies': (request) => {
      const studies = isMiss(request, 'clinicaltrials') ? [] : [study('NCT00000001')]
      return json({ totalCount: studies.length, studies })
    },
    'GET /studies/:id': (_, { id = '' }) =>
      id === 'NCT00000404'
        ? text('NCT number NCT00000404 not found', 'text/plain', 404)
        : json(study(id)),
  },
  (status) => text(`Simulated failure with status ${status}.`, 'text/plain', status),
)

export const simulators = { trials, clinicaltrials }
