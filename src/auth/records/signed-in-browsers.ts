import type { Query } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import { hashOfToken } from '../../lib/token.ts'
import { PERSON_SESSION_SECONDS } from './browser-session.ts'

type Deps = { readonly database: { readonly query: Query }; readonly now: Clock }

export type SignedInBrowser = {
  /** Names the session in forms. It is the hash of the token, from which no one can sign in. */
  readonly id: string
  /** Such as "Firefox on Windows"; null before its first page. */
  readonly browser: string | null
  readonly signedInMs: number
  /** To within ten minutes; null before its first page. */
  readonly lastUsedMs: number | null
  /** Whether it is the browser with the token `current`. */
  readonly isCurrent: boolean
}

/** The browsers in which a person is signed in, the current one first, then the last used ones. */
export async function listBrowsers(
  { database, now }: Deps,
  personId: Id,
  current: string,
): Promise<readonly SignedInBrowser[]> {
  const { rows } = await database.query<{
    token_hash: Buffer
    browser: string | null
    expires_at: Date
    last_used_at: Date | null
    is_current: boolean
  }>(
    `select token_hash, browser, expires_at, last_used_at, token_hash = $2 as is_current from page_sessions
     where person_id = $1 and expires_at > $3
     order by is_current desc, last_used_at desc nulls last, expires_at desc`,
    [personId, hashOfToken(current), new Date(now())],
  )
  return rows.map((row) => ({
    id: row.token_hash.toString('hex'),
    browser: row.browser,
    signedInMs: row.expires_at.getTime() - PERSON_SESSION_SECONDS * 1000,
    lastUsedMs: row.last_used_at?.getTime() ?? null,
    isCurrent: row.is_current,
  }))
}

/** Signs one browser of a person out. Throws AppError not_found, also for the browser of another person. */
export async function endBrowser(
  { query }: { readonly query: Query },
  personId: Id,
  id: string,
): Promise<void> {
  const { count } = /^[0-9a-f]{64}$/.test(id)
    ? await query('delete from page_sessions where person_id = $1 and token_hash = $2', [
        personId,
        Buffer.from(id, 'hex'),
      ])
    : { count: 0 }
  if (count === 0)
    throw new AppError('not_found', 'This browser is not signed in any longer.', {
      fix: 'Reload the page to see the signed-in browsers.',
    })
}

const NOTED_EVERY = '10 minutes'

/** Notes the use of a person's session, at most every ten minutes. */
export async function noteBrowser(
  { database, now }: Deps,
  token: string,
  userAgent: string | undefined,
): Promise<void> {
  await database.query(
    `update page_sessions set last_used_at = $2::timestamptz, browser = $3
     where token_hash = $1 and person_id is not null
       and (last_used_at is null or last_used_at < $2::timestamptz - interval '${NOTED_EVERY}')`,
    [hashOfToken(token), new Date(now()), browserOf(userAgent)],
  )
}

// Browsers name others as well, so the order decides.
const BROWSERS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** "Firefox on Windows". Versions are left out, so that the database identifies no device. */
export function browserOf(userAgent = ''): string {
  const nameIn = (known: readonly (readonly [RegExp, string])[]): string | undefined =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  if (browser === undefined)
    return system === undefined ? 'Unknown browser' : `Browser on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
