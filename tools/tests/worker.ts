/** A process of `npm test`. Runs the test files that the runner sends, one after another, each as a test of its root. */
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { restartIds } from '../../src/lib/ids.ts'
import { runCleanUp } from '../../test/harness/clean-up.ts'
import type { Assignment, Message } from './messages.ts'
import { requireAssertions } from './require-assertions.ts'

/** Overrides the limit of a test, because a file has many. The runner ends a worker whose file takes too long. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1
const [, , folder = ''] = process.argv

/** Null after the last file. */
function nextFile(): Promise<string | null> {
  return new Promise((resolve) => {
    process.once('message', (message) => resolve((message as Assignment).file))
    process.send?.({ kind: 'ready' } satisfies Message)
  })
}

// A test may wait for a timer that does not keep the process alive.
const alive = setInterval(() => undefined, 60_000)
for (let file = await nextFile(); file !== null; file = await nextFile()) {
  const { href } = pathToFileURL(join(folder, file))
  // The clock of this file may be behind that of the file before.
  restartIds()
  await test(file, { timeout: LONGEST_TIMEOUT_MS }, async (context: TestContext) => {
    requireAssertions(context)
    context.after(runCleanUp)
    const loaded = Promise.withResolvers<void>()
    // Node ends a test whose first subtests ended, even when a later top-level await of the file adds more of them.
    void suite('loads', () => loaded.promise)
    await import(href).finally(loaded.resolve)
  })
}
clearInterval(alive)
process.disconnect()
