/** Compute sessions on a bed of calls, over a real database. The test controls the vendor and the clock. */
import assert from 'node:assert/strict'
import type { Calls } from '../../../src/calls/call.ts'
import { runCall } from '../../../src/calls/run.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { newId, parsePublicId } from '../../../src/lib/ids.ts'
import { maintainSessions } from '../../../src/resources/sessions/maintain-sessions.ts'
import { createMeteredSessions } from '../../../src/resources/sessions/metered-sessions.ts'
import type { Owner } from '../../../src/lib/owner.ts'
import type { SessionDriver } from '../../../src/resources/sessions/session-driver.ts'
import type { SessionDeps } from '../../../src/resources/sessions/session-deps.ts'
import { tearDownSessions } from '../../../src/resources/sessions/tear-down.ts'
import { openCallBed, withSessions, type CallBed } from './calls.ts'
import { createStandIn, type StandIn } from '../vendors/stand-in-box.ts'

export const MINUTE_MS = 60_000
/** The hourly price of boxa's two vCPUs at 5¢ each. */
export const PER_MINUTE = 100_000n / 60n
export const TEN_MINUTES = 16_667n

export type SessionState = { readonly reason: string | null; readonly charged: bigint }
export type LiveOwner = Owner & { readonly mode: 'live' }

export type SessionBed = {
  readonly bed: CallBed
  readonly parts: SessionDeps
  readonly driver: SessionDriver
  readonly vendor: StandIn
  /** The dependencies of metered sessions. */
  calls: Calls
  /** Sets whether this process can reach the vendor. */
  hasWay: boolean
  owner(): LiveOwner
  /** Opens a session of boxa. The opening call is free. */
  open(body?: object, extra?: object): Promise<string>
  run(id: string, who?: LiveOwner): ReturnType<SessionDriver['execute']>
  /** Advances the clock by minutes. The session is used and refreshed in each. */
  pass(minutes: number, id?: string): Promise<void>
  set(
    table: 'accounts' | 'budgets' | 'compute_sessions',
    id: string | null,
    change: string,
  ): Promise<void>
  stateOf(id: string): Promise<SessionState>
  spendDownTo(rest: bigint): Promise<void>
  /** Fails the test when the books do not balance. */
  verify(): Promise<void>
}

export async function openSessionBed(): Promise<SessionBed> {
  const vendor = createStandIn()
  const bed = await openCallBed()
  const parts: SessionDeps = {
    database: bed.database,
    now: bed.clock,
    boxFor: (service) => (service === 'boxa' && session.hasWay ? vendor.box : null),
  }
  const driver = createMeteredSessions(parts)
  const { signal } = new AbortController()

  const session: SessionBed = {
    bed,
    parts,
    driver,
    vendor,
    calls: withSessions(bed.calls, parts),
    hasWay: true,
    owner: () => ({ accountId: bed.caller.accountId, mode: 'live', keyId: null, scope: 'account' }),
    async open(body = {}, extra = {}) {
      const { body: text, charged } = await runCall(
        session.calls,
        bed.request('boxa', 'create_session', body, extra),
      )
      assert.equal(charged, 0n)
      return (JSON.parse(text) as { data: { session_id: string } }).data.session_id
    },
    run: (id, who = session.owner()) => driver.execute(who, id, { command: 'true' }, signal),
    async pass(minutes, id) {
      for (let minute = 0; minute < minutes; minute += 1) {
        bed.clock.advance(MINUTE_MS)
        await maintainSessions(parts)
        await tearDownSessions(parts)
        if (id !== undefined) await session.run(id).catch(() => undefined)
      }
    },
    async set(table, id, change) {
      await bed.database.query(`update ${table} set ${change} where id = $1`, [id])
    },
    stateOf: (id) => stateOfSession(bed, id),
    spendDownTo: (rest) => spendDownTo(bed, rest),
    async verify() {
      assert.deepEqual((await verifyLedger(bed.database)).findings, [])
    },
  }
  return session
}

export async function stateOfSession({ database }: CallBed, id: string): Promise<SessionState> {
  const { rows } = await database.query<SessionState>(
    'select close_reason as reason, charged_micros as charged from compute_sessions where id = $1',
    [parsePublicId('session', id)],
  )
  return rows[0] ?? assert.fail('there is such a session')
}

/** Spends the balance down to `left`. */
export async function spendDownTo(
  { calls, caller, clock, balance }: CallBed,
  rest: bigint,
): Promise<void> {
  const amount = (await balance()).balance - rest
  const hold = await calls.ledger.hold({
    id: newId(clock()),
    walletId: caller.walletId,
    budgetId: caller.budgetId,
    amount,
    deadlineMs: clock() + MINUTE_MS,
    kind: 'call',
    service: 'x',
    action: 'x',
    externalId: null,
    claim: null,
  })
  assert.ok(hold.opened)
  await calls.ledger.resolve({ hold, charge: amount, latencyMs: 0, errorCode: null, hops: null })
}
