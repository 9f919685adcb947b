import { AppError } from '../errors/app-error.ts'
import { CallerGone, type CallerLine } from './caller-line.ts'
import type { UpstreamCall } from './upstream-call.ts'

/** How a stream ended: whole, broken off by the upstream or by its time, or given up by the caller. */
export type RelayEnd = { readonly kind: 'whole' } | { readonly kind: 'broken'; readonly error: unknown } | { readonly kind: 'gone' }

/** Passes events on as they come, at the pace of the caller, until either end stops. Never throws. */
export function relay(call: UpstreamCall, line: CallerLine, options: { readonly limitMs: number; readonly record: (events: Buffer) => void }): Promise<RelayEnd> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => call.abort(new AppError('upstream_timeout', 'The answer took longer than an answer may.')), options.limitMs)
    line.onDrain(() => call.resume())
    line.onGone(() => call.abort(new CallerGone()))
    call.pipe({
      pass(events) {
        options.record(events)
        if (!line.write(events)) call.pause()
      },
      ended(error) {
        clearTimeout(timer)
        resolve(endOf(call, error))
      },
    })
  })
}

function endOf({ filter, delivered }: UpstreamCall, error: unknown): RelayEnd {
  if (error instanceof CallerGone) return { kind: 'gone' }
  if (filter.error !== null) return { kind: 'broken', error: filter.error }
  if (filter.isDone && !delivered.hasBegun) return { kind: 'broken', error: new AppError('upstream_error', 'The upstream answered without any choice.') }
  // Some upstreams send no end mark, and some connections break right before it; an answer that said why it stopped is whole.
  if (filter.isDone || delivered.isFinished || (filter.isReported && delivered.hasWords)) return { kind: 'whole' }
  return { kind: 'broken', error: error ?? new AppError('upstream_error', 'The upstream ended its answer early.') }
}
