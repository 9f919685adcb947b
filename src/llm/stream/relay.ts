import { AppError } from '../../errors/app-error.ts'
import { CallerGone, type CallerLine } from '../ask/caller-line.ts'
import type { UpstreamCall } from '../ask/upstream-call.ts'

/**
 * How a stream ended: whole, broken off, or cancelled because the caller left. `isUpstreams`: the upstream broke off by
 * itself. Otherwise its time was over, or the caller had stopped reading or left, and the upstream charges what it made.
 */
export type RelayEnd =
  | { readonly kind: 'whole' }
  | { readonly kind: 'broken'; readonly error: unknown; readonly isUpstreams: boolean }
  | { readonly kind: 'left' }

export type RelayOptions = {
  readonly limitMs: number
  /** For the usage, once the answer is finished. */
  readonly usageMs: number
  readonly record: (events: Buffer) => void
  /** The answer is made for a repeat too, so a caller who leaves changes nothing about it. */
  readonly isStored: boolean
}

/** Passes events on as they come until the upstream ends, at the pace of the caller while there is one. Never throws. */
export function relay(
  call: UpstreamCall,
  line: CallerLine,
  { limitMs, usageMs, record, isStored }: RelayOptions,
): Promise<RelayEnd> {
  return new Promise((resolve) => {
    let isOutOfTime = false
    const timer = setTimeout(() => {
      isOutOfTime = true
      call.abort(new AppError('upstream_timeout', 'The answer took longer than an answer may.'))
    }, limitMs)
    let usageTimer: NodeJS.Timeout | undefined
    let hasPaused = false
    let wordsAfterFinish = 0
    line.onDrain(() => call.resume())
    line.onGone(() => call.resume())
    call.pipe({
      pass(events) {
        record(events)
        const isTaken = line.write(events)
        const hasEnded = call.isFinished && call.filter.wordsAfterFinish === wordsAfterFinish
        wordsAfterFinish = call.filter.wordsAfterFinish
        if (hasEnded) {
          // Little follows, and that is what the answer costs: it is read whether or not the caller reads.
          usageTimer ??= setTimeout(
            () =>
              call.abort(
                new AppError('upstream_timeout', 'The upstream did not report the usage in time.'),
              ),
            usageMs,
          )
          call.resume()
          return
        }
        clearTimeout(usageTimer)
        usageTimer = undefined
        if (!isTaken) {
          hasPaused = true
          call.pause()
        }
      },
      ended(error) {
        clearTimeout(timer)
        clearTimeout(usageTimer)
        resolve(endOf(call, error, !isOutOfTime && !hasPaused && (!line.isGone || isStored)))
      },
    })
  })
}

/** `isUpstreams`: neither the caller nor the gateway gave it cause to break off. */
function endOf(
  { filter, delivered }: UpstreamCall,
  error: unknown,
  isUpstreams: boolean,
): RelayEnd {
  if (error instanceof CallerGone) return { kind: 'left' }
  if (filter.error !== null) return { kind: 'broken', error: filter.error, isUpstreams: true }
  if (filter.isDone && !delivered.hasBegun)
    return {
      kind: 'broken',
      error: new AppError('upstream_error', 'The upstream answered without any choice.'),
      isUpstreams: true,
    }
  // Some upstreams send no end mark, and some connections break right before it; an answer that said why it stopped is whole.
  if (filter.isDone || delivered.isFinished || (filter.isReported && delivered.hasWords))
    return { kind: 'whole' }
  const isStopped = error instanceof AppError && error.code === 'shutting_down'
  return {
    kind: 'broken',
    error: error ?? new AppError('upstream_error', 'The upstream ended its answer early.'),
    isUpstreams: isUpstreams && !isStopped,
  }
}
