/**
 * Daytona: a container with a Python interpreter behind a WebSocket. Other code and commands run in
 * a new process each time.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../../errors/app-error.ts'
import { field, textField } from '../../../catalog/answers/vendor-failure.ts'
import { get, post, type WireRequest } from '../../../catalog/vocabulary/wire.ts'
import {
  labelled,
  labelsOf,
  languageOf,
  noProgramResult,
  TIMED_OUT,
  type Ask,
  type Box,
  type Handle,
  type WithSocket,
} from '../box.ts'
import { linesOf } from '../json-lines.ts'
import type { ProgramOutput } from '../session-driver.ts'

const POLL_MS = 500
const MINUTE_MS = 60_000
/** The port of the vendor's agent in the machine. */
const TOOLBOX_PORT = 2280
/** The shell session that starts commands. */
const SHELL = 'tollgate'
/** Limit of each output stream of a command; the rest is cut. */
const MOST_BYTES = 4 * 1024 * 1024
const ENDED = /^(destroy|stop|archiv|error|build_failed)/
/** The vendor's error for a shell that does not exist or has ended. */
const NO_SHELL = /session not found|failed to write command/i
/** Close codes: the vendor ended the program at its time limit, or the program ended normally. */
const CLOSED_FOR_TIME = 4008
const CLOSED_WELL: readonly (number | null)[] = [1000, 1001, 1005]

export const boxb: Box = createBoxb(POLL_MS)

/** `pollMs`: how often to check whether a machine has started. */
export function createBoxb(pollMs: number): Box {
  return {
    async create(ask, { label, template = 'python', envs, lifeMs }) {
      // Stops after this time without use, and is deleted when it stops.
      const { body } = await ask(
        post('/sandbox', {
          env: envs,
          labels: { ...labelsOf(label), 'code-toolbox-language': template },
          autoStopInterval: Math.ceil(lifeMs / MINUTE_MS),
          autoDeleteInterval: 0,
        }),
      )
      const id = textField(body, 'id')
      if (id === '')
        throw new AppError('upstream_error', 'The vendor created a machine without an id.')
      try {
        return await ready(ask, id, template, body, pollMs)
      } catch (error) {
        await end(ask, id).catch(() => undefined)
        throw asCreated(error)
      }
    },
    async run(ask, handle, work, seconds, _settings, withSocket) {
      if ('command' in work) return runCommand(ask, handle, work.command, seconds)
      const language = languageOf(work, handle['template'])
      if (language === 'bash') return runCommand(ask, handle, work.code, seconds)
      if (language === 'python') return interpret(withSocket, handle, work.code, seconds)
      return runOnce(ask, handle, work.code, language, seconds)
    },
    async prolong(ask, { id = '' }) {
      // Restarts the idle time set at creation.
      await ask(post(`${pathOf(id)}/last-activity`, {}))
    },
    close: (ask, { id = '' }) => end(ask, id),
    async find(ask, label) {
      const { body } = await ask(
        get('/sandbox', { labels: JSON.stringify(labelsOf(label)), limit: 100 }),
      )
      const list = Array.isArray(body) ? body : field(body, 'items')
      const living = Array.isArray(list)
        ? list.filter((machine) => !ENDED.test(textField(machine, 'state')))
        : []
      return labelled(living, label, 'id', 'labels')
    },
  }
}

function pathOf(id: string): string {
  return `/sandbox/${encodeURIComponent(id)}`
}

async function end(ask: Ask, id: string): Promise<void> {
  await ask({ method: 'DELETE', path: pathOf(id), acceptedStatuses: [404] })
}

/** Waits until the machine has started and accepts commands. */
async function ready(
  ask: Ask,
  id: string,
  template: string,
  made: unknown,
  pollMs: number,
): Promise<Handle> {
  let machine = made
  while (textField(machine, 'state') !== 'started') {
    const state = textField(machine, 'state')
    if (ENDED.test(state))
      throw new AppError(
        'upstream_error',
        `The vendor could not start the machine: it is in the state "${state}". Nothing was charged.`,
      )
    await pause(pollMs)
    machine = (await ask(get(pathOf(id)))).body
  }
  // The vendor forwards all headers to the machine, where the caller's programs could read them, so
  // only the machine's own token is sent.
  const { body: access } = await ask(get(`${pathOf(id)}/ports/${TOOLBOX_PORT}/preview-url`))
  const handle = {
    id,
    token: textField(access, 'token'),
    origin: originOf(textField(machine, 'toolboxProxyUrl')),
    template,
  }
  if (handle.token === '')
    throw new AppError('upstream_error', 'The vendor created a machine without an access token.')
  while (!(await opensShell(ask, handle))) await pause(pollMs)
  return handle
}

/** A machine is unreachable for a moment after its start. */
async function opensShell(ask: Ask, handle: Handle): Promise<boolean> {
  try {
    await openShell(ask, handle)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'upstream_not_found') return false
    throw error
  }
}

/**
 * Replaces codes that would mean that no machine was created. This one was, and is searched for if
 * it could not be ended.
 */
function asCreated(error: unknown): unknown {
  return error instanceof AppError && error.code !== 'upstream_timeout'
    ? new AppError('upstream_error', error.message, { details: error.details, cause: error })
    : error
}

