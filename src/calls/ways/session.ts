import { meterOf } from '../../catalog/vocabulary/define.ts'
import type { Entry } from '../../catalog/index.ts'
import { priceOf } from '../../catalog/prices/price.ts'
import { invariant } from '../../errors/app-error.ts'
import { ownerOf, type Caller } from '../../keys/caller.ts'
import { minMicros, MOST_MICROS, type Micros } from '../../lib/money.ts'
import { openSession } from '../../resources/sessions/open-session.ts'
import { findSnapshot } from '../../resources/sessions/snapshot-row.ts'
import { throwUnlessRepeated } from '../idempotency/answers.ts'
import type { Affordable } from '../quote/ceiling.ts'
import { claimOf, replay } from '../idempotency/claim.ts'
import { answerBody } from '../perform/envelope.ts'
import { errorOf } from '../perform/outcome-error.ts'
import { noLane } from '../lanes/no-lane.ts'
import type { CallAnswer, CallRequest, Calls } from '../call.ts'
import { namingSmallerCall } from '../quote/smaller-call.ts'

type AffordableSession = Pick<Affordable, 'input' | 'amount'> & { readonly most: Micros | null }

/** Throws AppError upstream_not_configured where no machine can be had. */
export function requireBox({ sessions }: Calls, { accountId, mode }: Caller, entry: Entry): void {
  if (sessions?.boxFor(entry.service.id, mode, accountId) == null) throw errorOf(noLane(entry))
}

/** Holds for the first stretch of a compute session and has its machine made. The call itself is charged nothing; what the session uses is settled stretch by stretch. */
export async function openSessionCall(
  calls: Calls,
  request: CallRequest,
  entry: Entry,
  { input, amount, most }: AffordableSession,
): Promise<CallAnswer> {
  const { caller, id } = request
  const { sessions } = calls
  const { action } = entry
  const price = priceOf(action, input)
  const meter = meterOf(action)
  invariant(meter !== undefined && price.kind === 'unit', 'a session is sold by the hour')
  invariant(sessions !== undefined, 'a session call is asked for its machine first')
  const claim = claimOf(request, calls.now())
  let snapshot: string | undefined
  try {
    // Before anything is held: a missing snapshot opens no session.
    if (typeof input['snapshot_id'] === 'string')
      snapshot = await findSnapshot(
        calls.database,
        caller,
        entry.service.id,
        input['snapshot_id'],
        calls.now(),
      )
  } catch (error) {
    await throwUnlessRepeated(error, calls.database, claim)
    return replay(calls, request)
  }
  const opened = await openSession(sessions, {
    hold: {
      id,
      walletId: caller.walletId,
      budgetId: caller.budgetId,
      amount,
      service: entry.service.id,
      action: entry.name,
      externalId: caller.externalId,
      claim,
    },
    owner: ownerOf(caller),
    rate: price.rate * BigInt(meter.unitsAnHour),
    use: meter.use,
    // It is written down, and a ceiling may be any number of cents.
    most: most === null ? null : minMicros(most, MOST_MICROS),
    template: input['template'] as string | undefined,
    snapshot,
    envs: (input['envs'] ?? {}) as Readonly<Record<string, string>>,
    answer: (data) =>
      answerBody({
        data,
        untrusted: false,
        charge: 0n,
        requestId: id,
        isTest: caller.mode === 'test',
      }),
  })
  if (opened.verdict === 'repeated') return replay(calls, request)
  if (opened.verdict !== 'opened')
    throw namingSmallerCall(await calls.ledger.refusal(opened.verdict, opened.hold), action, input)
  return { status: 200, body: opened.body, charged: 0n, wallet: null, replayed: false }
}
