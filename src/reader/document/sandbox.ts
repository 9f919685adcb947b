import { fork, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../errors/app-error.ts'
import { createSlots, type SlotUse, type Visitor } from '../../lib/fairness/fair-slots.ts'
import { cpuTimeOf } from '../extract/process-cpu.ts'
import type { ParseAnswer, ParseRequest } from './document.ts'

export type DocumentSandbox = {
  /**
   * Rejects with `overloaded` or `rate_limited` if too many documents wait, and with the signal's
   * reason. A document that exceeds the limits is a fault. `spent` receives the CPU time, also of a
   * document whose reading was interrupted.
   */
  parse(
    request: ParseRequest,
    visitor: Visitor,
    spent?: (cpuMs: number) => void,
  ): Promise<ParseAnswer>
  use(): SlotUse
  close(): Promise<void>
}
export type SandboxSettings = {
  readonly workers: number
  readonly limits?: Partial<SandboxLimits> | undefined
  /** The module of the process; another one in tests. */
  readonly worker?: string | undefined
}
export type SandboxLimits = {
  /** CPU time; wall time where the system does not report it. */
  readonly cpuMs: number
  readonly wallMs: number
  readonly heapMiB: number
  /** All memory, including buffers outside the heap. */
  readonly memoryMiB: number
}

const LIMITS: SandboxLimits = { cpuMs: 20_000, wallMs: 60_000, heapMiB: 768, memoryMiB: 1_536 }
const WAITING = 40
const CHECK_MS = 250
const STACK_KB = 5_000
const SOURCE = join(import.meta.dirname, '../..')
const MODULES = join(SOURCE, '../node_modules')
const WORKER = join(import.meta.dirname, 'document-worker.ts')
const PAGE_BYTES = 4_096

/**
 * Parses each document in a process of its own, which reads only the gateway's code: no
 * other files, no network, no further processes, no environment and no code made from text. Time
 * and memory are limited; a document beyond the limits ends its process and fails.
 */
export function createDocumentSandbox(settings: SandboxSettings): DocumentSandbox {
  const limits = { ...LIMITS, ...settings.limits }
  const places = Math.max(1, settings.workers)
  const slots = createSlots({
    places,
    waiting: WAITING,
    what: 'document reading',
  })
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  return {
    async parse(request, visitor, spent) {
      const signal = AbortSignal.any([visitor.signal, closing.signal])
      const release = await slots.take({ accountId: visitor.accountId, signal })
      const work = runOnce(settings.worker ?? WORKER, request, { limits, signal, spent }).finally(
        release,
      )
      running.add(work)
      return work.finally(() => running.delete(work))
    },
    use: slots.use,
    async close() {
      closing.abort(new AppError('shutting_down'))
      await Promise.allSettled(running)
    },
  }
}

function startWorker(module: string, { heapMiB }: SandboxLimits): ChildProcess {
  return fork(module, {
    execArgv: [
      '--permission',
      `--allow-fs-read=${SOURCE}`,
      `--allow-fs-read=${MODULES}`,
      `--allow-fs-read=${join(SOURCE, '../package.json')}`,
      '--disallow-code-generation-from-strings',
      '--disable-warning=ExperimentalWarning',
      '--disable-warning=SecurityWarning',
      `--max-old-space-size=${heapMiB}`,
      `--stack-size=${STACK_KB}`,
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

type Terms = {
  readonly limits: SandboxLimits
  readonly signal: AbortSignal
  readonly spent: ((cpuMs: number) => void) | undefined
}

async function runOnce(
  module: string,
  request: ParseRequest,
  { limits, signal, spent }: Terms,
): Promise<ParseAnswer> {
  signal.throwIfAborted()
  const worker = startWorker(module, limits)
  const startedMs = performance.now()
  let cpuMs = 0
  const { promise, resolve, reject } = Promise.withResolvers<ParseAnswer>()
  const tooMuch = (what: string): void =>
    resolve({ kind: 'fault', code: 'too_complex', detail: `The document needs more than ${what}.` })
  const abort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  worker.on('message', (answer) => resolve(answer as ParseAnswer))
  worker.on('error', () => tooMuch('this gateway can start processes for'))
  // V8 ends a process that exhausts its heap.
  worker.on('exit', () => tooMuch('the memory that reading a document may use'))
  worker.send(request, () => undefined)
  const watching = setInterval(() => {
    const elapsedMs = performance.now() - startedMs
    // A process that has ended reports no time.
    cpuMs = Math.max(
      cpuMs,
      cpuTimeOf(worker.pid) ??
        (worker.exitCode === null && worker.signalCode === null ? elapsedMs : 0),
    )
    if (cpuMs > limits.cpuMs || elapsedMs > limits.wallMs)
      tooMuch(`${limits.cpuMs / 1_000} seconds to read`)
    void memoryMiBOf(worker.pid).then((used) => {
      if (used > limits.memoryMiB) tooMuch('the memory that reading a document may use')
    })
  }, CHECK_MS)
  try {
    return await promise
  } finally {
    clearInterval(watching)
    signal.removeEventListener('abort', abort)
    spent?.(Math.max(cpuMs, cpuTimeOf(worker.pid) ?? 0))
    worker.kill('SIGKILL')
  }
}

/** All memory of a process on Linux; 0 elsewhere and after its end. */
async function memoryMiBOf(pid: number | undefined): Promise<number> {
  const fields = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return (Number(fields.split(' ')[1] ?? 0) * PAGE_BYTES) / 1024 ** 2
}
