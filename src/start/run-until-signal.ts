import { StartError } from '../errors/start-error.ts'

/** Runs a long-lived command: shows a StartError without a stack, and stops in order on SIGTERM or SIGINT. */
export async function runUntilSignal(open: () => Promise<{ close(): Promise<void> }>): Promise<void> {
  let stopping = false
  let opened: { close(): Promise<void> } | undefined
  const stop = async (): Promise<void> => {
    if (stopping) process.exit(1)
    stopping = true
    await opened?.close()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
  try {
    opened = await open()
  } catch (error) {
    process.stderr.write(error instanceof StartError ? `tollgate: ${error.message}\n` : `tollgate could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exit(1)
  }
}
