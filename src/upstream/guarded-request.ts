import { request, type Dispatcher } from 'undici'
import type { Guard, Hop } from './guard.ts'

/** `timeoutMs` limits the wait for the head and each silence in the body. */
export type GuardedRequest = {
  readonly hop: Hop
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Sends a GET to a URL that passed `guard.checkUrl`. Rejects with AppError `bad_url` or the network's error. */
export function requestThroughGuard(
  guard: Pick<Guard, 'dispatcherFor'>,
  url: URL,
  { hop, headers, timeoutMs, signal }: GuardedRequest,
): Promise<Dispatcher.ResponseData> {
  return request(url, {
    dispatcher: guard.dispatcherFor(url, hop),
    signal,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    headers,
  })
}
