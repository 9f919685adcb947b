/** Events that the gateway writes itself. */
import type { AppError } from '../../errors/app-error.ts'
import type { Bill } from '../bill/bill.ts'
import { chatError } from '../ask/chat-error.ts'
import type { Fields } from '../../lib/json-fields.ts'
import { usageBlock } from '../bill/receipt.ts'

export const END_MARK = 'data: [DONE]\n\n'

export function eventOf(fields: Fields): string {
  return `data: ${JSON.stringify(fields)}\n\n`
}

export function errorEvent(error: AppError): string {
  return eventOf(chatError(error))
}

type UsageFacts = {
  /** The upstream's event, whose ids are reused, with its usage if it reported any. */
  readonly sent: Fields
  readonly bill: Bill
  /** The caller's name for the model, if the upstream did not name it. */
  readonly modelId: string
  readonly isTest: boolean
  readonly object?: 'text_completion'
}

export function usageEvent({ sent, bill, modelId, isTest, object }: UsageFacts): string {
  const { id, created, model, system_fingerprint: fingerprint, usage } = sent
  return eventOf({
    id,
    object: object ?? 'chat.completion.chunk',
    created,
    model: model ?? modelId,
    system_fingerprint: fingerprint,
    choices: [],
    usage: usageBlock(usage, bill),
    ...(isTest ? { test: true } : {}),
  })
}
