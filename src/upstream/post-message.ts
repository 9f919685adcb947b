import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { Deadline } from '../lib/deadline.ts'
import { exchange, ResponseTooLarge } from './exchange.ts'
import type { Guard } from './guard.ts'
import { retryAfterMs } from './limits/retry-after.ts'

export type PostMessage = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** The longest Retry-After to obey. */
  readonly longestPauseMs: number
  readonly now: Clock
}
/** `text`: the beginning of the response, at most 64 KiB. */
export type PostAnswer = {
  readonly status: number
  readonly retryAfterMs: number
  readonly text: string
}

const MOST_BYTES = 64 * 1024

/**
 * Posts JSON to a URL that a caller chose. The guard checks the address and pins it; redirects are
 * not followed. Rejects with AppError `bad_url`, `upstream_timeout`, or the network's error.
 */
export async function postMessage(
  guard: Pick<Guard, 'checkUrl' | 'vendors'>,
  address: string,
  { headers, body, timeoutMs, longestPauseMs, now }: PostMessage,
): Promise<PostAnswer> {
  const url = guard.checkUrl(address, 'redirect')
  const deadline = new Deadline(timeoutMs)
  try {
    const answer = await exchange(
      guard.vendors,
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      },
      { deadline, maxBytes: MOST_BYTES },
    )
    return {
      status: answer.status,
      retryAfterMs: retryAfterMs(answer.headers, now(), longestPauseMs) ?? 0,
      text: answer.text,
    }
  } catch (error) {
    // Its status is the answer. The body does not matter.
    if (error instanceof ResponseTooLarge)
      return { status: error.status, retryAfterMs: 0, text: '' }
    throw error
  } finally {
    deadline.end()
  }
}

/** The reason of a failed post, for the owner of the address. Names no address from DNS. */
export function describePostFailure(error: unknown): string {
  const { code } = error as { code?: string }
  if (error instanceof AppError && code === 'bad_url') return error.message.replace(/\.$/, '')
  if (code === 'ENOTFOUND') return 'The host does not exist'
  if (code === 'ECONNREFUSED') return 'The connection was refused'
  if (/TIMEDOUT|_timeout$/i.test(code ?? '')) return 'No answer in time'
  return /CERT|TLS|SSL/.test(code ?? '')
    ? 'The TLS certificate is not valid'
    : 'The connection was lost'
}
