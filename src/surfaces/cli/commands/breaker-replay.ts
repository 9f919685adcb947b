import { readFile } from 'node:fs/promises'
import { adviseOn, MOST_SEEN, type Advice, type SeenCall } from '../../../calls/loops/loop-rules.ts'
import { formatDollars } from '../../../lib/money.ts'
import { UsageError, type Command } from '../command.ts'
import { columns } from '../show.ts'

export const breakerReplay: Command = {
  name: 'breaker replay',
  summary: 'run exported calls through the rules that find loops, and report what they would save',
  flags: {
    file: {
      value: '<file>',
      about:
        'NDJSON in order of time: the export of /api/v1/transactions reversed, or lines with at, key, action, params, outcome, answer and cost_micros',
      required: true,
    },
  },
  example: './tollgate breaker replay --file calls.ndjson',
  async run({ flags }) {
    const calls = readCalls(await readText(flags['file'] ?? ''))
    const found = [...Map.groupBy(calls, ({ key }) => key)].flatMap(([key, own]) =>
      replay(key, own),
    )
    const total = calls.reduce((sum, { cost }) => sum + cost, 0n)
    const saved = found.reduce((sum, { after }) => sum + after, 0n)
    const summary = `${calls.length} calls for ${formatDollars(total)}. Stopping at the first advice would have saved ${formatDollars(saved)}.`
    return {
      data: {
        calls: calls.length,
        spent_micros: Number(total),
        saved_micros: Number(saved),
        advice: found.map(({ key, call, advice, after }) => ({
          key,
          call,
          code: advice.code,
          saved_micros: Number(after),
        })),
      },
      text:
        found.length === 0
          ? `${summary} No rule applied.`
          : `${columns(
              ['key', 'call', 'rule', 'spent after it'],
              found.map(({ key, call, advice, after }) => [
                key,
                String(call),
                advice.code,
                formatDollars(after),
              ]),
            )}\n${summary}`,
    }
  },
}

type KeyedCall = SeenCall & { readonly key: string }
/** The first advice for a key: after which of its calls, and what it spent after that. */
type Found = {
  readonly key: string
  readonly call: number
  readonly advice: Advice
  readonly after: bigint
}

function replay(key: string, calls: readonly KeyedCall[]): Found[] {
  for (let end = 1; end <= calls.length; end += 1) {
    const advice = adviseOn(calls.slice(Math.max(0, end - MOST_SEEN), end))
    if (advice === null) continue
    const after = calls.slice(end).reduce((sum, { cost }) => sum + cost, 0n)
    return [{ key, call: end, advice, after }]
  }
  return []
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--file cannot be read: ${(error as Error).message}.`)
  }
}

function readCalls(text: string): KeyedCall[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const calls = lines.map((line, place) => readCall(line, place + 1))
  const unordered = calls.findIndex(({ atMs }, place) => atMs < (calls[place - 1]?.atMs ?? 0))
  if (unordered >= 0)
    throw new UsageError(
      `Line ${unordered + 1} is earlier than the line before. Sort the file by time, for example with tac.`,
    )
  return calls
}

function readCall(line: string, number: number): KeyedCall {
  const sent = parseLine(line, number)
  const atMs = Date.parse(textIn(sent, 'at', 'created_at'))
  if (!Number.isFinite(atMs))
    throw new UsageError(`Line ${number} has no time in "at" or "created_at".`)
  const name = [textIn(sent, 'service'), textIn(sent, 'action')].filter(Boolean).join('/')
  const isFailed = sent['status'] === 'released' || typeof sent['error_code'] === 'string'
  return {
    key: textIn(sent, 'key', 'agent_id'),
    action: name,
    // The history has no parameters. Its lines are never the same request.
    request:
      sent['params'] === undefined ? `line ${number}` : `${name} ${JSON.stringify(sent['params'])}`,
    outcome: readOutcome(sent['outcome'], isFailed),
    answer: sent['answer'] === undefined ? null : JSON.stringify(sent['answer']),
    cost: BigInt(Number(sent['cost_micros'] ?? sent['charged_micros'] ?? 0)),
    atMs,
  }
}

/** The first of these fields that is text; otherwise empty. */
function textIn(sent: Readonly<Record<string, unknown>>, ...names: readonly string[]): string {
  return names.map((name) => sent[name]).find((value) => typeof value === 'string') ?? ''
}

function readOutcome(outcome: unknown, isFailed: boolean): SeenCall['outcome'] {
  if (outcome === 'ok' || outcome === 'empty' || outcome === 'failed') return outcome
  return isFailed ? 'failed' : 'ok'
}

function parseLine(line: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw new UsageError(`Line ${number} is not a JSON object.`)
}
