/** One program in a box, with its limits. */
import { AppError } from '../../errors/app-error.ts'
import type { AgentConnection, ProgramStart } from './agent-connection.ts'
import type { Output } from './output.ts'

const KILL_GRACE_MS = 2_000
const SIGKILL = 9

export type BoxOutput = {
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly exitCode: number
  readonly isTimedOut: boolean
}

export type RunOptions = {
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
  /** If it fails, the program is killed and the run rejects. */
  readonly input?: AsyncIterable<Buffer> | undefined
  readonly mostBytes?: number | undefined
  /** Receives standard output instead of storing it. */
  readonly onOutput?: ((bytes: Buffer) => void) | undefined
}

const GONE = 'The machine of this call has ended.'

/** The error for a box that has ended by itself or was closed. */
export function boxGone(): AppError {
  return new AppError('upstream_not_found', GONE)
}

/** The box ended while a program ran in it. */
export class BoxEnded extends AppError {
  /** Of the program so far. */
  readonly output: Pick<BoxOutput, 'stdout' | 'stderr'>
  constructor(output: Pick<BoxOutput, 'stdout' | 'stderr'>) {
    super('upstream_not_found', GONE)
    this.output = output
  }
}

/** Runs one program with its time limit. `onStuck`: it did not die. */
export function runProgram(
  agent: AgentConnection,
  start: ProgramStart,
  output: Output,
  { seconds, signal, input }: RunOptions,
  onStuck: () => void,
): Promise<Pick<BoxOutput, 'exitCode' | 'isTimedOut'>> {
  return new Promise((resolve, reject) => {
    let isTimedOut = false
    let failure: AppError | null = null
    let grace: NodeJS.Timeout | undefined
    const end = (): void => {
      program.kill(SIGKILL)
      grace ??= setTimeout(onStuck, KILL_GRACE_MS)
    }
    const timer = setTimeout(() => {
      isTimedOut = true
      end()
    }, seconds * 1000)
    const program = agent.start(start, {
      onOutput: (stream, bytes) => output.add(stream, bytes, end),
      onEnd(exitCode) {
        clearTimeout(timer)
        clearTimeout(grace)
        signal?.removeEventListener('abort', end)
        if (exitCode === null) reject(boxGone())
        else if (failure !== null) reject(failure)
        else resolve({ exitCode, isTimedOut })
      },
    })
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted === true) end()
    void feed(program.write, input)
      .catch((cause: unknown) => {
        // The program may take a part of its input for the whole.
        failure = new AppError('upstream_error', 'The input of a program could not be read.', {
          cause,
        })
        program.kill(SIGKILL)
      })
      .finally(() => program.endInput())
  })
}

async function feed(
  write: (bytes: Buffer) => Promise<void>,
  input: AsyncIterable<Buffer> | undefined,
): Promise<void> {
  if (input === undefined) return
  for await (const bytes of input) await write(bytes)
}
