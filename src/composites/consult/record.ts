/** The record of `core/consult`. */
import { cents } from '../../lib/money.ts'
import { local, params } from '../../catalog/vocabulary/define.ts'
import { optional, text } from '../../catalog/vocabulary/fields.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'

export const actions = {
  consult: local({
    summary: 'Turn an intent in plain words into exact calls: action, parameters and highest cost.',
    description:
      'Every suggested call is valid without changes. If a required detail is missing, the answer is one short question instead: reply with the same `conversation_id`. The `conversation_id` also continues earlier turns ("the same for …"). An intent without a matching action is not charged.',
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
      intent: text('The task in plain words, or the reply to the last question.', 2_000),
      conversation_id: optional(
        text('The conversation to continue. It expires a day after its last turn.', 60),
      ),
    }),
    example: { intent: 'Find the work email of Jane Doe at example.com' },
    price: flat(cents('1')),
    priceSource: 'Own price, 2026-11.',
    timeoutMs: 20_000,
    handler: 'core.consult',
  }),
}
