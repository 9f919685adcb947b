import type { Dispatcher } from 'undici'
import { AppError } from '../errors/app-error.ts'
import { downloadFailure } from './download.ts'
import type { Guard } from './guard.ts'
import { requestThroughGuard } from './guarded-request.ts'

export type SmallDocument = {
  readonly text: string
  /** Empty if the server sends none. */
  readonly contentType: string
  /** How long the server allows to cache the document; null without such a header. */
  readonly maxAgeMs: number | null
}

export type SmallDocumentRequest = {
  readonly guard: Guard
  readonly userAgent: string
  readonly accept: string
  readonly maxBytes: number
  /** For the whole document. */
  readonly timeoutMs: number
}

type Headers = Dispatcher.ResponseData['headers']

/**
 * Reads a small public document whole, and follows no redirect. Throws AppError: `bad_url` for an
 * address that is not public, `upstream_rejected` for another status than 200, for a compressed or too
 * large document, `upstream_timeout` or `upstream_error`.
 */
export async function readSmallDocument(
  url: string,
  { guard, userAgent, accept, maxBytes, timeoutMs }: SmallDocumentRequest,
): Promise<SmallDocument> {
  // As a redirect target: no page of this gateway is exempt from the address rule.
  const checked = guard.checkUrl(url, 'redirect')
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const { statusCode, headers, body } = await requestThroughGuard(guard, checked, {
      hop: 'redirect',
      signal,
      timeoutMs,
      headers: { 'user-agent': userAgent, accept, 'accept-encoding': 'identity' },
    })
    if (statusCode !== 200 || headers['content-encoding'] !== undefined) {
      body.on('error', () => {}).destroy()
      throw new AppError(
        'upstream_rejected',
        statusCode === 200
          ? 'The document is compressed.'
          : `The server of the document answered with status ${statusCode} instead of 200.`,
      )
    }
    return {
      text: await readText(body, maxBytes),
      contentType: oneOf(headers, 'content-type'),
      maxAgeMs: maxAgeOf(headers),
    }
  } catch (error) {
    throw downloadFailure(error)
  }
}

async function readText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Leaving the loop destroys the body.
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes)
      throw new AppError('upstream_rejected', `The document is larger than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** RFC 9111: `no-store` and `no-cache` count as 0, and `Age` is subtracted. */
function maxAgeOf(headers: Headers): number | null {
  const directives = oneOf(headers, 'cache-control').toLowerCase()
  if (/(?:^|[,\s])no-(?:store|cache)(?:$|[,;\s=])/.test(directives)) return 0
  const seconds = /(?:^|[,\s])max-age="?(\d{1,9})/.exec(directives)?.[1]
  if (seconds === undefined) return null
  const age = Number(/^\d{1,9}$/.exec(oneOf(headers, 'age'))?.[0] ?? 0)
  return Math.max(0, Number(seconds) - age) * 1000
}

function oneOf(headers: Headers, name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}
