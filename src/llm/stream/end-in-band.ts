import { failStream } from '../../calls/ways/stream.ts'
import { AppError } from '../../errors/app-error.ts'
import type { CallerLine } from '../ask/caller-line.ts'
import type { ActiveCompletion } from '../bill/active-completion.ts'
import { callerFormat } from '../wires/caller-formats.ts'

/** Ends a stream that started and failed before its first event with the error of its API. */
export async function endInBand(
  { held, labels, request }: ActiveCompletion,
  line: CallerLine,
  error: unknown,
): Promise<void> {
  const writer = callerFormat(request, request.own?.wire ?? 'chat').createWriter(request.model)
  // Released before the caller has the end. If this fails, the sweep releases the hold.
  if (error instanceof AppError && !held.isResolved) await held.release(error.code).catch(() => {})
  await failStream(held, error, (failure) => {
    labels.brokenOff = failure.code
    line.end(Buffer.from(writer.fail(failure)), 0n)
  })
}
