/** Preloaded into a gateway under test: on SIGUSR2 it collects all garbage and prints the live size. */
import { setImmediate as turn } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import { invariant } from '../../src/errors/app-error.ts'

export const HEAP_LINE = /^heap after collection: (\d+) bytes$/gm

async function report(): Promise<void> {
  const collect = globalThis.gc
  invariant(collect !== undefined, 'the gateway under test runs with --expose-gc')
  // Objects freed by one collection (finalizers, closed handles) are garbage for the next one.
  for (let time = 0; time < 3; time += 1) {
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    await turn()
  }
  const { heapUsed, external } = process.memoryUsage()
  process.stderr.write(`heap after collection: ${heapUsed + external} bytes\n`)
}

if (isMainThread && globalThis.gc !== undefined) process.on('SIGUSR2', () => void report())
