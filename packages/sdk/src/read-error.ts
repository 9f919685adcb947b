/** Turns error responses into TollgateError. */
import { TollgateError, type FieldProblem } from './tollgate-error.ts'

type Problem = { readonly param?: string; readonly message?: string; readonly fix?: string }

/** The error object of the gateway's own format and of the router's formats. */
type ErrorBody = {
  readonly code?: string | number | null
  readonly type?: string
  readonly message?: string
  readonly param?: string | null
  readonly fix?: string
  readonly retryable?: boolean
  readonly details?: Readonly<Record<string, unknown>> & { readonly problems?: readonly Problem[] }
}

type Body = {
  readonly error?: ErrorBody
  readonly charged_micros?: number
  readonly request_id?: string
  readonly test?: boolean
}

/** Reads a response with a status of 400 or more. */
export function readError(
  { status, headers }: Response,
  text: string,
  idempotencyKey: string | null,
): TollgateError {
  const { error, charged_micros: chargedMicros, request_id: requestId, test } = parse(text)
  const code = error?.code ?? error?.type
  if (error === undefined || code === undefined || code === null)
    return unknownResponse(status, text, idempotencyKey)
  const { message = `The gateway answered ${status}.`, fix = '', details = {} } = error
  return new TollgateError({
    code: String(code),
    message,
    fix,
    status,
    retryable: error.retryable ?? headers.has('retry-after'),
    requestId: requestId ?? headers.get('x-request-id'),
    idempotencyKey,
    fields: readFields(error),
    details,
    chargedMicros: chargedMicros ?? Number(headers.get('x-charged-micros') ?? 0),
    simulated: test === true || headers.get('x-test') === 'true',
  })
}

function readFields({ param, message = '', fix = '', details }: ErrorBody): FieldProblem[] {
  const { problems = [] } = details ?? {}
  if (problems.length > 0)
    return problems.map((problem) => ({
      field: problem.param ?? '',
      message: problem.message ?? '',
      fix: problem.fix ?? '',
    }))
  return param === undefined || param === null ? [] : [{ field: param, message, fix }]
}

function parse(text: string): Body {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** A response of a proxy, or of another server. After 502, 503 and 504 the call may have run. */
function unknownResponse(
  status: number,
  text: string,
  idempotencyKey: string | null,
): TollgateError {
  return new TollgateError({
    code: 'invalid_response',
    message: `The response with status ${status} is not from a gateway: ${text.slice(0, 200)}`,
    fix: 'Check the url, and the proxies in front of the gateway.',
    status,
    retryable: [502, 503, 504].includes(status),
    idempotencyKey,
  })
}
