import { STATUS_CODES } from 'node:http'
import { AppError } from '../../../errors/app-error.ts'
import { chatError } from '../../../llm/ask/chat-error.ts'
import { envelopeOf } from '../render-error.ts'
import { KEEP_ALIVE_SECONDS } from './direct-response.ts'

export const RETRY_AFTER_SECONDS = 1
const CHAT_ADDRESS = '/api/llm/'
const PLACE_OF_ID = '#'

/** The constant parts of a rejection. Rendering each one from scratch would cost a tenth of a call. */
type Template = { readonly start: string; readonly beforeId: string; readonly afterId: string }
let templates: { readonly chat: Template; readonly plain: Template } | undefined

/** The whole HTTP response to a call during overload. */
export function renderOverload(url: string, requestId: string, date: string): string {
  templates ??= createTemplates()
  const { start, beforeId, afterId } = url.startsWith(CHAT_ADDRESS)
    ? templates.chat
    : templates.plain
  return `${start}${beforeId.length + requestId.length + afterId.length}\r\nX-Request-Id: ${requestId}\r\nDate: ${date}\r\n\r\n${beforeId}${requestId}${afterId}`
}

function createTemplates(): NonNullable<typeof templates> {
  const error = new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  const { status } = error.spec
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json; charset=utf-8\r\nRetry-After: ${RETRY_AFTER_SECONDS}\r\nX-Charged-Micros: 0\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_SECONDS}\r\nContent-Length: `
  const templateOf = (body: object): Template => {
    const [beforeId = '', afterId = ''] = JSON.stringify(body).split(PLACE_OF_ID)
    return { start, beforeId, afterId }
  }
  return {
    plain: templateOf(envelopeOf(error, PLACE_OF_ID)),
    chat: templateOf({ ...chatError(error), request_id: PLACE_OF_ID }),
  }
}
