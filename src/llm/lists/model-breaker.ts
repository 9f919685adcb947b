/** A breaker before each model of an upstream: one that fails again and again is passed over, and the next one is asked at once. */
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { FAIR_TIME_MS, type Breaker, type BreakerCall } from '../../upstream/limits/breaker.ts'
import type { ModelUpstream } from '../ask/upstream.ts'

type AskedModel = {
  readonly id: string
  readonly upstream: Pick<ModelUpstream, 'name' | 'breakers'>
}
type Attempt<Opened> = {
  readonly candidate: AskedModel
  readonly accountId: string
  readonly givenMs: number
  readonly now: Clock
  readonly isGone: () => boolean
  readonly open: () => Promise<Opened | AppError>
}

/** What `open` brings, or AppError upstream_busy without asking while the model is left alone. */
export async function unlessLeftAlone<Opened>({
  candidate,
  accountId,
  givenMs,
  now,
  isGone,
  open,
}: Attempt<Opened>): Promise<Opened | AppError> {
  const breaker = candidate.upstream.breakers?.of(candidate.id)
  if (breaker === undefined) return open()
  const restMs = breaker.restMs(accountId, now())
  if (restMs > 0) return leftAlone(candidate, restMs)
  const call = { isProbe: !breaker.isClosedFor(accountId), accountId }
  if (call.isProbe) breaker.probe(accountId)
  const opened = await open()
  if (isGone()) breaker.undecided(call)
  else learn(breaker, call, opened, { givenMs, nowMs: now() })
  return opened
}

function learn(
  breaker: Breaker,
  call: BreakerCall,
  opened: unknown,
  { givenMs, nowMs }: { readonly givenMs: number; readonly nowMs: number },
): void {
  const code = opened instanceof AppError ? opened.code : null
  if (code === 'upstream_timeout' && givenMs < FAIR_TIME_MS) breaker.undecided(call)
  else if (code === 'upstream_timeout' || code === 'upstream_error') breaker.failed(call, nowMs)
  else breaker.answered(call, nowMs)
}

function leftAlone({ id, upstream }: AskedModel, restMs: number): AppError {
  return new AppError(
    'upstream_busy',
    `"${id}" has failed several times in a row and is left alone for a moment. Nothing was charged.`,
    {
      details: {
        upstream: { service: upstream.name, model: id, status: null, code: null, message: null },
      },
      retryAfterSeconds: Math.max(1, Math.ceil(restMs / 1000)),
    },
  )
}
