/** Maps an upstream's failure to an error for the caller. */
import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../../errors/app-error.ts'
import { errorCatalog, type ErrorCode } from '../../errors/catalog.ts'
import { codeOfTransportError } from '../../upstream/transport-failure.ts'
import { retryAfterMs, secondsToWait } from '../../upstream/limits/retry-after.ts'
import { scrub } from '../../upstream/scrub.ts'
import type { Candidate } from '../lists/model.ts'
import { meaningOf, statusOfError } from './error-meaning.ts'
import { readErrorBody, type UpstreamError } from './upstream-error.ts'
import { addressOf } from './upstream.ts'

// Clients read the numbers of a rejection, which may come late in its words.
const LONGEST_WORDS = 2_000
const END_OF_SENTENCE = /[.!?]$/

type ErrorAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export function failureOfStatus(
  candidate: Candidate,
  { status, headers, text }: ErrorAnswer,
  nowMs: number,
): AppError {
  return failureOf(candidate, status, readErrorBody(text), retryAfterMs(headers, nowMs))
}

/** An error in a response with status 200. */
export function failureOfUpstreamError(candidate: Candidate, error: UpstreamError): AppError {
  return failureOf(candidate, 200, error)
}

function failureOf(
  candidate: Candidate,
  httpStatus: number,
  error: UpstreamError,
  waitMs?: number,
): AppError {
  const { code, param, message } = error
  const status = statusOfError(httpStatus, error)
  return failure(candidate, meaningOf(status, error), {
    status: status ?? httpStatus,
    code,
    message: message === '' ? null : message,
    param,
    waitMs,
  })
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

type UpstreamFacts = {
  readonly status: number | null
  readonly code: string | number | null
  readonly message: string | null
  readonly param?: string | undefined
  readonly waitMs?: number | undefined
}

function failure(candidate: Candidate, code: ErrorCode, facts: UpstreamFacts): AppError {
  const { upstream } = candidate
  const secrets = [
    ...(upstream.key === null ? [] : [upstream.key]),
    addressOf(upstream),
    upstream.origin,
    new URL(upstream.origin).host,
  ]
  const words = facts.message === null ? null : scrub(facts.message, secrets, LONGEST_WORDS)
  // Only the log has the words of an upstream about the account of the operator.
  const isOperators = errorCatalog[code].fault === 'operator'
  const message = isOperators ? null : words
  return new AppError(code, sentence(code, candidate.id, message), {
    details: {
      upstream: {
        service: upstream.name,
        model: candidate.id,
        status: facts.status,
        code: facts.code === null ? null : scrub(String(facts.code), secrets),
        message,
        ...(facts.param === undefined ? {} : { param: scrub(facts.param, secrets) }),
      },
    },
    ...(isOperators ? { cause: words } : {}),
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
      return `"${model}" is not available at the moment${reason(message)} Nothing was charged.`
    case 'upstream_not_configured':
      return `The upstream of "${model}" does not accept this gateway's credentials. Nothing was charged.`
    case 'upstream_payment':
      return `The upstream of "${model}" requires payment from the operator of this gateway. Nothing was charged.`
    default:
      return `"${model}" failed${reason(message)} Nothing was charged.`
  }
}

/** The end of a sentence with the upstream's words. */
export function reason(words: unknown): string {
  if (typeof words !== 'string') return '.'
  return `: ${words}${END_OF_SENTENCE.test(words) ? '' : '.'}`
}
