import type { Readable, Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import type { Dispatcher } from 'undici'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { encodingsOf, MOST_ENCODINGS } from './content-encoding.ts'
import { isGuardRefusal, type Guard } from './guard.ts'
import { requestThroughGuard } from './guarded-request.ts'
import { retryAfterMs, secondsToWait } from './limits/retry-after.ts'

export type Download = {
  /** The URL after all redirects. */
  readonly finalUrl: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The declared length; null if the server declares none, or declares that of compressed data. */
  readonly announcedBytes: number | null
  /** Must be read or destroyed. */
  readonly body: Readable
}
export type DownloadOptions = {
  readonly guard: Guard
  readonly userAgent: string
  readonly signal: AbortSignal
  readonly idleMs: number
  readonly now: Clock
}

const MAX_REDIRECTS = 10
/** Statuses of a complete resource. The download requests no part of it. */
const WHOLE = new Set([200, 203])
const ignore = (): void => {}
type Answer = Dispatcher.ResponseData

/**
 * Opens a public web resource as a stream. The guard checks every redirect. Throws AppError:
 * `bad_url` for a non-public address, `upstream_not_found`, `upstream_rejected`, `upstream_busy`,
 * `upstream_timeout` or `upstream_error`.
 */
export async function download(url: string, options: DownloadOptions): Promise<Download> {
  let next = url
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const checked = options.guard.checkUrl(next, 'redirect')
    const answer = await sendRequest(checked, options)
    const { location } = answer.headers
    if (answer.statusCode < 300 || answer.statusCode > 399 || typeof location !== 'string')
      return opened(checked, answer, options)
    await drop(answer)
    next = URL.parse(location, checked.href)?.href ?? location
  }
  throw new AppError('upstream_error', `The URL redirects more than ${MAX_REDIRECTS} times.`)
}

async function sendRequest(
  url: URL,
  { guard, userAgent, signal, idleMs }: DownloadOptions,
): Promise<Answer> {
  try {
    return await requestThroughGuard(guard, url, {
      hop: 'redirect',
      signal,
      timeoutMs: idleMs,
      headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity' },
    })
  } catch (error) {
    throw downloadFailure(error)
  }
}

async function opened(url: URL, answer: Answer, { now }: DownloadOptions): Promise<Download> {
  const { statusCode, headers, body } = answer
  if (!WHOLE.has(statusCode)) {
    await drop(answer)
    throw refusalOf(statusCode, retryAfterMs(headers, now()))
  }
  // An aborted body emits an error; without a listener, that would end the process.
  body.on('error', ignore)
  const encodings = encodingsOf(headers['content-encoding'])
  const length = Number(headers['content-length'] ?? Number.NaN)
  const announcedBytes = encodings.length === 0 && Number.isSafeInteger(length) ? length : null
  return { finalUrl: url.href, headers, announcedBytes, body: unpacked(body, encodings) }
}

/** Some servers compress although the request asks for no encoding. */
function unpacked(body: Readable, encodings: readonly string[]): Readable {
  const decoders = encodings.map(decoderFor).filter((decoder) => decoder !== undefined)
  if (decoders.length < encodings.length || decoders.length > MOST_ENCODINGS) {
    body.destroy()
    throw new AppError('upstream_error', 'The server compressed the file in an unsupported way.')
  }
  return decoders.reduce(throughDecoder, body)
}

/** An error of one stream ends both. */
function throughDecoder(packed: Readable, decoder: Transform): Readable {
  decoder.on('error', ignore)
  packed.on('error', (error) => decoder.destroy(error))
  decoder.on('close', () => packed.destroy())
  return packed.pipe(decoder)
}

function decoderFor(encoding: string): Transform | undefined {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  if (encoding === 'br') return createBrotliDecompress()
  return encoding === 'zstd' ? createZstdDecompress() : undefined
}

function refusalOf(status: number, waitMs: number | undefined): AppError {
  const details = { upstream: { service: 'web', status, code: null, message: null } }
  const message = `The server of the URL answered with status ${status}.`
  if (status === 404 || status === 410)
    return new AppError('upstream_not_found', message, { fix: 'Check the URL.', details })
  if (status >= 200 && status < 300)
    return new AppError(
      'upstream_rejected',
      `${message.slice(0, -1)} instead of a complete file.`,
      {
        fix: 'Send a URL that returns the file itself to a GET request.',
        details,
      },
    )
  if (status === 429 || status === 503)
    return new AppError('upstream_busy', message, {
      retryAfterSeconds: secondsToWait('upstream_busy', waitMs),
      details,
    })
  if (status >= 400 && status < 500)
    return new AppError('upstream_rejected', message, {
      fix: 'Send a URL that can be fetched without signing in.',
      details,
    })
  return new AppError('upstream_error', message, { details })
}

/** Maps a network error to an AppError for the caller. Returns an AppError unchanged. */
export function downloadFailure(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isGuardRefusal(error))
    return new AppError('bad_url', 'The URL leads to a host that is not on the public internet.', {
      cause: error,
    })
  const { name, code } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError' || name === 'AbortError' || /TIMEDOUT|_TIMEOUT$/.test(code ?? ''))
    return new AppError('upstream_timeout', 'The server of the URL took too long.', {
      cause: error,
    })
  return new AppError(
    'upstream_error',
    'The server of the URL could not be reached, or the connection was lost.',
    { cause: error },
  )
}

async function drop(answer: Answer): Promise<void> {
  await answer.body.dump({ limit: 64 * 1024 }).catch(() => undefined)
}
