/** Reads the error replies of vendors, for `readFailure` of a service. */
import type { ErrorCode } from '../../errors/catalog.ts'
import { isFilled } from './filled.ts'
import { isRouteGone } from './gone-route.ts'
import type { Reply, VendorFailure } from '../vocabulary/wire.ts'

/**
 * The code of a status, if the body is not more precise. A vendor's 402 is never passed on as 402.
 */
export function mapStatusToCode(status: number): ErrorCode {
  switch (status) {
    case 401:
    case 403:
      return 'upstream_not_configured'
    case 402:
      return 'upstream_payment'
    case 404:
      return 'upstream_not_found'
    case 410:
      return 'upstream_gone'
    case 408:
    case 504:
      return 'upstream_timeout'
    case 409:
      return 'upstream_conflict'
    case 429:
    // Not standardized, but several services return it when they are overloaded.
    case 529:
      return 'upstream_busy'
    default:
      return status >= 400 && status < 500 ? 'upstream_rejected' : 'upstream_error'
  }
}

/** The code of an error reply: like the status, except that a missing route is not a missing item. */
export function mapReplyToCode(reply: Reply): ErrorCode {
  return isRouteGone(reply) ? 'upstream_gone' : mapStatusToCode(reply.status)
}

/**
 * A failure with the vendor's own words. Pass `code` if the status alone is misleading; it does not
 * apply to a missing route. `isOfPage`: the vendor may have passed on the reply of a caller's page.
 */
export function vendorFailure(
  reply: Reply,
  facts: {
    code?: ErrorCode | undefined
    vendorCode?: unknown
    message?: unknown
    isOfPage?: boolean
  },
): VendorFailure {
  const isGone = isRouteGone(reply) && facts.isOfPage !== true
  return {
    code: isGone ? 'upstream_gone' : (facts.code ?? mapStatusToCode(reply.status)),
    ...(typeof facts.vendorCode === 'string' ? { vendorCode: facts.vendorCode } : {}),
    ...(typeof facts.message === 'string' ? { message: facts.message.slice(0, 500) } : {}),
  }
}

/** The field of a JSON body; undefined if the body is not an object. */
export function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? (body as Record<string, unknown>)[name]
    : undefined
}

/** Like `field`, for text. Empty if the field contains anything else. */
export function textField(body: unknown, name: string): string {
  const value = field(body, name)
  return typeof value === 'string' ? value : ''
}

/** Text and numbers as text, anything else as empty text: an object may lack `toString`. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

const ERROR_FIELDS = /^(error|errors|message|msg|detail|details|fault|error_message|errorMessage)$/
const ERROR_METADATA_FIELDS =
  /^(code|error_code|errorCode|status|status_code|statusCode|success|ok|title|type|timestamp|request_id|requestId|path)$/

/**
 * Whether a successful reply contains an error and nothing else. For vendors whose replies share no
 * other form.
 */
export function isErrorAlone({ status, body }: Reply): boolean {
  if (
    status < 200 ||
    status > 299 ||
    typeof body !== 'object' ||
    body === null ||
    Array.isArray(body)
  )
    return false
  const filled = Object.entries(body).filter(([, value]) => isFilled([value]))
  return (
    filled.some(([name]) => ERROR_FIELDS.test(name)) &&
    filled.every(
      ([name, value]) =>
        ERROR_FIELDS.test(name) || (ERROR_METADATA_FIELDS.test(name) && typeof value !== 'object'),
    )
  )
}

/**
 * A `readFailure` for vendors whose status decides the code. The message is the first of these
 * fields ("error.message") that contains text.
 */
export function messageFrom(...paths: readonly string[]): (reply: Reply) => VendorFailure {
  const parts = paths.map((path) => path.split('.'))
  return (reply) =>
    vendorFailure(reply, {
      message: parts
        .map((path) => path.reduce(field, reply.body))
        .find((words) => typeof words === 'string'),
    })
}

/**
 * Joins a list of parameter problems, each with its place, as several web frameworks report them.
 */
export function joinProblems(problems: readonly unknown[]): string {
  return problems
    .slice(0, 5)
    .map(formatProblem)
    .filter((words) => words !== '')
    .join('; ')
}

function formatProblem(problem: unknown): string {
  const loc = field(problem, 'loc')
  const place = Array.isArray(loc)
    ? loc.filter((part) => typeof part === 'string' && part !== 'body').join('.')
    : ''
  const words = textField(problem, 'msg')
  return place === '' || words === '' ? words : `${place}: ${words}`
}
