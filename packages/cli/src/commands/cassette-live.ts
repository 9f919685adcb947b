/** Commands that make the recorded calls again, at their price. */
import type { Difference } from '../../../../src/cassettes/compare-json.ts'
import { readRecordings, type CassetteApi } from '../cassettes/cassette-client.ts'
import { compareLive, type Comparison } from '../cassettes/compare-live.ts'
import { callAgain, type Replayed } from '../cassettes/replay-live.ts'
import type { Command, Deps } from '../command.ts'
import type { Flags } from '../flags.ts'
import type { Given } from '../input/read-words.ts'
import { readWhole } from '../input/read-value.ts'
import { dollars } from '../output/money.ts'
import { note } from '../output/notes.ts'
import { safeLine } from '../output/safe-text.ts'
import { UsageError } from '../usage-error.ts'
import { apiOf } from './cassette.ts'

const operand = { value: '<name>', about: 'the name of a cassette' } as const
const FLAGS: Flags = {
  'max-cents': {
    value: '<cents>',
    about:
      'stop when the calls have cost this; the last call can exceed it. Default: what the recorded calls cost',
  },
}
const MICROS_PER_CENT = 10_000
const LONGEST_VALUE = 60

export const cassetteDiff: Command = {
  name: 'cassette diff',
  summary: 'make the recorded calls with a live key, and compare the answers and prices',
  operand,
  flags: FLAGS,
  example: 'cassette diff checkout --max-cents 10',
  async run(given, deps) {
    const compared: Comparison[] = []
    for await (const one of makeCalls(apiOf(deps), given, deps)) compared.push(compareLive(one))
    return { data: compared, text: compared.map(describe).join('\n') }
  },
}

export const cassetteRecord: Command = {
  name: 'cassette record',
  summary: 'make the recorded calls with a live key, and store the live answers instead',
  operand,
  flags: FLAGS,
  example: 'cassette record checkout --max-cents 10',
  async run(given, deps) {
    const name = given.operands[0] ?? ''
    const client = deps.connect.open({ cassette: { name, mode: 'record' } })
    const made: Replayed[] = []
    for await (const one of makeCalls({ client, signal: deps.signal }, given, deps)) made.push(one)
    const data = made.map(({ recording: { route, input }, live, skipped }) => ({
      route,
      input,
      status: live?.status ?? null,
      charged_micros: live?.chargedMicros ?? 0,
      ...(skipped === undefined ? {} : { skipped }),
    }))
    const count = made.filter(({ live }) => live !== null).length
    return { data, text: `Recorded ${count} of ${made.length} calls.` }
  },
}

async function* makeCalls(
  api: CassetteApi,
  { operands, flags }: Given,
  deps: Deps,
): AsyncGenerator<Replayed, void, void> {
  if (deps.connect.isTest())
    throw new UsageError(
      'The recorded calls need a live key (tg_live_…).',
      'Omit --test, or set TOLLGATE_KEY to a live key.',
    )
  const recordings = await readRecordings(apiOf(deps), operands[0] ?? '')
  const recorded = recordings.reduce((sum, { charged_micros: micros }) => sum + micros, 0)
  const cents = readWhole(
    'max-cents',
    flags['max-cents']?.[0],
    Math.ceil(recorded / MICROS_PER_CENT),
  )
  let charged = 0
  for await (const one of callAgain(api, recordings, cents * MICROS_PER_CENT)) {
    charged += one.live?.chargedMicros ?? 0
    yield one
  }
  note(deps, `Charged ${dollars(charged)} for ${recordings.length} recordings.`)
}

function describe(one: Comparison): string {
  const { route, input, verdict, reason, differences, recordedMicros, liveMicros } = one
  const price =
    liveMicros === null || liveMicros === recordedMicros
      ? ''
      : `  price: recorded ${dollars(recordedMicros)}, live ${dollars(liveMicros)}`
  const head = `${verdict.padEnd(7)}  ${route} ${show(input)}${reason === undefined ? '' : ` (${reason})`}${price}`
  return [head, ...differences.map(describeDifference)].join('\n')
}

function describeDifference({ path, recorded, sent }: Difference): string {
  return `         ${path}: recorded ${show(recorded)}, live ${show(sent)}`
}

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return safeLine(text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text)
}
