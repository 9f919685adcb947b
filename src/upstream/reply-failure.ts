import { mapReplyToCode } from '../catalog/answers/vendor-failure.ts'
import type { Reply, VendorFailure } from '../catalog/vocabulary/wire.ts'
import { AppError } from '../errors/app-error.ts'
import { errorCatalog } from '../errors/catalog.ts'
import { credentialsSent, formerCredentials } from './credentials.ts'
import { ResponseTooLarge } from './exchange.ts'
import { retryAfterMs, secondsToWait } from './limits/retry-after.ts'
import { scrub } from './scrub.ts'
import type { Refused, UpstreamFailure } from './sent.ts'
import type { Target } from './target.ts'
import { codeOfTransportError } from './transport-failure.ts'

/** Maps an unsuccessful response to a failure. */
export function refusalOf(target: Target, reply: Reply, nowMs: number): Refused {
  const waitMs = retryAfterMs(reply.headers, nowMs)
  const failure = failureOf(target, reply, waitMs)
  // A response that the vendor passes on from another site requests no pause at the vendor.
  const isPause =
    failure.code === 'upstream_busy' || (reply.status === 503 && failure.code !== 'no_results')
  return waitMs === undefined || !isPause ? { ok: false, failure } : { ok: false, failure, waitMs }
}

function failureOf(target: Target, reply: Reply, waitMs: number | undefined): UpstreamFailure {
  const read = target.vendor.readFailure?.(reply)
  const code = read?.code ?? mapReplyToCode(reply)
  const retryAfterSeconds = secondsToWait(code, waitMs)
  return {
    code,
    message: sentence(code, target.service),
    details: {
      upstream: {
        service: target.service,
        status: reply.status,
        code: clean(read?.vendorCode, target),
        message: clean(read?.message, target),
      },
    },
    ...(read?.fix === undefined ? {} : { fix: read.fix }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}

/** Maps an error of sending to a failure. */
export function failureOfError(target: Target, error: unknown): UpstreamFailure {
  const code =
    error instanceof AppError && error.code !== 'bad_url' ? error.code : codeOfTransportError(error)
  const [message, status] =
    error instanceof ResponseTooLarge
      ? [error.message, error.status]
      : [sentence(code, target.service), null]
  return {
    code,
    message,
    details: { upstream: { service: target.service, status, code: null, message: null } },
  }
}

function clean(
  text: string | undefined,
  { vendor: { auth }, credentials, origin, basePath, isSimulated }: Target,
): string | null {
  // The key of a simulation is not secret.
  const secrets =
    isSimulated === true
      ? []
      : [
          ...Object.values(credentials),
          ...credentialsSent(auth, credentials),
          ...formerCredentials(),
        ]
  return text === undefined
    ? null
    : scrub(text, [...secrets, `${origin}${basePath}`, origin, new URL(origin).host])
}

function sentence(code: VendorFailure['code'], service: string): string {
  switch (code) {
    case 'upstream_timeout':
      return `The service behind "${service}" did not respond in time. Nothing was charged.`
    case 'upstream_busy':
      return `The service behind "${service}" is at its limit. Nothing was charged.`
    case 'no_results':
      return `The service behind "${service}" could not return the requested data. Nothing was charged.`
    case 'upstream_rejected':
      return `The service behind "${service}" rejected these parameters. Nothing was charged.`
    case 'upstream_not_found':
      return `The service behind "${service}" has no such item. Nothing was charged.`
    case 'upstream_gone':
      return `The service behind "${service}" no longer offers this action. Nothing was charged.`
    case 'upstream_conflict':
      return `The service behind "${service}" is busy with another call of this gateway. Nothing was charged.`
    case 'upstream_not_configured':
      return `The service behind "${service}" does not accept this gateway's credentials. Nothing was charged.`
    case 'upstream_payment':
      return `The service behind "${service}" requires payment from the operator of this gateway. Nothing was charged.`
    case 'upstream_error':
      return `The service behind "${service}" failed. Nothing was charged.`
    default:
      return `${errorCatalog[code].title}. Nothing was charged.`
  }
}
