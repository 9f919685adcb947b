import { quoteCall } from '../../../calls/quote/quote-call.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../../errors/app-error.ts'
import { fieldsOf } from '../../../lib/json-fields.ts'
import { NO_LANE } from '../../../lib/metrics/call-tally.ts'
import { toCentsRoundedUp } from '../../../lib/money.ts'
import type { ToolCall, ToolDeps, ToolReply } from './tool.ts'

/**
 * The question whether the person accepts the price of a call, if it may cost more than the operator
 * lets pass unasked. Null if the call needs no consent or has it. Throws AppError for a refusal. An
 * answer counts for its price only, which is in its name.
 */
export function askPrice(
  { calls, confirmAbove }: ToolDeps,
  { request, client }: ToolCall,
  named: { readonly service: string; readonly action: string; readonly body: Data },
): ToolReply | null {
  if (confirmAbove === null || client?.canElicit !== true) return null
  const quoted = { id: request.id, caller: request.caller, idempotency: null, ...named }
  const { amount } = quoteCall(calls, quoted, { service: 'unknown', lane: NO_LANE })
  if (amount <= confirmAbove) return null
  const question = `price_${amount}`
  const { action: decision, content } = fieldsOf(client.inputResponses[question])
  if (decision === 'accept' && fieldsOf(content)['pay'] === true) return null
  if (decision !== undefined)
    throw new AppError('call_cancelled', 'The person declined the price. Nothing was charged.', {
      fix: 'Ask the person, or find a cheaper action with discover.',
    })
  return { body: '', inputRequests: { [question]: questionFor(named, amount) } }
}

function questionFor(
  { service, action }: { readonly service: string; readonly action: string },
  amount: bigint,
) {
  return {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: `${service}/${action} may cost up to ${toCentsRoundedUp(amount)}¢. Run it?`,
      requestedSchema: {
        type: 'object',
        properties: { pay: { type: 'boolean', title: 'Pay for this call' } },
        required: ['pay'],
      },
    },
  }
}
