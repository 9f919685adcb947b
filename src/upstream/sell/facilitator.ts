/**
 * An x402 facilitator: verifies payments, takes their money, and lists the networks it serves. Its
 * library is loaded on first use.
 */
import type { HTTPFacilitatorClient } from '@x402/core/server'
import type { Clock } from '../../lib/clock.ts'
import { signedToken, type FacilitatorKey } from './signed-token.ts'

/** `key`: set if each request must be signed. */
export type FacilitatorDeps = {
  readonly url: string
  readonly key: FacilitatorKey | null
  readonly now: Clock
}

const TIMEOUT_MS = 30_000

export async function connectFacilitator({
  url,
  key,
  now,
}: FacilitatorDeps): Promise<HTTPFacilitatorClient> {
  const { HTTPFacilitatorClient } = await import('@x402/core/server')
  if (key === null) return new HTTPFacilitatorClient({ url, timeoutMs: TIMEOUT_MS })
  const authorization = (method: 'GET' | 'POST', path: string) => ({
    Authorization: `Bearer ${signedToken(key, method, new URL(`${url}${path}`), now())}`,
  })
  return new HTTPFacilitatorClient({
    url,
    timeoutMs: TIMEOUT_MS,
    createAuthHeaders: async () => ({
      verify: authorization('POST', '/verify'),
      settle: authorization('POST', '/settle'),
      supported: authorization('GET', '/supported'),
    }),
  })
}

/** Whether a facilitator serves a network. */
export type FacilitatorState =
  | { readonly kind: 'serves' }
  | { readonly kind: 'lacks'; readonly served: readonly string[] }
  | { readonly kind: 'unreachable'; readonly reason: string }

/**
 * Checks whether the facilitator serves the scheme "exact" on a network in x402 version 2. Never
 * rejects.
 */
export async function askSupported(
  deps: FacilitatorDeps,
  network: string,
): Promise<FacilitatorState> {
  try {
    const { kinds } = await (await connectFacilitator(deps)).getSupported()
    const served = kinds
      .filter(({ x402Version }) => x402Version === 2)
      .map((kind) => `${kind.scheme} on ${kind.network}`)
    const isServed = kinds.some(
      (kind) =>
        kind.x402Version === 2 &&
        kind.scheme === 'exact' &&
        (kind.network === network || kind.network === 'eip155:*'),
    )
    return isServed ? { kind: 'serves' } : { kind: 'lacks', served }
  } catch (error) {
    return { kind: 'unreachable', reason: (error as Error).message.slice(0, 300) }
  }
}
