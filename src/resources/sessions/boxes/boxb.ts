/** Daytona: a container with a Python interpreter behind a WebSocket. Other code, and commands, run anew each time. */
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../../errors/app-error.ts'
import { field, textField } from '../../../catalog/answers/vendor-failure.ts'
import { get, post, type WireRequest } from '../../../catalog/vocabulary/wire.ts'
import {
  labelled,
  labelsOf,
  languageOf,
  ranNothing,
  TIMED_OUT,
  type Ask,
  type Box,
  type Handle,
  type Talk,
} from '../box.ts'
import { linesOf } from '../json-lines.ts'
import type { ProgramOutput } from '../session-driver.ts'

const LOOK_AGAIN_MS = 500
const MINUTE_MS = 60_000
/** The port of what works in the machine for those who are outside. */
const TOOLBOX_PORT = 2280
/** The shell that commands are started from. */
const SHELL = 'tollgate'
/** Of each stream of a command; what comes after it is cut. */
const MOST_BYTES = 4 * 1024 * 1024
const ENDED = /^(destroy|stop|archiv|error|build_failed)/
/** What is said of a shell that was never opened, or ended. */
const NO_SHELL = /session not found|failed to write command/i
/** The vendor ended the program for its time; otherwise a conversation is closed in one of these ways. */
const CLOSED_FOR_TIME = 4008
const CLOSED_WELL: readonly (number | null)[] = [1000, 1001, 1005]

export const boxb: Box = createBoxb(LOOK_AGAIN_MS)

/** `lookAgainMs`: how often it asks whether a machine has started. */
export function createBoxb(lookAgainMs: number): Box {
  return {
    async create(ask, { label, template = 'python', envs, lifeMs }) {
      // It stops when nobody has used it for so long, and is deleted when it stops.
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
        throw new AppError('upstream_error', 'The vendor made a machine without naming it.')
      try {
        return await ready(ask, id, template, body, lookAgainMs)
      } catch (error) {
        await end(ask, id).catch(() => undefined)
        throw thoughMade(error)
      }
    },
    async run(ask, handle, work, seconds, _settings, talk) {
      if ('command' in work) return runCommand(ask, handle, work.command, seconds)
      const language = languageOf(work, handle['template'])
      if (language === 'bash') return runCommand(ask, handle, work.code, seconds)
      if (language === 'python') return interpret(talk, handle, work.code, seconds)
      return runOnce(ask, handle, work.code, language, seconds)
    },
    async prolong(ask, { id = '' }) {
      // The time that it was made with begins anew.
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

/** Waits until the machine has started and lets itself be used. */
async function ready(
  ask: Ask,
  id: string,
  template: string,
  made: unknown,
  lookAgainMs: number,
): Promise<Handle> {
  let machine = made
  while (textField(machine, 'state') !== 'started') {
    const state = textField(machine, 'state')
    if (ENDED.test(state))
      throw new AppError(
        'upstream_error',
        `The vendor could not start the machine: it is in the state "${state}". Nothing was charged.`,
      )
    await pause(lookAgainMs)
    machine = (await ask(get(pathOf(id)))).body
  }
  // The vendor hands every header on to the machine, where the caller's programs could read it: only the machine's own token goes there.
  const { body: door } = await ask(get(`${pathOf(id)}/ports/${TOOLBOX_PORT}/preview-url`))
  const handle = {
    id,
    token: textField(door, 'token'),
    origin: originOf(textField(machine, 'toolboxProxyUrl')),
    template,
  }
  if (handle.token === '')
    throw new AppError('upstream_error', 'The vendor made a machine without a key to it.')
  while (!(await opensShell(ask, handle))) await pause(lookAgainMs)
  return handle
}

/** For a moment after its start a machine cannot be reached. */
async function opensShell(ask: Ask, handle: Handle): Promise<boolean> {
  try {
    await openShell(ask, handle)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'upstream_not_found') return false
    throw error
  }
}

/** A refusal would say that no machine was made; this one was, and is looked for and ended if it could not be just now. */
function thoughMade(error: unknown): unknown {
  return error instanceof AppError && error.code !== 'upstream_timeout'
    ? new AppError('upstream_error', error.message, { details: error.details, cause: error })
    : error
}

/** The vendor has a way to its machines in each region. */
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
  if (code === undefined && field(body, 'stdout') === undefined) throw ranNothing()
  return {
    stdout: textField(body, 'stdout'),
    stderr: textField(body, 'stderr'),
    exitCode: typeof code === 'number' ? code : 1,
  }
}

/** A shell of its own for each command; files in place of pipes, so that what it leaves in the background is not waited for. */
export function wrapped(command: string, seconds: number): string {
  return [
    '( cd ~ || exit 1; f=$(mktemp); o=$(mktemp); e=$(mktemp)',
    `printf %s ${Buffer.from(command).toString('base64')} | base64 -d > "$f" || { rm -f "$f" "$o" "$e"; exit 1; }`,
    // Where a program is killed, the shell around it has a word to say about that, which is none of the program's.
    `t=$(date +%s); bash -c 'timeout -k 2 ${seconds} bash -l "$0" < /dev/null > "$1" 2> "$2"; exit $?' "$f" "$o" "$e" 2> /dev/null; c=$?`,
    // One that had to be killed says so, and not why.
    `if [ "$c" -eq 137 ] && [ $(($(date +%s) - t)) -gt ${Math.floor(seconds)} ]; then c=${TIMED_OUT}; fi`,
    `head -c ${MOST_BYTES} "$o"; head -c ${MOST_BYTES} "$e" >&2; rm -f "$f" "$o" "$e"; exit "$c" )`,
  ].join('; ')
}

async function interpret(
  talk: Talk,
  handle: Handle,
  code: string,
  seconds: number,
): Promise<ProgramOutput> {
  return talk(
    {
      ...inside(handle, '/interpreter/execute'),
      first: [JSON.stringify({ code, timeout: seconds })],
      runsProgram: true,
    },
    async (conversation) => {
      const written = { stdout: '', stderr: '' }
      let [hasEnded, exitCode] = [false, 0]
      for await (const message of conversation) {
        const [said] = linesOf({ body: message.toString() })
        const text = textField(said, 'text')
        switch (textField(said, 'type')) {
          case 'stdout':
            written.stdout += text
            break
          case 'stderr':
            written.stderr += text
            break
          case 'error':
            written.stderr +=
              textField(said, 'traceback') ||
              `${textField(said, 'name')}: ${textField(said, 'value')}\n`
            exitCode = 1
            break
          case 'control':
            hasEnded = true
            if (text === 'interrupted') exitCode = TIMED_OUT
        }
      }
      const { closeCode } = conversation
      if (closeCode === CLOSED_FOR_TIME) return { ...written, exitCode: TIMED_OUT }
      if (!CLOSED_WELL.includes(closeCode))
        throw new AppError(
          'upstream_error',
          'The interpreter of the machine could not run the code.',
          { fix: 'Try again: its files are kept.' },
        )
      // It took the interpreter along.
      return { ...written, exitCode: hasEnded || exitCode !== 0 ? exitCode : 1 }
    },
  )
}

/** Both streams come as one, and nothing of a program that took too long. */
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
  if (exitCode === undefined && field(body, 'result') === undefined) throw ranNothing()
  return {
    stdout: textField(body, 'result'),
    stderr: '',
    exitCode: typeof exitCode === 'number' && exitCode >= 0 ? exitCode : 1,
  }
}
