/**
 * Sprites: a machine that sleeps while no program runs. Programs run over a WebSocket, and the
 * machine counts their usage.
 */
import { AppError } from '../../../errors/app-error.ts'
import { textField } from '../../../catalog/answers/vendor-failure.ts'
import { get, post } from '../../../catalog/vocabulary/wire.ts'
import type { Message } from '../../../upstream/vendor-socket.ts'
import { hyphenated, TIMED_OUT, type Box, type Handle, type RanProgram } from '../box.ts'
import { countingScript, withoutCounts } from './counting-script.ts'

/** The first byte of a message names its stream. */
const STREAM = { stdin: 0, stdout: 1, stderr: 2, exit: 3, endOfStdin: 4 } as const
/** The script is sent to standard input, because URLs are limited in length and logged. */
const RUN_STDIN = ['sh', '-c', 'eval "$(cat)"']
const CHUNK_BYTES = 64 * 1024
const KILLED = 137
const NO_RESULT = "The machine closed the connection before it returned the program's result.\n"
/** The machine size that the price of boxe/create_session covers. */
const MACHINE = { cpus: 2, ram_mb: 2048 } as const

export const boxe: Box = {
  // The vendor has no end time for machines, and only one template.
  async create(ask, { label, envs }) {
    const name = `gw-${hyphenated(label)}`
    await ask(
      post('/v1/sprites', {
        name,
        wait_for_capacity: true,
        config: MACHINE,
      }),
    )
    return { name, envs: JSON.stringify(envs) }
  },
  async run(_ask, handle, work, seconds, _settings, withSocket) {
    const received: Message[] = []
    const request = {
      path: `${pathOf(handle)}/exec`,
      query: { cmd: RUN_STDIN, path: 'sh', stdin: true },
      runsProgram: true,
      first: stdinMessages(countingScript(work, envsOf(handle), seconds)),
    } as const
    try {
      await withSocket(request, async (socket) => {
        for await (const message of socket) {
          received.push(message)
          if (streamOf(message) === STREAM.exit) break
        }
      })
      return outputOf(received, seconds)
    } catch (error) {
      const { hasBegun } = withoutCounts(written(received, STREAM.stderr))
      if (!hasBegun || !(error instanceof AppError)) throw error
      // The program prevented the script from ending it. The vendor ends it after the connection is
      // closed.
      const isLate = error.code === 'upstream_timeout'
      return isLate
        ? { stdout: '', stderr: '', exitCode: TIMED_OUT }
        : { stdout: '', stderr: NO_RESULT, exitCode: KILLED, hasEnded: true }
    }
  },
  async close(ask, handle) {
    await ask({ method: 'DELETE', path: pathOf(handle), acceptedStatuses: [404, 410] })
  },
  async find(ask, label) {
    const name = `gw-${hyphenated(label)}`
    const { status, body } = await ask({ ...get(pathOf({ name })), acceptedStatuses: [404, 410] })
    return status === 200 && textField(body, 'name') === name ? [{ name }] : []
  },
}

function pathOf({ name = '' }: Handle): string {
  return `/v1/sprites/${encodeURIComponent(name)}`
}

function envsOf({ envs = '{}' }: Handle): Readonly<Record<string, string>> {
  return JSON.parse(envs) as Record<string, string>
}

function stdinMessages(script: string): readonly Message[] {
  const bytes = Buffer.from(script)
  const messages: Buffer[] = []
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES)
    messages.push(
      Buffer.concat([Buffer.of(STREAM.stdin), bytes.subarray(from, from + CHUNK_BYTES)]),
    )
  return [...messages, Buffer.of(STREAM.endOfStdin)]
}

/** Text messages are notifications about the machine. */
function streamOf(message: Message | undefined): number | undefined {
  return typeof message === 'string' ? undefined : message?.[0]
}

function written(messages: readonly Message[], stream: number): string {
  return Buffer.concat(
    messages.flatMap((message) =>
      typeof message !== 'string' && streamOf(message) === stream ? [message.subarray(1)] : [],
    ),
  ).toString('utf8')
}

function outputOf(messages: readonly Message[], seconds: number): RanProgram {
  const last = messages.at(-1)
  if (typeof last === 'string' || streamOf(last) !== STREAM.exit)
    throw new AppError('upstream_error', "The machine did not return the program's result.")
  const { stderr, hasBegun, use } = withoutCounts(written(messages, STREAM.stderr))
  if (!hasBegun)
    throw new AppError(
      'upstream_error',
      `The machine could not run the program.${stderr === '' ? '' : ` ${stderr.slice(0, 200)}`}`,
    )
  const code = last?.[1] ?? 1
  const isLate =
    use !== undefined &&
    code === KILLED &&
    use.to.upMicroseconds - use.from.upMicroseconds >= seconds * 1_000_000
  return {
    stdout: written(messages, STREAM.stdout),
    stderr,
    exitCode: isLate ? TIMED_OUT : code,
    ...(use === undefined ? {} : { use }),
  }
}
