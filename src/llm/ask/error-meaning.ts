/** Decides which party can fix an upstream's error. */
import { mapOpenaiError } from '../../catalog/answers/openai-failure.ts'
import { mapStatusToCode } from '../../catalog/answers/vendor-failure.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import type { UpstreamError } from './upstream-error.ts'

/** The statuses of the names that OpenAI, Anthropic and common servers give their errors. */
const STATUSES: readonly (readonly [name: RegExp, status: number])[] = [
  [/^(?:insufficient_(?:quota|balance|credits)|billing_|exceeded_current_quota)/i, 402],
  [/^(?:invalid_api_key|api_key_invalid|authentication|unauthenticated|unauthorized)/i, 401],
  [/^(?:permission|account_|organization_|usage_not_included)/i, 403],
  [/^(?:not_?found|model_not_found)/i, 404],
  [/^request_too_large$/, 413],
  [/^rate_?limit/i, 429],
  [/^(?:overloaded|server_is_overloaded|slow_down)/i, 529],
  [/timeout/i, 504],
  [
    /^(?:invalid_|badrequest|bad_request|context_|exceed_context|content_|cyber_policy|string_above|unsupported_|image_|empty_image|failed_to_download)/i,
    400,
  ],
]

// Some upstreams report these with status 400, as though the caller could change them.
const PAYMENT_WORDS =
  /\b(?:credit balance is too low|exceeded your current quota|insufficient (?:account )?(?:balance|credits?|funds))\b/i
const KEY_WORDS =
  /\bapi key (?:not valid|expired|is invalid)\b|\b(?:invalid|incorrect) api key\b|\b(?:organization|account) (?:is|has been) (?:disabled|deactivated|suspended)\b/i

const OVERFLOW =
  /context_length_exceeded|exceed_context_size|(?:context|maximum sequence) (?:length|window|size|limit)|\b(?:prompt|input) is too long\b|input token count .*exceeds/i

/** The status that the error names, for an error in a response with a success status. Null for none. */
export function statusOfError(httpStatus: number, { code, type }: UpstreamError): number | null {
  if (httpStatus >= 400) return httpStatus
  const number = Number(code ?? '')
  if (number >= 400 && number < 600) return number
  for (const name of [code, type]) {
    const found = STATUSES.find(([pattern]) => typeof name === 'string' && pattern.test(name))
    if (found !== undefined) return found[1]
  }
  return null
}

/** The gateway's code. Errors about the operator's account or key are never the caller's fault. */
export function meaningOf(status: number | null, error: UpstreamError): ErrorCode {
  const { code, type, message, metadata } = error
  const named = statusOfError(0, { message, code: typeof code === 'number' ? null : code, type })
  if (named === 402) return 'upstream_payment'
  const isRejected = status !== null && mapStatusToCode(status) === 'upstream_rejected'
  if (isRejected && (named === 401 || named === 403 || KEY_WORDS.test(message)))
    return 'upstream_not_configured'
  if (isRejected && PAYMENT_WORDS.test(message)) return 'upstream_payment'
  return (
    mapOpenaiError(status ?? 0, { code, metadata }) ??
    (status === null || status < 400 ? 'upstream_error' : mapStatusToCode(status))
  )
}

/** Whether an upstream rejected a prompt that is longer than the model's context. */
export function isOverflow(code: unknown, words: string): boolean {
  return OVERFLOW.test(`${typeof code === 'string' ? code : ''} ${words}`)
}
