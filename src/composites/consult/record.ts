/** The record of `core/consult`. */
import { cents } from '../../lib/money.ts'
import { local, params } from '../../catalog/vocabulary/define.ts'
import { optional, text } from '../../catalog/vocabulary/fields.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'

export const actions = {
  consult: local({
    title: 'Plan the calls for a task',
    summary: 'Turn an intent in plain words into exact calls: action, parameters and highest cost.',
    description:
      'Every suggested call is valid without changes and uses every name, number and place of the intent. If a detail is missing, the match is uncertain or the call can cost more than 50¢, the answer is one question instead: reply with the same `conversation_id`. `alternatives` lists the actions that a question offers. The `conversation_id` also continues earlier turns ("the same for …"). Only an answer with calls is charged.',
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
