/** Maps an upstream's failure to an error for the caller. */
import type { IncomingHttpHeaders } from 'node:http'
import { mapOpenaiError } from '../../catalog/answers/openai-failure.ts'
import { mapStatusToCode } from '../../catalog/answers/vendor-failure.ts'
import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { codeOfTransportError } from '../../upstream/transport-failure.ts'
import { retryAfterMs, secondsToWait } from '../../upstream/limits/retry-after.ts'
import { scrub } from '../../upstream/scrub.ts'
import { isFields, parseFields } from '../../lib/json-fields.ts'
import type { Candidate } from '../lists/model.ts'
import type { UpstreamError } from './upstream-error.ts'
import { addressOf } from './upstream.ts'

type ErrorAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}
type UpstreamFacts = {
  readonly status: number | null
  readonly code: string | number | null
  readonly message: string | null
  readonly waitMs?: number | undefined
}

export function failureOfStatus(
  candidate: Candidate,
  { status, headers, text }: ErrorAnswer,
  nowMs: number,
): AppError {
  const body = parseFields(text)
  const fields = isFields(body?.['error']) ? body['error'] : (body ?? {})
  const code =
    typeof fields['code'] === 'string' || typeof fields['code'] === 'number' ? fields['code'] : null
  const message =
    typeof fields['message'] === 'string'
      ? fields['message']
      : typeof body?.['error'] === 'string'
        ? body['error']
        : null
  return failure(candidate, meaningOf(status, fields), {
    status,
    code,
    message,
    waitMs: retryAfterMs(headers, nowMs),
  })
}

/** An error in a response with status 200. */
export function failureOfUpstreamError(
  candidate: Candidate,
  { code, message }: UpstreamError,
): AppError {
  return failure(
    candidate,
    typeof code === 'number' && code >= 400 && code < 600
      ? mapStatusToCode(code)
      : 'upstream_error',
    { status: 200, code, message },
  )
}

export function failureOfError(candidate: Candidate, error: unknown): AppError {
  const code =
    error instanceof AppError && error.code !== 'bad_url' ? error.code : codeOfTransportError(error)
  return failure(candidate, code, {
    status: null,
    code: null,
    message: error instanceof AppError && error.code === 'upstream_error' ? error.message : null,
  })
}

function meaningOf(status: number, fields: Readonly<Record<string, unknown>>): ErrorCode {
  return (
    mapOpenaiError(status, fields) ?? (status < 400 ? 'upstream_error' : mapStatusToCode(status))
  )
}

function failure(candidate: Candidate, code: ErrorCode, facts: UpstreamFacts): AppError {
  const { upstream } = candidate
  const secrets = [
    ...(upstream.key === null ? [] : [upstream.key]),
    addressOf(upstream),
    upstream.origin,
    new URL(upstream.origin).host,
  ]
  const message = facts.message === null ? null : scrub(facts.message, secrets)
  return new AppError(code, sentence(code, candidate.id, message), {
    details: {
      upstream: {
        service: upstream.name,
        model: candidate.id,
        status: facts.status,
        code: facts.code === null ? null : scrub(String(facts.code), secrets),
        message,
      },
    },
    retryAfterSeconds: secondsToWait(code, facts.waitMs),
  })
}

function sentence(code: ErrorCode, model: string, message: string | null): string {
  switch (code) {
    case 'upstream_timeout':
      return `"${model}" did not respond in time. Nothing was charged.`
    case 'upstream_busy':
      return `"${model}" accepts no more requests at the moment. Nothing was charged.`
    case 'upstream_rejected':
      return `"${model}" rejected this request${message === null ? '' : `: ${message}`}`
    case 'upstream_not_found':
    case 'upstream_gone':
      return `"${model}" is not available at the moment. Nothing was charged.`
    case 'upstream_not_configured':
      return `The upstream of "${model}" does not accept this gateway's credentials. Nothing was charged.`
    case 'upstream_payment':
      return `The upstream of "${model}" requires payment from the operator of this gateway. Nothing was charged.`
    default:
      return `"${model}" failed. Nothing was charged.`
  }
}
