import { meterOf } from '../../catalog/vocabulary/define.ts'
import { priceOf } from '../../catalog/prices/price.ts'
import { invariant } from '../../errors/app-error.ts'
import { ownerOf } from '../../keys/caller.ts'
import type { HoldRequest } from '../../ledger/hold.ts'
import { minMicros, MOST_MICROS } from '../../lib/money.ts'
import { openSession, type SessionOrder } from '../../resources/sessions/open-session.ts'
import type { ReadyBox, SessionDeps } from '../../resources/sessions/session-deps.ts'
import { findSnapshot } from '../../resources/sessions/snapshot-row.ts'
import type { Call, CallAnswer, Calls, Way } from '../call.ts'
import { heldAction, holdFor, withHoldOf } from '../charge.ts'
import { replayOrThrow } from '../idempotency/answers.ts'
import { claimFor, toReplay } from '../idempotency/claim.ts'
import { noLane } from '../lanes/no-lane.ts'
import { writeEnvelope } from '../perform/envelope.ts'
import { toAppError } from '../perform/outcome-error.ts'
import { rejectWithSmallerCall } from '../quote/smaller-call.ts'

/** Calls that open a compute session. Opening is charged nothing; usage is settled while the session is open. */
export function createSessionWay(sessions: SessionDeps): Way {
  return {
    takes: ({ entry }) => meterOf(entry.action) !== undefined,
    run: (calls, call) => open(calls, sessions, call),
  }
}

async function open(calls: Calls, sessions: SessionDeps, call: Call): Promise<CallAnswer> {
  const { request, entry, input, amount, maxCost } = call
  const { caller, id } = request
  const { action } = entry
  const price = priceOf(action, input)
  const meter = meterOf(action)
  invariant(meter !== undefined && price.kind === 'unit', 'a session is charged by the hour')
  const claim = claimFor(request, calls.now())
  let box: ReadyBox
  let snapshot: string | undefined
  try {
    box = findBox(sessions, call)
    snapshot = await findRequestedSnapshot(calls, call)
  } catch (error) {
    return toReplay(await replayOrThrow(error, calls.database, claim))
  }
  const holdUntil = (deadlineMs: number): HoldRequest =>
    holdFor(request, heldAction('session', call), { amount, deadlineMs, claim })
  const order: SessionOrder = {
    service: entry.service.id,
    amount,
    holdUntil,
    box,
    owner: ownerOf(caller),
    rate: price.rate * BigInt(meter.unitsPerHour),
    use: box.use ?? meter.use,
    // The database stores it, and a ceiling may be any number of cents.
    most: maxCost === null ? null : minMicros(maxCost, MOST_MICROS),
    template: input['template'] as string | undefined,
    snapshot,
    envs: (input['envs'] ?? {}) as Readonly<Record<string, string>>,
    answer: (data) =>
      writeEnvelope({
        data,
        untrusted: false,
        charge: 0n,
        requestId: id,
        isTest: caller.mode === 'test',
      }),
  }
  let body = ''
  // It does not wait for money: its machine starts before the next call of a queue could be served.
  return withHoldOf<CallAnswer>(
    calls,
    {
      hold: holdUntil(calls.now()),
      replay: toReplay,
      onRejected: (error) => rejectWithSmallerCall(error, action, input),
    },
    async () => {
      const opened = await openSession(sessions, order)
      if (opened.verdict === 'opened') body = opened.body
      return opened.verdict
    },
    () => ({ status: 200, body, charged: 0n, wallet: null, replayed: false }),
  )
}

/** Throws AppError upstream_not_configured when the gateway cannot reach the vendor. */
function findBox({ boxFor }: SessionDeps, { request: { caller }, entry }: Call): ReadyBox {
  const box = boxFor(entry.service.id, caller.mode, caller.accountId)
  if (box === null) throw toAppError(noLane(entry))
  return box
}

/** The vendor's reference of the snapshot in the input. Throws AppError for an unknown one, before any hold. */
async function findRequestedSnapshot(
  { database, now }: Calls,
  { request: { caller }, entry, input }: Call,
): Promise<string | undefined> {
  const id = input['snapshot_id']
  return typeof id === 'string'
    ? findSnapshot(database, caller, entry.service.id, id, now())
    : undefined
}
