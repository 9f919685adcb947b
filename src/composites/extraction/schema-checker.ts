import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import { cpuTimeOf } from '../../reader/extract/process-cpu.ts'
import { allButOne, createSlots, type Visitor } from '../../lib/fairness/fair-slots.ts'

/** Without a value, only the schema is compiled. */
export type SchemaTask = { readonly schema: Data; readonly value?: unknown }
export type SchemaReport =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  | { readonly kind: 'bad_schema'; readonly reason: string }

export type SchemaChecker = {
  /**
   * Rejects with `overloaded` or `rate_limited` if too many checks wait, and with the signal's
   * reason. A schema that exceeds the limits is a bad one.
   */
  check(task: SchemaTask, visitor: Visitor): Promise<SchemaReport>
}

const PLACES = 2
const WAITING = 100
/** CPU time; a start takes 0.3 s, the check of an ordinary schema a few milliseconds. */
const CPU_MS = 3_000
const WALL_MS = 30_000
const WATCH_MS = 100
const HEAP_MIB = 128
const SOURCE = join(import.meta.dirname, '../..')
const MODULES = join(SOURCE, '../node_modules')
const WORKER = join(import.meta.dirname, 'schema-worker.ts')

/**
 * Checks the schemas of callers with Ajv, each in a process of its own: schemas with nested
 * references or patterns can take any time and memory. The process has no environment, no network
 * and no files but the gateway's code.
 */
export function createSchemaChecker({
  cpuMs = CPU_MS,
}: { readonly cpuMs?: number } = {}): SchemaChecker {
  const slots = createSlots({
    places: PLACES,
    perAccount: allButOne(PLACES),
    waiting: WAITING,
    what: 'schema checks',
  })
  return {
    async check(task, visitor) {
      const release = await slots.take(visitor)
      return runOnce(task, cpuMs, visitor.signal).finally(release)
    },
  }
}

async function runOnce(
  task: SchemaTask,
  cpuMs: number,
  signal: AbortSignal,
): Promise<SchemaReport> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<SchemaReport>()
  const worker = fork(WORKER, {
    execArgv: [
      '--permission',
      `--allow-fs-read=${SOURCE}`,
      `--allow-fs-read=${MODULES}`,
      `--allow-fs-read=${join(SOURCE, '../package.json')}`,
      '--disable-warning=ExperimentalWarning',
      '--disable-warning=SecurityWarning',
      `--max-old-space-size=${HEAP_MIB}`,
    ],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const abort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  const startedMs = performance.now()
  const watching = setInterval(() => {
    const elapsedMs = performance.now() - startedMs
    if ((cpuTimeOf(worker.pid) ?? elapsedMs) > cpuMs || elapsedMs > WALL_MS)
      resolve({ kind: 'bad_schema', reason: 'it takes too long to check' })
  }, WATCH_MS)
  worker.on('message', (report) => resolve(report as SchemaReport))
  worker.on('error', () => reject(new AppError('overloaded', 'No process for a schema check.')))
  worker.on('exit', () => resolve({ kind: 'bad_schema', reason: 'it takes too much memory' }))
  worker.send(task, () => undefined)
  try {
    return await promise
  } finally {
    clearInterval(watching)
    signal.removeEventListener('abort', abort)
    worker.kill('SIGKILL')
  }
}
