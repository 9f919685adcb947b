/** One call of a model: its files enter a workspace, a program runs there, and the result becomes a file of the account. */
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { MAX_FILE_BYTES } from '../../catalog/vocabulary/file-limits.ts'
import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { owing } from '../../catalog/prices/processor-time.ts'
import { AppError } from '../../errors/app-error.ts'
import { InterruptedTurn } from '../../lib/fairness/run-in-turn.ts'
import { derivedId } from '../../lib/ids.ts'
import { BoxEnded } from '../boxes/box-program.ts'
import { saveOutput } from '../files/save-output.ts'
import { MOST_INPUT_BYTES, type MediaDeps } from './media-deps.ts'
import { openInput } from './open-input.ts'
import type { Length } from './places.ts'
import { probe, type Probe } from './probe.ts'
import type { Workspace } from './workspace.ts'

/** Of one program, by the clock and of processor time. */
type Limits = { readonly runSeconds: number; readonly cpuSeconds: number }

const LIMITS: Readonly<Record<Length, Limits>> = {
  short: { runSeconds: 120, cpuSeconds: 60 },
  long: { runSeconds: 900, cpuSeconds: 1_800 },
}

/** The work of one call in its workspace. */
export type Render = {
  readonly input: Data
  readonly workspace: Workspace
  /** Stores the file of a parameter under this name and reads its facts. */
  load(name: string, param: string, address: string): Promise<Probe>
  /** The text of a small file. */
  loadText(param: string, address: string, mostBytes: number): Promise<string>
  /** Runs a program of this machine. Throws AppError if it fails. */
  run(program: string | null, args: readonly string[]): Promise<void>
}

export type Made = {
  readonly name: string
  readonly mime: string
  readonly filename: string
}

/** The stored result, with its facts. */
export type MadeFacts = Data & { readonly url: string; readonly content_type: string }

/** Throws AppError; then nothing is stored, and the processor time is owed, or counts as unpaid work of the account. */
export async function render(
  deps: MediaDeps,
  length: Length,
  input: Data,
  tools: CallTools,
  make: (render: Render) => Promise<Made>,
): Promise<MadeFacts> {
  const { accountId, signal } = tools
  return deps.places.run(length, { accountId, signal }, (turn) => {
    deps.unpaid.admit(accountId)
    return renderOnce(deps, LIMITS[length], input, { ...tools, signal: turn }, make)
  })
}

async function renderOnce(
  deps: MediaDeps,
  limits: Limits,
  input: Data,
  tools: CallTools,
  make: (render: Render) => Promise<Made>,
): Promise<MadeFacts> {
  return deps.use(tools, async (workspace) => {
    try {
      const made = await make(openRender(deps, limits, input, tools, workspace))
      const { path, sizeBytes } = await workspace.take(made.name, MAX_FILE_BYTES)
      const facts = await factsOf(deps, workspace, made)
      const stored = await saveOutput(
        deps.files,
        tools,
        {
          filename: made.filename,
          mime: made.mime,
          source: 'media/generate',
          tags: ['output'],
          expectedBytes: sizeBytes,
          // A repetition by another worker replaces the file.
          id: derivedId(tools.callId, JSON.stringify(input)),
        },
        createReadStream(path),
        tools.signal,
      )
      deps.unpaid.add(tools.accountId, -(await workspace.cpuMs()))
      return {
        url: stored.get_url,
        content_type: made.mime,
        file_name: made.filename,
        file_size: sizeBytes,
        ...facts,
      }
    } catch (error) {
      // The gateway interrupts a turn, not the caller.
      if (tools.signal.reason instanceof InterruptedTurn) throw error
      const cpuMs = await workspace.cpuMs()
      const failure = failureOf(error, tools.signal)
      const owed = failure === null ? null : owing(failure, cpuMs)
      if (owed === null || owed.owed === 0n) deps.unpaid.add(tools.accountId, cpuMs)
      throw owed ?? error
    }
  })
}

/** The failure that the caller's files or the caller caused; null for one of the gateway. */
function failureOf(error: unknown, { aborted, reason }: AbortSignal): AppError | null {
  if (aborted && !(reason instanceof AppError))
    return new AppError('upstream_rejected', 'The work was ended before it was done.', {
      fix: 'Send shorter or smaller files.',
    })
  if (error instanceof BoxEnded)
    return new AppError('upstream_rejected', 'The work needed more memory than there is for it.', {
      fix: 'Send shorter or smaller files.',
    })
  return error instanceof AppError && error.spec.status < 500 ? error : null
}

async function factsOf(
  { programs: { ffprobe } }: MediaDeps,
  workspace: Workspace,
  { name, mime }: Made,
): Promise<Data> {
  if (ffprobe === null) return {}
  const { seconds, size } = await probe(workspace, ffprobe, name, name)
  const isStill = mime.startsWith('image/') && mime !== 'image/gif'
  return {
    ...(seconds === null || isStill ? {} : { duration: Math.round(seconds * 1000) / 1000 }),
    ...size,
  }
}

function openRender(
  deps: MediaDeps,
  { runSeconds, cpuSeconds }: Limits,
  input: Data,
  tools: CallTools,
  workspace: Workspace,
): Render {
  const { ffprobe } = deps.programs
  let left = MOST_INPUT_BYTES
  const open = (param: string, address: string): Promise<Readable> =>
    openInput(deps, tools, { param, address }, tools.signal)
  return {
    input,
    workspace,
    async load(name, param, address) {
      const limit = Math.min(left, MAX_FILE_BYTES)
      left -= await workspace.put(name, await open(param, address), limit)
      return probe(workspace, ffprobe ?? '', name, param)
    },
    async loadText(param, address, mostBytes) {
      const pieces: Buffer[] = []
      let size = 0
      for await (const piece of await open(param, address)) {
        const bytes = Buffer.from(piece as Buffer)
        size += bytes.length
        if (size > mostBytes)
          throw new AppError('invalid_params', `The file of "${param}" is too large.`, {
            param,
            fix: `Send at most ${mostBytes} bytes.`,
          })
        pieces.push(bytes)
      }
      return Buffer.concat(pieces).toString('utf8')
    },
    async run(program, args) {
      const { exitCode, isTimedOut, stderr } = await workspace.run(
        [
          'prlimit',
          `--cpu=${cpuSeconds}`,
          `--fsize=${MAX_FILE_BYTES}`,
          '--core=0',
          '--',
          program ?? '',
          ...args,
        ],
        runSeconds,
      )
      if (isTimedOut) throw timedOut(runSeconds)
      if (exitCode !== 0) throw renderFailed(stderr.toString('utf8'))
    },
  }
}

function timedOut(seconds: number): AppError {
  return new AppError('upstream_rejected', `The work took longer than ${seconds} seconds.`, {
    fix: 'Send shorter or smaller files.',
  })
}

function renderFailed(report: string): AppError {
  const reason = report.trim().split('\n').at(-1)?.slice(0, 200) ?? ''
  return new AppError(
    'upstream_rejected',
    `The program could not process the files${reason === '' ? '' : `: ${reason}`}.`,
    {
      fix: 'Check that the files are complete, and use smaller ones if they are large.',
      details: { upstream: { service: 'media', status: null, code: null, message: reason } },
    },
  )
}
