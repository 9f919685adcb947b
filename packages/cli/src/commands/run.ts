import { COMMON_FLAGS } from '../common-flags.ts'
import type { Command, Deps, Report } from '../command.ts'
import type { Flags } from '../flags.ts'
import { createDeps, isOn } from '../deps.ts'
import { readActionName, type Descriptor } from '../input/descriptor.ts'
import { flagOf } from '../input/input-flags.ts'
import { readInputFile, readInputs, type Inputs } from '../input/read-inputs.ts'
import type { FlagValues, Given } from '../input/read-words.ts'
import { Interrupted } from '../interrupted.ts'
import { note, noteCharge } from '../output/notes.ts'
import { renderData } from '../output/render-data.ts'
import { safeLine } from '../output/safe-text.ts'
import { UsageError } from '../usage-error.ts'
import { finishJob } from './call-job.ts'
import { reportAction } from './describe.ts'
import { findValue, locateAction, requireEndpoint } from './locate-action.ts'
import { widthFor } from '../terminal.ts'

const FLAGS: Flags = {
  input: {
    value: '<file>',
    about: 'a JSON file with inputs, or "-" for the standard input; flags win over it',
  },
  'max-cents': { value: '<cents>', about: 'the most that the call may cost, in whole cents' },
  'idempotency-key': {
    value: '<text>',
    about: 'repeat a call with its key to get its result without a second charge',
  },
  'no-wait': { about: 'print the id of a job instead of waiting for its end' },
}
const GRACE_MS = 30_000

/** Flags of `run` after the action. */
export const RUN_FLAGS: Flags = { ...FLAGS, ...COMMON_FLAGS }

export const run: Command = {
  name: 'run',
  summary: 'call an action; its inputs are flags',
  operand: {
    value: '<service/action>',
    about: 'such as core/onescrape; its inputs follow as flags, "describe" shows them',
  },
  flags: FLAGS,
  readsRest: true,
  example: 'run core/onescrape --urls https://example.com --max-cents 2 --json',
  async run(given, deps) {
    const action = readActionName(given.operands[0] ?? '')
    const endpoint = findValue(given.rest, 'endpoint')
    const first = await prepare({ action, endpoint }, given, deps)
    const named = first.body['endpoint']
    // The file of --input can name the endpoint, too.
    const isNamedLater = endpoint === undefined && typeof named === 'string'
    const call =
      isNamedLater && first.descriptor.endpoints !== undefined
        ? await prepare({ action, endpoint: named }, given, deps)
        : first
    const report = await (isOn(call.flags, 'help')
      ? reportAction(call.descriptor, call.deps)
      : send(action, call))
    return report === null ? null : { ...report, wantsJson: call.deps.wantsJson }
  },
}

type Call = {
  readonly descriptor: Descriptor
  readonly flags: FlagValues
  readonly body: Inputs
  readonly deps: Deps
}

async function prepare(
  { action, endpoint }: { readonly action: string; readonly endpoint: string | undefined },
  { flags: before, rest }: Given,
  deps: Deps,
): Promise<Call> {
  const laterUrl = findValue(rest, 'url')
  const descriptor = await locateAction(deps, { action, endpoint, laterUrl })
  const line = readInputs(rest, action, descriptor, RUN_FLAGS)
  const flags = { ...before, ...line.flags }
  const [path] = flags['input'] ?? []
  const stored = path === undefined ? {} : await readInputFile(path, deps.terminal)
  const [maxCents] = flags['max-cents'] ?? []
  const limit = maxCents === undefined ? {} : { max_cost_cents: readMaxCents(maxCents) }
  const body = { ...stored, ...line.inputs, ...limit }
  return { descriptor, flags, body, deps: createDeps(deps.terminal, flags, deps.signal) }
}

function readMaxCents(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--max-cents must be a whole number of cents, not "${text}".`)
}

function requireInputs(action: string, { descriptor, body }: Call): void {
  const missing = descriptor.required_params.filter((name) => !Object.hasOwn(body, name))
  if (missing.length === 0) return
  if (descriptor.endpoints !== undefined && missing.includes('endpoint'))
    requireEndpoint(action, descriptor)
  const flags = missing.map((name) => {
    const about = descriptor.params.properties?.[name]?.description
    return `--${flagOf(name)}${about === undefined ? '' : ` (${safeLine(about).replace(/\.$/, '')})`}`
  })
  throw new UsageError(
    `${action} needs ${flags.join(' and ')}.`,
    `"describe ${action}" shows all inputs and an example.`,
  )
}

async function send(action: string, call: Call): Promise<Report> {
  requireInputs(action, call)
  const { descriptor, deps, flags, body } = call
  const { signal, terminal } = deps
  const client = deps.connect.open({ timeoutMs: descriptor.timeout_ms + GRACE_MS })
  note(deps, `${action}: ${descriptor.price.text}`)
  const idempotencyKey = flags['idempotency-key']?.[0] ?? crypto.randomUUID()
  const result = await client
    .run(action, body, { signal, idempotencyKey })
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
      throw new Interrupted(
        `The gateway may complete the call and charge it. Repeat it with --idempotency-key ${idempotencyKey} to get its result without a second charge.`,
      )
    })
  const id = jobIdOf(result.data)
  if (id === null) {
    noteCharge(deps, result)
    return {
      data: result.data,
      text: renderData(result.data, widthFor(terminal)),
      facts: {
        charged_micros: result.charged.micros,
        request_id: result.requestId,
        idempotency_key: result.idempotencyKey,
        ...(result.replayed ? { replayed: true } : {}),
        ...(result.simulated ? { test: true } : {}),
        ...(result.lowered === null ? {} : { lowered: result.lowered }),
        ...(result.advice === null ? {} : { advice: result.advice }),
      },
    }
  }
  if (isOn(flags, 'no-wait')) return reportId(id, call)
  note(deps, `Job ${id} started.`)
  return finishJob(client, id, deps)
}

/** The id alone, for a variable of a shell; JSON only with --json. */
function reportId(id: string, { deps, flags }: Call): Report {
  note(deps, `The job runs. Wait for it: ${deps.terminal.program} jobs wait ${id}`)
  if (isOn(flags, 'json')) return { data: { job_id: id }, text: id }
  deps.terminal.out(`${id}\n`)
  return null
}

function jobIdOf(data: unknown): string | null {
  const { async: isJob, job_id: id } = data as {
    readonly async?: boolean
    readonly job_id?: string
  }
  return isJob === true && typeof id === 'string' ? id : null
}
