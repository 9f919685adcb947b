/** A process dies, or its responses are lost, at every step of a browser session. Other processes recover it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBrowserVendor } from '../../../test/harness/vendors/browser-vendor.ts'
import { openCallBed, type CallBed } from '../../../test/harness/beds/calls.ts'
import {
  STEP_FAILURES,
  createFailingSteps,
  type StepFailure,
} from '../../../test/harness/failing-process.ts'
import { sampleSteps } from '../../../test/harness/sample.ts'
import { AppError } from '../../errors/app-error.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { cents } from '../../lib/money.ts'
import { endBrowsers } from '../../resources/browsers/end-browsers.ts'
import type { Calls } from '../call.ts'
import { runCall } from '../run.ts'

const MINUTE_MS = 60_000

type Step = ReturnType<typeof createFailingSteps>['step']

async function answerOf(
  bed: CallBed,
  calls: Calls,
  action: string,
  input: object,
  key: string | null,
): Promise<Record<string, unknown>> {
  const { body } = await runCall(
    calls,
    bed.request('browser', action, input, {
      idempotency: key === null ? null : { key, fingerprint: 'aa' },
    }),
  )
  return (JSON.parse(body) as { data: Record<string, unknown> }).data
}

const open = (bed: CallBed, calls: Calls) =>
  answerOf(bed, calls, 'create_session', { estimatedMinutes: 10 }, 'open')
const extend = (bed: CallBed, calls: Calls, session_id: unknown) =>
  answerOf(bed, calls, 'extend_session', { session_id, estimatedMinutes: 10 }, 'extend')

async function live(bed: CallBed, calls: Calls): Promise<void> {
  const { sessionId } = await open(bed, calls)
  bed.clock.advance(5 * MINUTE_MS)
  await extend(bed, calls, sessionId)
  bed.clock.advance(5 * MINUTE_MS)
  await endBrowsers({
    database: calls.database,
    now: calls.now,
    target: calls.lanes.targetOf('browser'),
  })
  await answerOf(bed, calls, 'release_session', { session_id: sessionId }, null)
}

/** The same calls, where each step and each vendor request can be the last. */
function fatefulCalls({ calls }: CallBed, step: Step): Calls {
  const { database, ledger } = calls
  return {
    ...calls,
    database: {
      ...database,
      query: (...asked) => step(() => database.query(...asked)) as never,
      transaction: (work) => step(() => database.transaction(work)),
    },
    ledger: {
      ...ledger,
      hold: (request) => step(() => ledger.hold(request)),
      resolve: (resolution) => step(() => ledger.resolve(resolution)),
    },
  }
}

async function liveUntil(fate: StepFailure): Promise<boolean> {
  const bed = await openCallBed()
  const vendor = createBrowserVendor(bed.clock)
  const fateOf = createFailingSteps(fate)
  bed.vendor.answerWith((request) =>
    fateOf.step(async () => vendor.answer(request)).catch(() => 'reset'),
  )
  const life = live(bed, fatefulCalls(bed, fateOf.step)).catch((error: unknown) =>
    assert.ok(error instanceof AppError, String(error)),
  )
  await Promise.race([life, fateOf.dead])

  const told = JSON.stringify(fate)
  bed.vendor.answerWith(vendor.answer)
  const target = bed.calls.lanes.targetOf('browser')
  for (let minutes = 0; minutes < 25; minutes += 1) {
    bed.clock.advance(MINUTE_MS)
    await bed.calls.ledger.sweep()
    await endBrowsers({ database: bed.database, now: bed.clock, target })
    // Every session at the vendor is paid for, or searched for after its call.
    const { rows } = await bed.database.query<{ session: string }>(
      'select session from browser_sessions where ended_ms is null and session is not null',
    )
    if (minutes > 3)
      assert.deepEqual(
        vendor.living(),
        rows.map(({ session }) => session),
        told,
      )
  }
  const { rows: standing } = await bed.database.query(
    'select from browser_sessions where ended_ms is null or not is_torn_down',
  )
  const sold = (await bed.transactions()).filter(({ status }) => status === 'settled')
  assert.deepEqual(
    [standing.length, vendor.living(), await bed.balance()],
    [0, [], { balance: 2_000_000n - BigInt(sold.length) * cents('2'), held: 0n }],
    told,
  )
  assert.deepEqual((await verifyLedger(bed.database)).findings, [], told)
  // A caller without a response retries. A paid part is not paid again, and an unpaid part is sold then.
  const { sessionId } = await open(bed, bed.calls)
  // A sold session has ended by now and is not extended.
  if (sold.length !== 1) await extend(bed, bed.calls, sessionId)
  assert.equal(
    (await bed.balance()).balance,
    2_000_000n - cents(sold.length === 1 ? '2' : '4'),
    told,
  )
  return fateOf.hasCome()
}

for (const [fails, fate] of STEP_FAILURES) {
  test(`charges the sold minutes if a process ${fails} a step`, async () => {
    const { first, stride } = sampleSteps(9)
    let atStep = 1 + first
    while (await liveUntil({ ...fate, atStep })) atStep += stride
    assert.ok(atStep > 10, `${atStep} steps`)
  })
}
