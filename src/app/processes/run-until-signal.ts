import { StartError } from '../../errors/start-error.ts'

// Ctrl-C reaches this process from the terminal, from npm and from the launcher: that is one wish to stop. A later one is
// a second, and does not wait for calls in flight.
const SAME_SIGNAL_MS = 1_000
// Calls in flight, steps of jobs and the built-in PostgreSQL together take less. What is not over by then waits for
// something that does not answer, such as a database that froze or a network that was cut.
const LONGEST_STOP_MS = 5 * 60_000

/** Runs a long-lived command: shows a StartError without a stack, and stops in order on SIGTERM or SIGINT. */
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
        'tollgate: something that it waits for does not answer; it ends without. What it held is released after its deadline.\n',
      )
      process.exit(1)
    }, longestStopMs)
    await opened?.close()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
  // Whoever read the ready line may be gone, or its disk full: no reason to end.
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
