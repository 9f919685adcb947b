import { readFile } from 'node:fs/promises'
import { replayLoops } from '../../../calls/loops/replay-loops.ts'
import { formatDollars, wholeCents } from '../../../lib/money.ts'
import { UsageError, type Command } from '../command.ts'
import { readWholeNumber } from '../read-value.ts'
import { columns } from '../show.ts'
import { readPastCalls } from './read-past-calls.ts'

export const breakerReplay: Command = {
  name: 'breaker replay',
  summary: 'run exported calls through the loop breaker, and report what it would stop and save',
  flags: {
    file: {
      value: '<file>',
      about:
        'NDJSON in order of time: the export of /api/v1/transactions reversed, or lines with at, key, action, params, outcome, answer and cost_micros',
      required: true,
    },
    'ceiling-cents': {
      value: '<cents>',
      about: 'the spending limit of the keys, for the rule about steep spending',
    },
  },
  example: './tollgate breaker replay --file calls.ndjson',
  async run({ flags }) {
    const ceiling = flags['ceiling-cents']
    const limit =
      ceiling === undefined ? null : wholeCents(readWholeNumber('ceiling-cents', ceiling))
    const calls = readPastCalls(await readText(flags['file'] ?? ''))
    const found = replayLoops(calls, limit)
    const total = calls.reduce((sum, { cost }) => sum + cost, 0n)
    const saved = found.reduce((sum, { saved: one }) => sum + one, 0n)
    const advised = found.reduce((sum, { advised: one }) => sum + one, 0)
    const summary = `${calls.length} calls for ${formatDollars(total)}: ${advised} with advice. The setting "stop" would have saved ${formatDollars(saved)}.`
    return {
      data: {
        calls: calls.length,
        spent_micros: Number(total),
        saved_micros: Number(saved),
        advised,
        keys: found.map(({ advisedAt, stoppedAt, pausedAt, saved: one, ...facts }) => ({
          ...facts,
          advised_at_call: advisedAt,
          stopped_at_call: stoppedAt,
          paused_at_call: pausedAt,
          saved_micros: Number(one),
        })),
      },
      text:
        found.length === 0
          ? `${summary} No rule applied.`
          : `${columns(
              ['key', 'rule', 'advice at call', 'stopped at call', 'paused at call', 'saved'],
              found.map(({ key, rule, advisedAt, stoppedAt, pausedAt, saved: one }) => [
                key,
                rule,
                placeOf(advisedAt),
                placeOf(stoppedAt),
                placeOf(pausedAt),
                formatDollars(one),
              ]),
            )}\n${summary}`,
    }
  },
}

function placeOf(place: number | null): string {
  return place === null ? '–' : String(place)
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--file cannot be read: ${(error as Error).message}.`)
  }
}
