import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { text } from '../../catalog/vocabulary/fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import { anyObject, foundInOpenSource, merchantPrice, recordFound } from '../shared/records.ts'
import { get } from '../../catalog/vocabulary/wire.ts'
import { cpsc, paid, recallRadar, search, shared } from './source.ts'
import { returns } from './returns.ts'

export const service = defineService({
  id: 'recalls',
  title: 'Recalls of consumer products',
  category: 'public records',
  vendor: recallRadar,
  returns,
  actions: {
    search,
    get: call({
      ...shared,
      title: 'Product recall',
      summary: 'Read one recall by its id.',
      keywords: ['recall notice', 'remedy', 'product hazard'],
      input: params({
        id: text('Id from recalls/search (RecallID).', 100, { pattern: '^[A-Za-z0-9_:.-]+$' }),
      }),
      example: { id: '10234' },
      price: merchantPrice(cents('2.5')),
      merchant: paid,
      request: ({ id }) => get(`/recalls/${encodeURIComponent(id)}`),
      reply: anyObject,
      outcome: recordFound,
      openSource: {
        vendor: cpsc,
        request: ({ id }) => get('/Recall', { format: 'json', RecallID: id }),
        reply: Type.Array(Type.Unknown()),
        outcome: ({ body }, { id }) =>
          !isFilled(body)
            ? failed('upstream_not_found', `No recall has the id "${id}".`)
            : foundInOpenSource({ id, recall: body[0] }, body),
      },
    }),
  },
})
