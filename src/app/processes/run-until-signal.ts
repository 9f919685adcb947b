import { StartError } from '../../errors/start-error.ts'

// Ctrl-C reaches this process from the terminal, from npm and from the launcher. Signals within
// a second count as one. A later signal ends the process without waiting for calls in flight.
const SAME_SIGNAL_MS = 1_000
// Calls in flight, job steps and the built-in PostgreSQL together take less time. Anything left
// waits for something that does not respond, such as a frozen database or a lost network.
const LONGEST_STOP_MS = 5 * 60_000

/**
 * Runs a long-lived command: prints a StartError without a stack, and stops in order on SIGTERM or
 * SIGINT, and when its launcher ends.
 */
export async function runUntilSignal(
  open: () => Promise<{ close(): Promise<void> }>,
  longestStopMs = LONGEST_STOP_MS,
): Promise<void> {
  let stoppingSinceMs: number | undefined
  let opened: { close(): Promise<void> } | undefined
  const stop = async (): Promise<void> => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSinceMs = performance.now()
    setTimeout(() => {
      process.stderr.write(
        'tollgate: the stop is waiting for something that does not respond; exiting now. Open holds are released after their deadline.\n',
      )
      process.exit(1)
    }, longestStopMs)
    await opened?.close()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
  // The launcher (run.mjs) was killed. A process without one has no channel.
  process.on('disconnect', () => void stop())
  // The reader of the ready line may be gone, or its disk full. That is no reason to exit.
  process.stdout.on('error', () => {})
  try {
    opened = await open()
  } catch (error) {
    process.stderr.write(
      error instanceof StartError
        ? `tollgate: ${error.message}\n`
        : `tollgate could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
    process.exit(1)
  }
}
