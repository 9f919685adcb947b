import { AppError } from '../../errors/app-error.ts'
import { CallerDisconnected, type CallerLine } from '../ask/caller-line.ts'
import type { UpstreamCall } from '../ask/upstream-call.ts'

/**
 * The outcome of a stream: complete, ended early, or cancelled because the caller disconnected.
 * `isUpstreams`: the upstream caused the early end. Otherwise its time limit passed, or the caller
 * stopped reading or disconnected, and the upstream charges what it generated.
 */
export type RelayEnd =
  | { readonly kind: 'whole' }
  | { readonly kind: 'broken'; readonly error: unknown; readonly isUpstreams: boolean }
  | { readonly kind: 'left' }

export type RelayOptions = {
  readonly limitMs: number
  /** For the usage after the response is finished. */
  readonly usageMs: number
  /** The events for the caller, or null. */
  readonly convert: (events: Buffer) => Buffer | null
  /**
   * The response is also made for repeated requests, so it completes after the caller disconnects.
   */
  readonly isStored: boolean
}

/**
 * Forwards events until the upstream ends, at the pace of the caller while it is connected. Never
 * throws.
 */
export function relay(
  call: UpstreamCall,
  line: CallerLine,
  { limitMs, usageMs, convert, isStored }: RelayOptions,
): Promise<RelayEnd> {
  return new Promise((resolve) => {
    let isOutOfTime = false
    const timer = setTimeout(() => {
      isOutOfTime = true
      call.abort(new AppError('upstream_timeout', 'The response exceeded its time limit.'))
    }, limitMs)
    let usageTimer: NodeJS.Timeout | undefined
    let hasPaused = false
    let wordsAfterFinish = 0
    line.onDrain(() => call.resume())
    line.onDisconnect(() => call.resume())
    call.pipe({
      pass(events) {
        const converted = convert(events)
        const isTaken = converted === null || line.write(converted)
        const hasEnded = call.isFinished && call.filter.wordsAfterFinish === wordsAfterFinish
        wordsAfterFinish = call.filter.wordsAfterFinish
        if (hasEnded) {
          // Only the usage follows, which is the cost of the response: it is read even if the
          // caller does not read.
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
        resolve(
          endOf(call, error, !isOutOfTime && !hasPaused && (!line.isDisconnected || isStored)),
        )
      },
    })
  })
}

/** `isUpstreams`: neither the caller nor the gateway caused an early end. */
function endOf(
  { filter, delivered }: UpstreamCall,
  error: unknown,
  isUpstreams: boolean,
): RelayEnd {
  if (error instanceof CallerDisconnected) return { kind: 'left' }
  if (filter.error !== null) return { kind: 'broken', error: filter.error, isUpstreams: true }
  if (filter.isDone && !delivered.hasBegun)
    return {
      kind: 'broken',
      error: new AppError('upstream_error', 'The upstream returned no choices.'),
      isUpstreams: true,
    }
  // Some upstreams send no end mark, and some connections end right before it. A response with all
  // its finish reasons is complete.
  if (filter.isDone || delivered.isFinished || (filter.isReported && delivered.hasWords))
    return { kind: 'whole' }
  const isStopped = error instanceof AppError && error.code === 'shutting_down'
  return {
    kind: 'broken',
    error: error ?? new AppError('upstream_error', 'The upstream ended its response early.'),
    isUpstreams: isUpstreams && !isStopped,
  }
}
