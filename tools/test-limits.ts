/** How long a test may take, so that a run in which something hangs fails and names it. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Of a test. Its file may take twice as long, the whole run six times. */
const DEFAULT_MINUTES = 10

/** Flags for node's runner. `TEST_MINUTES` is for runs that are made longer on purpose. */
export function limitFlags(
  minutes = Number(process.env['TEST_MINUTES'] ?? DEFAULT_MINUTES),
): string[] {
  // The runner's own limit ends neither a file that keeps something open, nor a hook, nor a test that never gives its thread back.
  return [
    `--test-timeout=${Math.ceil(minutes * 60_000)}`,
    `--import=${pathToFileURL(join(import.meta.dirname, 'end-when-late.ts')).href}?file=${2 * minutes}&run=${6 * minutes}`,
  ]
}
