/** The sessions of an owner, for the pages of the console. Queries no vendor. */
import type { Owner } from '../../lib/owner.ts'
import { onlyMaker } from '../../lib/owner.ts'
import type { BrowserDeps } from './browser-deps.ts'
import { recordingOf, type RecordingState } from './recording-state.ts'
import { findBrowser, isPaidFor, unknownBrowser, type BrowserRow } from './browser-row.ts'
import { AppError } from '../../errors/app-error.ts'
import { describeReached } from './in-house/host/reach-browser.ts'
import type { ShownPage } from './in-house/view/page-list.ts'

/** A session as its owner sees it. Times in Unix milliseconds. */
export type BrowserFacts = {
  readonly session: string
  readonly isOpen: boolean
  /** It runs on a machine of this gateway, which can show it. */
  readonly isOwn: boolean
  readonly openedMs: number
  readonly paidUntilMs: number
  readonly endedMs: number | null
  readonly recording: RecordingState | null
}

/** `page` and `viewers`: null if unknown, such as for a vendor's session. */
export type BrowserView = BrowserFacts & {
  readonly page: ShownPage | null
  readonly viewers: number | null
}

const MOST_LISTED = 100

/** The open sessions, newest first. Test keys have none, because the simulator stores no sessions here. */
export async function listBrowsers(
  { database, now }: Pick<BrowserDeps, 'database' | 'now'>,
  owner: Owner,
): Promise<readonly BrowserFacts[]> {
  if (owner.mode === 'test') return []
  const nowMs = now()
  const { rows } = await database.query<BrowserRow & { readonly session: string }>(
    `select * from browser_sessions
     where account_id = $1 and ($2::uuid is null or key_id = $2)
       and session is not null and ended_ms is null and paid_until_ms > $3
     order by opened_ms desc limit ${MOST_LISTED}`,
    [owner.accountId, onlyMaker(owner), nowMs],
  )
  return rows.map((row) => factsOf(row, row.session, nowMs))
}

/** An open session, or one that has ended in the last 90 days. Throws AppError `unknown_session`. */
export async function readBrowser(
  deps: BrowserDeps,
  { owner, session }: { readonly owner: Owner; readonly session: string },
): Promise<BrowserView> {
  const row = owner.mode === 'test' ? undefined : await findBrowser(deps.database, owner, session)
  if (row === undefined) throw unknownBrowser()
  const facts = factsOf(row, session, deps.now())
  if (!facts.isOpen || !facts.isOwn) return { ...facts, page: null, viewers: null }
  try {
    const reply = await describeReached(deps.own, { session, host: row.host })
    return reply === null
      ? { ...facts, isOpen: false, page: null, viewers: null }
      : { ...facts, ...reply }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // Another machine runs it, or its process does not answer.
    return { ...facts, page: null, viewers: null }
  }
}

function factsOf(row: BrowserRow, session: string, nowMs: number): BrowserFacts {
  return {
    session,
    isOpen: isPaidFor(row, nowMs),
    isOwn: row.host_seen_ms !== null,
    openedMs: Number(row.opened_ms),
    paidUntilMs: Number(row.paid_until_ms),
    endedMs: row.ended_ms === null ? null : Number(row.ended_ms),
    recording: recordingOf(row, isPaidFor(row, nowMs), nowMs),
  }
}
