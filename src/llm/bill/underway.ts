/** A call of a language model between its hold and its settlement. */
import type { StoredAnswer } from '../../calls/idempotency/answers.ts'
import type { RequestEnd } from '../../calls/perform/request-end.ts'
import type { CallLabels } from '../../calls/tally-call.ts'
import type { Hop } from '../../catalog/vocabulary/handlers.ts'
import type { Caller } from '../../keys/caller.ts'
import { assertHeld } from '../../ledger/assert-held.ts'
import type { Hold } from '../../ledger/hold.ts'
import type { Settlement } from '../../ledger/ledger.ts'
import type { Id } from '../../lib/ids.ts'
import type { Bill } from './bill.ts'
import type { Router } from '../ask/create-router.ts'
import type { Prompt } from './prompt-tokens.ts'
import type { CompletionRequest } from '../ask/read-request.ts'

/** What calls of language models are written down as. */
export const SERVICE = 'llm'

export type CompletionCall = {
  readonly id: Id
  readonly caller: Caller
  readonly body: unknown
  /** When the caller stops waiting: no upstream is asked after it. */
  readonly endsMs?: RequestEnd
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null
}

/** A call whose money is held and whose upstream has begun to answer. */
export type Underway = {
  readonly router: Router
  readonly call: CompletionCall
  readonly request: CompletionRequest
  readonly prompt: Prompt
  /** Enlarged where its bill comes to more. */
  hold: Hold
  readonly startedMs: number
  readonly hops: Hop[]
  readonly labels: CallLabels
}

/** Charges the bill and keeps the answer for replay, if there is one. Throws AppError when the hold had been given up. */
export async function settle(
  { router, call, hold, startedMs, hops }: Underway,
  { charge }: Bill,
  stored: StoredAnswer | null = null,
): Promise<Settlement> {
  const settled = await router.ledger.resolve({
    hold,
    charge,
    latencyMs: router.now() - startedMs,
    errorCode: null,
    hops: JSON.stringify(hops),
    answer: stored,
  })
  assertHeld(settled)
  router.tally?.charged(call.caller.mode, SERVICE, settled.charged)
  return settled
}

/** Gives the hold back and frees the idempotency key. A hold that is settled stays so. */
export async function release(
  { router, hold, startedMs, hops }: Underway,
  errorCode: string,
): Promise<void> {
  await router.ledger.resolve({
    hold,
    charge: 0n,
    latencyMs: router.now() - startedMs,
    errorCode,
    hops: hops.length === 0 ? null : JSON.stringify(hops),
  })
}
