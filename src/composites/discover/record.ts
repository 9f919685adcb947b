/** The record of `core/discover`. */
import { local, params } from '../../catalog/vocabulary/define.ts'
import { text, whole } from '../../catalog/vocabulary/fields.ts'
import { free } from '../../catalog/vocabulary/tariff.ts'

export const actions = {
  discover: local({
    title: 'Find the right action',
    summary:
      'Find the action for a task: searches the whole catalog, in any words and fifteen languages.',
    description:
      'Returns the best matches with their probability, price and required parameters. A hit of low confidence is a guess.',
    keywords: ['search catalog', 'find endpoint', 'which action', 'list tools'],
    input: params({
      query: text('The task in your own words.', 500),
      limit: whole('The most hits.', 1, 25, { default: 10 }),
    }),
    example: { query: 'read a web page as markdown' },
    price: free,
    timeoutMs: 5_000,
    handler: 'core.discover',
  }),
}
