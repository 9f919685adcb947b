/**
 * A circuit breaker for each model of an upstream: a failing model is skipped, and the next one is
 * called immediately.
 */
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { FAIR_TIME_MS, type Breaker, type BreakerCall } from '../../upstream/limits/breaker.ts'
import type { ModelUpstream } from '../ask/upstream.ts'

type CalledModel = {
  readonly id: string
  readonly upstream: Pick<ModelUpstream, 'name' | 'breakers'>
}
type Attempt<Opened> = {
  readonly candidate: CalledModel
  readonly accountId: string
  readonly limitMs: number
  readonly now: Clock
  readonly isDisconnected: () => boolean
  readonly open: () => Promise<Opened | AppError>
}

/**
 * Returns the result of `open`, or AppError `upstream_busy` without calling the model while its
 * breaker is open.
 */
export async function openUnlessFailing<Opened>({
  candidate,
  accountId,
  limitMs,
  now,
  isDisconnected,
  open,
}: Attempt<Opened>): Promise<Opened | AppError> {
  const breaker = candidate.upstream.breakers?.of(candidate.id)
  if (breaker === undefined) return open()
  const restMs = breaker.restMs(accountId, now())
  if (restMs > 0) return paused(candidate, restMs)
  const call = { isProbe: !breaker.isClosedFor(accountId), accountId }
  if (call.isProbe) breaker.probe(accountId)
  const opened = await open()
  if (isDisconnected()) breaker.undecided(call)
  else learn(breaker, call, opened, { limitMs, nowMs: now() })
  return opened
}

function learn(
  breaker: Breaker,
  call: BreakerCall,
  opened: unknown,
  { limitMs, nowMs }: { readonly limitMs: number; readonly nowMs: number },
): void {
  const code = opened instanceof AppError ? opened.code : null
  if (code === 'upstream_timeout' && limitMs < FAIR_TIME_MS) breaker.undecided(call)
  else if (code === 'upstream_timeout' || code === 'upstream_error') breaker.failed(call, nowMs)
  else breaker.answered(call, nowMs)
}

function paused({ id, upstream }: CalledModel, restMs: number): AppError {
  return new AppError(
    'upstream_busy',
    `"${id}" has failed several times in a row and is paused for a moment. Nothing was charged.`,
    {
      details: {
        upstream: { service: upstream.name, model: id, status: null, code: null, message: null },
      },
      retryAfterSeconds: Math.max(1, Math.ceil(restMs / 1000)),
    },
  )
}
