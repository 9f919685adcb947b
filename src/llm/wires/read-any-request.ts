import { readCompletionRequest, type CompletionRequest } from '../ask/read-request.ts'
import type { CompletionCall } from '../bill/active-completion.ts'
import { readTextRequest } from './completions/read-text-request.ts'
import { readMessagesRequest } from './messages/read-messages-request.ts'
import { readResponsesRequest } from './responses/read-responses-request.ts'
import type { CallerWire } from './wire.ts'

/** The routes of idempotency keys: a key belongs to one API. */
export const ROUTES: Readonly<Record<CallerWire, string>> = {
  chat: 'llm/chat/completions',
  completions: 'llm/completions',
  messages: 'llm/messages',
  responses: 'llm/responses',
}

/** Reads the body in the caller's API. Throws AppError `invalid_params` with the field, before any hold. */
export function readRequest(
  { wire, body, headers }: CompletionCall,
  extraFields: ReadonlySet<string>,
): CompletionRequest {
  switch (wire) {
    case 'messages':
      return readMessagesRequest(body, headers, extraFields)
    case 'responses':
      return readResponsesRequest(body, extraFields)
    case 'completions':
      return readTextRequest(body, extraFields)
    default:
      return readCompletionRequest(body, extraFields)
  }
}
