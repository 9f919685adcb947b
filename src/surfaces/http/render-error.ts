import type { FastifyError } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { DatabaseAway } from '../../errors/database-away.ts'
import type { Caller } from '../../keys/caller.ts'
import { publicId } from '../../lib/ids.ts'
import { toCentsRoundedUp } from '../../lib/money.ts'
import type { RouteReply, RouteRequest } from './route-objects.ts'

// Fastify's messages may quote the request.
const LONGEST_FASTIFY_MESSAGE = 200

/**
 * Sends any error as the error envelope, or as RFC 9457 problem details if the caller prefers them.
 * `extra`: further fields of the body.
 */
export function renderError<Reply extends RouteReply>(
  error: unknown,
  request: RouteRequest,
  reply: Reply,
  extra: Readonly<Record<string, unknown>> = {},
): Reply {
  const known = toAppError(error)
  logFault(known, error, request)
  if (known.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(known.retryAfterSeconds))
  const requestId = publicId('request', request.id)
  reply
    .header('x-request-id', requestId)
    .header('x-charged-micros', String(known.chargedMicros))
    .code(known.spec.status)
  if (prefersProblem(request.headers.accept))
    reply
      .type('application/problem+json; charset=utf-8')
      .send(JSON.stringify({ ...problemOf(known, requestId, isOfTestKey(request)), ...extra }))
  else
    reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ ...envelopeOf(known, requestId, isOfTestKey(request)), ...extra }))
  return reply
}

/** Whether the Accept header names problem details with at least the weight of JSON. */
function prefersProblem(accept = ''): boolean {
  const weights = new Map(
    accept
      .toLowerCase()
      .split(',')
      .map((range) => {
        const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
        const weight = parameters.find((part) => part.startsWith('q='))
        return [type, weight === undefined ? 1 : Number(weight.slice(2))]
      }),
  )
  const problem = weights.get('application/problem+json') ?? 0
  return problem > 0 && problem >= (weights.get('application/json') ?? 0)
}

/**
 * Logs faults of the gateway and of vendors. A bug is logged with its stack, an outage such as a full
 * queue as one short line per request. The logger summarizes the lines of a database outage. A stop was
 * ordered by the operator, so it is only informational.
 */
export function logFault(known: AppError, error: unknown, request: RouteRequest): void {
  const { code, spec, message, details, cause } = known
  const facts = { code, request_id: publicId('request', request.id) }
  if (code === 'internal') request.log.error({ err: error, ...facts }, message)
  else if (code === 'shutting_down') request.log.info(facts, message)
  else if (known instanceof DatabaseAway) request.log.error({ err: known, ...facts }, message)
  else if (spec.fault === 'gateway')
    request.log.error(
      { ...facts, ...(cause instanceof Error ? { cause: cause.message } : {}) },
      message,
    )
  else if (spec.fault !== 'caller')
    request.log.warn(
      {
        ...facts,
        upstream: details?.['upstream'],
        ...(typeof cause === 'string' ? { cause } : {}),
      },
      message,
    )
}

/** Whether the response needs `test: true`, which marks all responses to a test key, errors included. */
export function isOfTestKey({ caller }: { readonly caller: Caller | undefined }): boolean {
  return caller?.mode === 'test'
}

/** The error envelope, as the body of a response. */
export function envelopeOf(error: AppError, requestId: string, isTest = false) {
  return {
    ok: false,
    error: {
      code: error.code,
      message: error.message,
      param: error.param ?? null,
      fix: error.fix,
      retryable: error.isRetryable,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
    charged_cents: toCentsRoundedUp(BigInt(error.chargedMicros)),
    charged_micros: error.chargedMicros,
    request_id: requestId,
    ...(isTest ? { test: true } : {}),
  }
}

function problemOf(error: AppError, requestId: string, isTest: boolean) {
  const {
    error: { code, param, fix, retryable, details },
    charged_cents,
    charged_micros,
  } = envelopeOf(error, requestId)
  return {
    type: `urn:tollgate:error:${code}`,
    title: error.spec.title,
    status: error.spec.status,
    detail: error.message,
    instance: requestId,
    code,
    param,
    fix,
    retryable,
    ...(details === undefined ? {} : { details }),
    charged_cents,
    charged_micros,
    request_id: requestId,
    ...(isTest ? { test: true } : {}),
  }
}

/** Converts errors of Fastify. Any other error becomes `internal`; only the log shows its message. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code, statusCode, message } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new AppError('payload_too_large', 'The body is larger than this address accepts.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new AppError('unsupported_media_type', 'The Content-Type header is not JSON.')
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return new AppError(
      'bad_request',
      'The length of the body differs from the Content-Length header.',
      {
        fix: 'Send a correct Content-Length, or let your HTTP library set it.',
      },
    )
  if (code === 'FST_ERR_BAD_URL')
    return new AppError(
      'bad_request',
      'The address has a percent sign that is not a valid escape.',
      { fix: 'Write a percent sign in an address as %25.' },
    )
  if (code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new AppError('not_found', 'A segment of the address is longer than any name.')
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new AppError(
      'bad_request',
      (message ?? 'The request could not be read.').slice(0, LONGEST_FASTIFY_MESSAGE),
    )
  return new AppError('internal', undefined, { cause: error })
}