/** The vendor's proxy for machines differs by region. */
function originOf(toolboxProxyUrl: string): string {
  const [, region] = /^https:\/\/proxy\.app-(eu|us)\.daytona\.io\//.exec(toolboxProxyUrl) ?? []
  return region === undefined ? 'machine' : `machine-${region}`
}

type There = Required<Pick<WireRequest, 'origin' | 'anonymous' | 'headers' | 'path'>>

function inside({ id = '', token = '', origin = '' }: Handle, path: string): There {
  return {
    origin,
    anonymous: true,
    headers: { 'x-daytona-preview-token': token, 'x-daytona-split-output': 'true' },
    path: `/${encodeURIComponent(id)}/process${path}`,
  }
}

async function openShell(ask: Ask, handle: Handle): Promise<void> {
  await ask({
    ...post('', { sessionId: SHELL }),
    ...inside(handle, '/session'),
    acceptedStatuses: [409],
  })
}

async function runCommand(
  ask: Ask,
  handle: Handle,
  command: string,
  seconds: number,
): Promise<ProgramOutput> {
  const wire: WireRequest = {
    ...post('', { command: wrapped(command, seconds), runAsync: false }),
    ...inside(handle, `/session/${SHELL}/exec`),
    runsProgram: true,
  }
  const { body } = await ask(wire).catch(async (error: unknown) => {
    if (
      !(error instanceof AppError) ||
      !NO_SHELL.test(textField(field(error.details, 'upstream'), 'message'))
    )
      throw error
    await ask({
      method: 'DELETE',
      ...inside(handle, `/session/${SHELL}`),
      acceptedStatuses: [400, 404],
    })
    await openShell(ask, handle)
    return ask(wire)
  })
  const code = field(body, 'exitCode')
  if (code === undefined && field(body, 'stdout') === undefined) throw noProgramResult()
  return {
    stdout: textField(body, 'stdout'),
    stderr: textField(body, 'stderr'),
    exitCode: typeof code === 'number' ? code : 1,
  }
}

/**
 * Runs each command in its own shell. Uses files instead of pipes, so that it does not wait for
 * background processes.
 */
export function wrapped(command: string, seconds: number): string {
  return [
    '( cd ~ || exit 1; f=$(mktemp); o=$(mktemp); e=$(mktemp)',
    `printf %s ${Buffer.from(command).toString('base64')} | base64 -d > "$f" || { rm -f "$f" "$o" "$e"; exit 1; }`,
    // When a program is killed, the surrounding shell prints a message that is not the program's
    // output.
    `t=$(date +%s); bash -c 'timeout -k 2 ${seconds} bash -l "$0" < /dev/null > "$1" 2> "$2"; exit $?' "$f" "$o" "$e" 2> /dev/null; c=$?`,
    // `timeout` reports a killed program with code 137 for any reason.
    `if [ "$c" -eq 137 ] && [ $(($(date +%s) - t)) -gt ${Math.floor(seconds)} ]; then c=${TIMED_OUT}; fi`,
    `head -c ${MOST_BYTES} "$o"; head -c ${MOST_BYTES} "$e" >&2; rm -f "$f" "$o" "$e"; exit "$c" )`,
  ].join('; ')
}

async function interpret(
  withSocket: WithSocket,
  handle: Handle,
  code: string,
  seconds: number,
): Promise<ProgramOutput> {
  return withSocket(
    {
      ...inside(handle, '/interpreter/execute'),
      first: [JSON.stringify({ code, timeout: seconds })],
      runsProgram: true,
    },
    async (socket) => {
      const written = { stdout: '', stderr: '' }
      let [hasEnded, exitCode] = [false, 0]
      for await (const message of socket) {
        const [event] = linesOf({ body: message.toString() })
        const text = textField(event, 'text')
        switch (textField(event, 'type')) {
          case 'stdout':
            written.stdout += text
            break
          case 'stderr':
            written.stderr += text
            break
          case 'error':
            written.stderr +=
              textField(event, 'traceback') ||
              `${textField(event, 'name')}: ${textField(event, 'value')}\n`
            exitCode = 1
            break
          case 'control':
            hasEnded = true
            if (text === 'interrupted') exitCode = TIMED_OUT
        }
      }
      const { closeCode } = socket
      if (closeCode === CLOSED_FOR_TIME) return { ...written, exitCode: TIMED_OUT }
      if (!CLOSED_WELL.includes(closeCode))
        throw new AppError('upstream_error', "The machine's interpreter could not run the code.", {
          fix: 'Try again; its files are safe.',
        })
      // The program ended its interpreter.
      return { ...written, exitCode: hasEnded || exitCode !== 0 ? exitCode : 1 }
    },
  )
}

/** Returns both streams as one; without output if the program took too long. */
async function runOnce(
  ask: Ask,
  handle: Handle,
  code: string,
  language: string,
  seconds: number,
): Promise<ProgramOutput> {
  const { status, body } = await ask({
    ...post('', { code, language, timeout: seconds }),
    ...inside(handle, '/code-run'),
    acceptedStatuses: [408],
    runsProgram: true,
  })
  if (status === 408) return { stdout: '', stderr: '', exitCode: TIMED_OUT }
  const exitCode = field(body, 'exitCode')
  if (exitCode === undefined && field(body, 'result') === undefined) throw noProgramResult()
  return {
    stdout: textField(body, 'result'),
    stderr: '',
    exitCode: typeof exitCode === 'number' && exitCode >= 0 ? exitCode : 1,
  }
}
