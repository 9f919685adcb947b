/** The record of `core/consult`. */
import { cents } from '../../lib/money.ts'
import { local, params } from '../../catalog/vocabulary/define.ts'
import { optional, text } from '../../catalog/vocabulary/fields.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'

export const actions = {
  consult: local({
    summary:
      'Turn an intent in plain words into exact calls: action, parameters and what each may cost.',
    description:
      'Every suggested call passes the rules of its action as it stands. When a required detail is missing, one short question comes instead: answer it with the same `conversation_id`. That also takes up earlier turns ("the same for …"). An intent that nothing fits is not charged.',
    keywords: [
      'which action',
      'how do i call',
      'recommend',
      'plan',
      'parameters',
      'advice',
      'help me choose',
    ],
    input: params({
      intent: text(
        'What you want to have done, in plain words, or the answer to the question asked before.',
        2_000,
      ),
      conversation_id: optional(
        text('The conversation to go on with; a day after its last turn it is forgotten.', 60),
      ),
    }),
    example: { intent: 'Find the work email of Jane Doe at example.com' },
    price: flat(cents('1')),
    priceSource: 'Own price, 2026-11.',
    timeoutMs: 20_000,
    handler: 'core.consult',
  }),
}
