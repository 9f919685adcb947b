/** Interpreters in a box that keep their variables from one piece of code to the next. */
import { randomBytes } from 'node:crypto'
import type { AgentConnection, OutputStream, RunningProgram } from './agent-connection.ts'
import { boxGone, type BoxOutput, type RunOptions } from './box-program.ts'
import { BOX_HOME, insidePath, NODE_IN_BOX } from './isolation/layout.ts'
import { createOutput, type Output } from './output.ts'

export const CODE_LANGUAGES = ['python', 'javascript', 'typescript'] as const
export type CodeLanguage = (typeof CODE_LANGUAGES)[number]

const PROGRAMS = {
  python: ['python3', '-u', insidePath('python.py')],
  javascript: [NODE_IN_BOX, '--no-warnings', insidePath('javascript.ts')],
} as const
const [SIGINT, SIGKILL] = [2, 9]
/** Python keeps its variables if the code stops within this time after an interrupt. */
const INTERRUPT_GRACE_MS = 1_000
const STUCK_MS = 2_000
/** Longer than a mark with its exit code. */
const TAIL_BYTES = 128
/** The output of an interpreter is limited by piece of code, not in total. */
const UNLIMITED = 0x7fff_ffff

export type Interpreters = {
  run(language: CodeLanguage, code: string, options: RunOptions): Promise<BoxOutput>
}

/** `onStuck`: an interpreter did not die. */
export function createInterpreters(
  agent: AgentConnection,
  env: Readonly<Record<string, string>>,
  onStuck: () => void,
): Interpreters {
  const running = new Map<string, Interpreters>()
  return {
    run(language, code, options) {
      const program = language === 'python' ? 'python' : 'javascript'
      let interpreter = running.get(program)
      if (interpreter === undefined) {
        const fresh = startInterpreter(agent, PROGRAMS[program], env, {
          onStuck,
          onEnd: () => void (running.get(program) === fresh && running.delete(program)),
        })
        interpreter = fresh
        running.set(program, fresh)
      }
      return interpreter.run(language, code, options)
    },
  }
}

/** A piece of code while it runs. */
type Piece = {
  readonly output: Output
  /** Per stream: the bytes so far, and the last ones, which may be the mark. */
  readonly seen: Record<OutputStream, { total: number; tail: Buffer }>
  readonly end: (exitCode: number | null) => void
  readonly markOf: (tail: Buffer) => { readonly status: number; readonly length: number } | null
}

function startInterpreter(
  agent: AgentConnection,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  on: { readonly onStuck: () => void; readonly onEnd: () => void },
): Interpreters {
  let current: Piece | null = null
  let hasEnded = false
  let last: Promise<unknown> = Promise.resolve()

  function add(stream: OutputStream, bytes: Buffer): void {
    if (current === null) return
    const seen = current.seen[stream]
    seen.total += bytes.length
    seen.tail = Buffer.concat([seen.tail, bytes]).subarray(-TAIL_BYTES)
    current.output.add(stream, bytes, () => program.kill(SIGKILL))
    const marks = (['stdout', 'stderr'] as const).map((one) =>
      current === null ? null : current.markOf(current.seen[one].tail),
    )
    if (marks[0] != null && marks[1] != null) current.end(marks[0].status)
  }

  const program: RunningProgram = agent.start(
    { args, env, folder: BOX_HOME, limit: UNLIMITED },
    {
      onOutput: add,
      onEnd(exitCode) {
        hasEnded = true
        on.onEnd()
        current?.end(exitCode)
      },
    },
  )

  async function runNow(
    language: CodeLanguage,
    code: string,
    { seconds, signal, mostBytes }: RunOptions,
  ): Promise<BoxOutput> {
    if (hasEnded || signal?.aborted === true) throw boxGone()
    const mark = `\u001e${randomBytes(16).toString('hex')}\u001e`
    const output = createOutput(mostBytes)
    let isTimedOut = false
    const timers: NodeJS.Timeout[] = []
    const after = (ms: number, work: () => void): void => void timers.push(setTimeout(work, ms))
    const stop = (): void => {
      program.kill(language === 'python' ? SIGINT : SIGKILL)
      after(INTERRUPT_GRACE_MS, () => program.kill(SIGKILL))
      after(INTERRUPT_GRACE_MS + STUCK_MS, on.onStuck)
    }
    after(seconds * 1000, () => {
      isTimedOut = true
      stop()
    })
    signal?.addEventListener('abort', stop, { once: true })
    try {
      const exitCode = await new Promise<number | null>((end) => {
        current = {
          output,
          seen: { stdout: empty(), stderr: empty() },
          end,
          markOf: markFinder(mark),
        }
        void program.write(Buffer.from(`${JSON.stringify({ code, language, mark })}\n`))
      })
      if (exitCode === null) throw boxGone()
      return { ...withoutMarks(current, output), exitCode, isTimedOut }
    } finally {
      current = null
      for (const timer of timers) clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  return {
    run(language, code, options) {
      const result = last.then(() => runNow(language, code, options))
      last = result.catch(() => undefined)
      return result
    },
  }
}

function empty(): { total: number; tail: Buffer } {
  return { total: 0, tail: Buffer.alloc(0) }
}

/** Finds the mark with an exit code at the end of a stream. Only the interpreter knows the mark. */
function markFinder(mark: string): Piece['markOf'] {
  return (tail) => {
    const at = tail.lastIndexOf(mark)
    if (at < 0) return null
    const status = /^(\d{1,3})\n$/.exec(tail.toString('latin1', at + mark.length))
    return status === null ? null : { status: Number(status[1]), length: tail.length - at }
  }
}

function withoutMarks(
  piece: Piece | null,
  output: Output,
): { readonly stdout: Buffer; readonly stderr: Buffer } {
  const cut = (stream: OutputStream, bytes: Buffer): Buffer => {
    const { total, tail } = piece?.seen[stream] ?? empty()
    return bytes.subarray(0, Math.max(0, total - (piece?.markOf(tail)?.length ?? 0)))
  }
  const { stdout, stderr } = output.read()
  return { stdout: cut('stdout', stdout), stderr: cut('stderr', stderr) }
}
