/** A process dies, or its responses are lost, at every step of a session. Other processes recover it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCallBed, withSessions, type CallBed } from '../../../test/harness/beds/calls.ts'
import {
  STEP_FAILURES,
  createFailingSteps,
  failingDeps,
  type StepFailure,
} from '../../../test/harness/failing-process.ts'
import { sampleSteps } from '../../../test/harness/sample.ts'
import { createStandIn } from '../../../test/harness/vendors/stand-in-box.ts'
import { AppError } from '../../errors/app-error.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { maintainSessions } from '../../resources/sessions/maintain-sessions.ts'
import { createMeteredSessions } from '../../resources/sessions/metered-sessions.ts'
import type { SessionDeps } from '../../resources/sessions/session-deps.ts'
import { tearDownSessions } from '../../resources/sessions/tear-down.ts'
import { runCall } from '../run.ts'

const MINUTE_MS = 60_000
const PER_HOUR = 100_000n
/** Two stretches, and the time without use. */
const LONGEST_MINUTES = 60n

async function live(bed: CallBed, parts: SessionDeps): Promise<void> {
  const owner = {
    accountId: bed.caller.accountId,
    mode: 'live' as const,
    keyId: null,
    scope: 'account' as const,
  }
  const driver = createMeteredSessions(parts)
  const { body } = await runCall(
    withSessions(bed.calls, parts),
    bed.request('boxa', 'create_session', {}, { idempotency: { key: 'one', fingerprint: 'aa' } }),
  )
  const { session_id: id } = (JSON.parse(body) as { data: { session_id: string } }).data
  bed.clock.advance(9.5 * MINUTE_MS)
  await maintainSessions(parts)
  await driver.execute(owner, id, { command: 'true' }, new AbortController().signal)
  bed.clock.advance(3 * MINUTE_MS)
  await driver.close(owner, id)
  await tearDownSessions(parts)
}

async function liveUntil(fate: StepFailure): Promise<boolean> {
  const bed = await openCallBed()
  const vendor = createStandIn()
  const fateOf = createFailingSteps(fate)
  const life = live(bed, failingDeps(bed, vendor, fateOf)).catch((error: unknown) =>
    assert.ok(error instanceof AppError, String(error)),
  )
  await Promise.race([life, fateOf.dead])

  const others: SessionDeps = { database: bed.database, now: bed.clock, boxFor: () => vendor.box }
  for (let minutes = 0; minutes < 60; minutes += 3) {
    bed.clock.advance(3 * MINUTE_MS)
    await maintainSessions(others)
    await tearDownSessions(others)
    await bed.calls.ledger.sweep()
  }
  const told = JSON.stringify(fate)
  const { rows } = await bed.database.query<{ charged: bigint; open: bigint; standing: bigint }>(
    'select coalesce(sum(charged_micros), 0)::bigint as charged, count(*) filter (where closed_ms is null) as open, count(*) filter (where not is_torn_down) as standing from compute_sessions',
  )
  const { charged = -1n, open, standing } = rows[0] ?? {}
  assert.deepEqual(
    { open, standing, living: vendor.living(), ...(await bed.balance()) },
    { open: 0n, standing: 0n, living: [], balance: 2_000_000n - charged, held: 0n },
    told,
  )
  assert.ok(charged <= (PER_HOUR * LONGEST_MINUTES) / 60n, `${told}: ${charged}`)
  assert.deepEqual((await verifyLedger(bed.database)).findings, [], told)
  // A caller without a response retries, and then has one session.
  if (charged === 0n)
    await runCall(
      withSessions(bed.calls, others),
      bed.request('boxa', 'create_session', {}, { idempotency: { key: 'one', fingerprint: 'aa' } }),
    )
  return fateOf.hasCome()
}

for (const [fails, fate] of STEP_FAILURES) {
  test(`ends a session, its machine and its hold if a process ${fails} a step`, async () => {
    const { first, stride } = sampleSteps(5)
    let atStep = 1 + first
    while (await liveUntil({ ...fate, atStep })) atStep += stride
    assert.ok(atStep > 8, `${atStep} steps`)
  })
}
