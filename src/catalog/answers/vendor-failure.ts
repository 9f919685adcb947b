/** Reading the error answers of vendors. Used by the `readFailure` of a service. */
import type { ErrorCode } from '../../errors/catalog.ts'
import { isFilled } from './filled.ts'
import type { Reply, VendorFailure } from '../vocabulary/wire.ts'

/** What a status means when the vendor's body says nothing more precise. A vendor's own 402 is never ours. */
export function codeOfStatus(status: number): ErrorCode {
  switch (status) {
    case 401:
    case 403:
      return 'upstream_not_configured'
    case 402:
      return 'upstream_payment'
    case 404:
    case 410:
      return 'upstream_not_found'
    case 408:
    case 504:
      return 'upstream_timeout'
    case 409:
      return 'upstream_conflict'
    case 429:
    // Of no standard, but what several services answer when they are overloaded.
    case 529:
      return 'upstream_busy'
    default:
      return status >= 400 && status < 500 ? 'upstream_rejected' : 'upstream_error'
  }
}

/** A failure with the vendor's own words; `code` when the status alone would mislead. */
export function vendorFailure(
  reply: Reply,
  facts: { code?: ErrorCode | undefined; vendorCode?: unknown; message?: unknown },
): VendorFailure {
  return {
    code: facts.code ?? codeOfStatus(reply.status),
    ...(typeof facts.vendorCode === 'string' ? { vendorCode: facts.vendorCode } : {}),
    ...(typeof facts.message === 'string' ? { message: facts.message.slice(0, 500) } : {}),
  }
}

/** The field of a JSON body, or undefined when the body is no object. */
export function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? (body as Record<string, unknown>)[name]
    : undefined
}

/** As `field`, for one that is read as text: empty when it holds anything else. */
export function textField(body: unknown, name: string): string {
  const value = field(body, name)
  return typeof value === 'string' ? value : ''
}

/** Text and numbers as text, anything else as an empty text: an object of a reply may not know how to become text. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

const ERROR_WORDS = /^(error|errors|message|msg|detail|details|fault|error_message|errorMessage)$/
const BESIDE_ERROR_WORDS =
  /^(code|error_code|errorCode|status|status_code|statusCode|success|ok|title|type|timestamp|request_id|requestId|path)$/

/** Whether an answer with a status of success tells of an error and of nothing else, for vendors whose answers have no other form in common. */
export function isErrorAlone({ status, body }: Reply): boolean {
  if (
    status < 200 ||
    status > 299 ||
    typeof body !== 'object' ||
    body === null ||
    Array.isArray(body)
  )
    return false
  const told = Object.entries(body).filter(([, value]) => isFilled([value]))
  return (
    told.some(([name]) => ERROR_WORDS.test(name)) &&
    told.every(
      ([name, value]) =>
        ERROR_WORDS.test(name) || (BESIDE_ERROR_WORDS.test(name) && typeof value !== 'object'),
    )
  )
}

/** A `readFailure` for vendors whose status tells the code: their words stand in the first of these fields ("error.message") that holds text. */
export function wordsIn(...paths: readonly string[]): (reply: Reply) => VendorFailure {
  const parted = paths.map((path) => path.split('.'))
  return (reply) =>
    vendorFailure(reply, {
      message: parted
        .map((path) => path.reduce(field, reply.body))
        .find((words) => typeof words === 'string'),
    })
}

/** The first of a list of problems with parameters, each with its place, as several frameworks of vendors tell them. */
export function wordsOfProblems(problems: readonly unknown[]): string {
  return problems
    .slice(0, 5)
    .map(wordsOfProblem)
    .filter((words) => words !== '')
    .join('; ')
}

function wordsOfProblem(problem: unknown): string {
  const loc = field(problem, 'loc')
  const place = Array.isArray(loc)
    ? loc.filter((part) => typeof part === 'string' && part !== 'body').join('.')
    : ''
  const words = textField(problem, 'msg')
  return place === '' || words === '' ? words : `${place}: ${words}`
}
