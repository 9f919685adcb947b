/** Sprites: a machine that sleeps while nothing runs. Programs go over a WebSocket, and the machine counts what they used. */
import { AppError } from '../../../errors/app-error.ts'
import { textField } from '../../../catalog/answers/vendor-failure.ts'
import { get, post } from '../../../catalog/vocabulary/wire.ts'
import type { Message } from '../../../upstream/vendor-socket.ts'
import { hyphenated, TIMED_OUT, type Box, type Handle, type RanProgram } from '../box.ts'
import { countingScript, withoutCounts } from './counting-script.ts'

/** The first byte of a message is its stream. */
const STREAM = { stdin: 0, stdout: 1, stderr: 2, exit: 3, endOfStdin: 4 } as const
/** The script goes to the standard input: an address holds only so much, and is written down on the way. */
const READS_SCRIPT = ['sh', '-c', 'eval "$(cat)"']
const CHUNK_BYTES = 64 * 1024
const KILLED = 137
/** The size that the price of boxe/create_session covers. */
const MACHINE = { cpus: 2, ram_mb: 2048 } as const

export const boxe: Box = {
  // It knows no end of a machine, and has one template.
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
  async run(_ask, handle, work, seconds, _settings, talk) {
    const heard: Message[] = []
    const request = {
      path: `${pathOf(handle)}/exec`,
      query: { cmd: READS_SCRIPT, path: 'sh', stdin: true },
      runsProgram: true,
      first: saidAs(countingScript(work, envsOf(handle), seconds)),
    } as const
    try {
      await talk(request, async (conversation) => {
        for await (const message of conversation) {
          heard.push(message)
          if (streamOf(message) === STREAM.exit) break
        }
      })
    } catch (error) {
      // Its program kept the script from ending it: the vendor does, a moment after the connection is gone.
      if (
        error instanceof AppError &&
        error.code === 'upstream_timeout' &&
        withoutCounts(written(heard, STREAM.stderr)).hasBegun
      )
        return { stdout: '', stderr: '', exitCode: TIMED_OUT }
      throw error
    }
    return outputOf(heard, seconds)
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

function saidAs(script: string): readonly Message[] {
  const bytes = Buffer.from(script)
  const said: Buffer[] = []
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES)
    said.push(Buffer.concat([Buffer.of(STREAM.stdin), bytes.subarray(from, from + CHUNK_BYTES)]))
  return [...said, Buffer.of(STREAM.endOfStdin)]
}

/** Messages of text are news about the machine. */
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
    throw new AppError('upstream_error', 'The machine did not say how the program ended.')
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
