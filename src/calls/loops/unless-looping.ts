import type { Call, CallAnswer, Calls, Way } from '../call.ts'
import { claimFor, toReplay } from '../idempotency/claim.ts'
import { stopLoop } from './stop-loop.ts'

/**
 * A way that first checks whether a call continues a loop of its key. Buyers without an account
 * share one key, so they are not checked.
 */
export function unlessLooping(run: Way['run']): Way['run'] {
  return (calls, call) => {
    const stopping = call.request.isSold === true ? null : stopLoopOf(calls, call)
    return stopping === null ? run(calls, call) : runAfter(stopping, () => run(calls, call))
  }
}

function stopLoopOf(calls: Calls, { request, entry, input, confirmLoop, amount }: Call) {
  const { id, caller } = request
  // Free calls never count.
  if (caller.breaker !== 'stop' || amount === 0n) return null
  return stopLoop(calls, {
    id,
    caller,
    action: `${entry.service.id}/${entry.name}`,
    input,
    confirm: confirmLoop,
    claim: claimFor(request, calls.now()),
  })
}

async function runAfter(
  stopping: NonNullable<ReturnType<typeof stopLoop>>,
  run: () => Promise<CallAnswer>,
): Promise<CallAnswer> {
  const stored = await stopping
  return stored === null ? run() : toReplay(stored)
}
