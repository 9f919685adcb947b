import type { Clock } from '../../lib/clock.ts'
import { SharedCapacity } from '../../lib/fairness/shared-capacity.ts'
import type { Id } from '../../lib/ids.ts'
import type { Guard } from '../../upstream/guard.ts'
import { readSmallDocument, type SmallDocument } from '../../upstream/small-document.ts'
import { readClientMetadata, type Client } from './client.ts'
import { OAuthError } from './oauth-error.ts'
import { RecentMap } from '../../lib/recent-map.ts'

export type ClientDocuments = {
  /**
   * The client whose metadata is at `url`. Throws OAuthError invalid_client_metadata or
   * invalid_redirect_uri for an invalid document, and AppError when it cannot be fetched. `account` has a
   * share of the concurrent fetches.
   */
  read(url: URL, account?: Id): Promise<Client>
}

export type ClientDocumentDeps = {
  readonly guard: Guard
  readonly userAgent: string
  readonly now: Clock
  /** For the whole document. Tests use a shorter one. */
  readonly timeoutMs?: number
}

const MOST_BYTES = 5 * 1024
const TIMEOUT_MS = 5_000
const MOST_CACHED = 500
const MOST_CONCURRENT = 16
// A client's document without cache headers.
const DEFAULT_AGE_MS = 5 * 60_000
const LONGEST_AGE_MS = 24 * 3_600_000
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

type Cached = { readonly client: Client; readonly untilMs: number }

/**
 * Reads client id metadata documents through the egress guard, without redirects, and caches them as
 * their headers allow. Memory: 500 documents; concurrent requests for one document share a fetch.
 */
export function createClientDocuments({
  guard,
  userAgent,
  now,
  timeoutMs = TIMEOUT_MS,
}: ClientDocumentDeps): ClientDocuments {
  const cache = new RecentMap<string, Cached>(MOST_CACHED)
  const pending = new Map<string, Promise<Client>>()
  const capacity = new SharedCapacity(MOST_CONCURRENT, 'client documents')

  async function fetchClient(url: URL): Promise<Client> {
    const document = await readSmallDocument(url.href, {
      guard,
      userAgent,
      accept: 'application/json',
      maxBytes: MOST_BYTES,
      timeoutMs,
    })
    const client = clientOf(url, document)
    const ageMs = Math.min(document.maxAgeMs ?? DEFAULT_AGE_MS, LONGEST_AGE_MS)
    if (ageMs > 0) cache.set(url.href, { client, untilMs: now() + ageMs })
    return client
  }

  return {
    async read(url, account) {
      const cached = cache.get(url.href)
      if (cached !== undefined && cached.untilMs > now()) return cached.client
      const running = pending.get(url.href)
      if (running !== undefined) return running
      capacity.take(account)
      const fetching = fetchClient(url).finally(() => {
        pending.delete(url.href)
        capacity.giveBack(account)
      })
      pending.set(url.href, fetching)
      return fetching
    },
  }
}

function clientOf(url: URL, { text, contentType }: SmallDocument): Client {
  if (!JSON_TYPE.test(contentType)) throw invalid('is not JSON (application/json)')
  const document = parse(text)
  const { client_id: id, token_endpoint_auth_method: method = 'none' } = (document ??
    {}) as Readonly<Record<string, unknown>>
  if (id !== url.href) throw invalid('names another "client_id" than its own URL')
  if (method !== 'none')
    throw invalid('requires client authentication; this gateway supports only "none" with PKCE')
  return { id: url.href, kind: 'document', ...readClientMetadata(document, url.host) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('is not valid JSON')
  }
}

function invalid(problem: string): OAuthError {
  return new OAuthError('invalid_client_metadata', `The client metadata document ${problem}.`)
}
