/** Runs test files in worker processes. Most files share a process: each worker takes the next file when it is free. */
import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { TestFiles } from './files.ts'
import type { Assignment, Message } from './messages.ts'

const root = join(import.meta.dirname, '../..')
const WORKER = join(import.meta.dirname, 'worker.ts')
const REPORTER = join(import.meta.dirname, 'reporter.ts')

export type Limits = {
  /** Of a test that names no limit of its own. */
  readonly testMs: number
  readonly fileMs: number
  /** Of a worker to exit after its last file. */
  readonly exitMs: number
}

export type Run = {
  readonly files: TestFiles
  readonly workers: number
  readonly limits: Limits
  /** Added to the environment of the workers. */
  readonly env: Readonly<Record<string, string>>
  /** The folder that the names of the files start from; the repository when left out. */
  readonly folder?: string
  readonly signal: AbortSignal
  readonly onMessage: (message: Message) => void
}

/** Resolves when every file has run. A file whose worker ends or hangs is reported as a failed test. */
export async function runFiles(run: Run): Promise<void> {
  const { names, inOwnProcess } = run.files
  // A file with its own process needs a new worker, so these files come first.
  const queue = [
    ...names.filter((name) => inOwnProcess.has(name)),
    ...names.filter((name) => !inOwnProcess.has(name)),
  ]
  await Promise.all(
    Array.from({ length: Math.min(run.workers, queue.length) }, async () => {
      while (queue.length > 0 && !run.signal.aborted) await runWorker(run, queue)
    }),
  )
}

/** Runs files of `queue` in one worker, until the queue is empty, the worker ends or the next file needs its own. */
async function runWorker(run: Run, queue: string[]): Promise<void> {
  const { limits, signal, onMessage } = run
  const worker = startWorker(run)
  const taken: string[] = []
  let isFileRunning = false
  let hasFailed = false
  let reason: string | null = null
  let timer: NodeJS.Timeout | undefined
  const fail = (file: string, error: string): void => onMessage(failureOf(file, error))
  const killAfter = (ms: number, why: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      reason = why
      worker.kill('SIGKILL')
    }, ms)
  }
  const stop = (): boolean => worker.kill()
  signal.addEventListener('abort', stop)
  worker.on('message', (message: Message) => {
    if (message.kind === 'test' && message.result.outcome === 'failed') hasFailed = true
    if (message.kind !== 'ready') return onMessage(message)
    const file = nextFor(run.files, queue, taken.at(-1))
    isFileRunning = file !== null
    if (file === null) killAfter(limits.exitMs, 'left its process open')
    else {
      taken.push(file)
      killAfter(limits.fileMs, `did not end within ${limits.fileMs / 60_000} minutes`)
    }
    worker.send({ file } satisfies Assignment)
  })
  const exit = await new Promise<number | NodeJS.Signals | null>((resolve) =>
    worker.on('close', (code, killedBy) => resolve(killedBy ?? code)),
  )
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
  if (signal.aborted) return
  const ended = `ended its process with ${exit}`
  if (isFileRunning) fail(taken.at(-1) ?? 'the worker', reason ?? ended)
  else if (reason !== null || (exit !== 0 && !hasFailed)) fail(taken.join(', '), reason ?? ended)
}

/** Takes the next file of the queue, unless it or the file before runs in its own process. */
function nextFor(
  { inOwnProcess }: TestFiles,
  queue: string[],
  last: string | undefined,
): string | null {
  const next = queue[0]
  if (next === undefined) return null
  if (last !== undefined && (inOwnProcess.has(last) || inOwnProcess.has(next))) return null
  queue.shift()
  return next
}

function startWorker({ limits, env, folder = root }: Run): ChildProcess {
  return fork(WORKER, [folder], {
    cwd: root,
    execArgv: [
      '--disable-warning=ExperimentalWarning',
      `--test-timeout=${limits.testMs}`,
      `--test-reporter=${REPORTER}`,
      '--test-reporter-destination=stdout',
    ],
    env: { ...process.env, ...env },
  })
}

function failureOf(file: string, error: string): Message {
  return {
    kind: 'test',
    result: {
      path: [file],
      place: `${file}:1:1`,
      outcome: 'failed',
      ms: 0,
      error: `${file} ${error}.`,
    },
  }
}
