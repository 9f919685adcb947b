/** The record of `core/discover`. */
import { local, params } from '../../catalog/vocabulary/define.ts'
import { text } from '../../catalog/vocabulary/fields.ts'
import { free } from '../../catalog/vocabulary/tariff.ts'

export const actions = {
  discover: local({
    summary: 'Find the action for a task: searches the whole catalog by keyword.',
    description: 'Returns the best matches with their price and required parameters.',
    keywords: ['search catalog', 'find endpoint', 'which action', 'list tools'],
    input: params({ query: text('The task in a few words.', 500) }),
    example: { query: 'read a web page as markdown' },
    price: free,
    timeoutMs: 5_000,
    handler: 'core.discover',
  }),
}
