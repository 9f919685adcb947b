/** Reads exported calls for `breaker replay`. */
import type { LoopOutcome } from '../../../calls/loops/call-ring.ts'
import type { PastCall } from '../../../calls/loops/replay-loops.ts'
import { errorCatalog, type ErrorCode } from '../../../errors/catalog.ts'
import { parseTime } from '../../../lib/clock.ts'
import { UsageError } from '../command.ts'

type Line = Readonly<Record<string, unknown>>

/**
 * The calls of an NDJSON text: lines of the history (`/api/v1/transactions`), or lines with `at`,
 * `key`, `action`, `params`, `outcome`, `answer` and `cost_micros`. Throws UsageError with the number
 * of a line that cannot be read.
 */
export function readPastCalls(text: string): readonly PastCall[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const calls = lines.flatMap((line, place) => readCall(parseLine(line, place + 1), place + 1))
  const unordered = calls.findIndex(({ atMs }, place) => atMs < (calls[place - 1]?.atMs ?? 0))
  if (unordered >= 0)
    throw new UsageError(
      `Line ${unordered + 1} is earlier than the line before. Sort the file by time, for example with tac.`,
    )
  return calls
}

const CALL_KINDS: readonly unknown[] = [undefined, 'call', 'job', 'llm']

function readCall(line: Line, number: number): readonly PastCall[] {
  const { kind } = line
  // The history also contains credit, and sessions, which the breaker does not watch.
  if (!CALL_KINDS.includes(kind)) return []
  const atMs = parseTime(textIn(line, 'at', 'created_at'))
  if (atMs === null) throw new UsageError(`Line ${number} has no time in "at" or "created_at".`)
  const cost = Number(line['cost_micros'] ?? line['charged_micros'] ?? 0)
  if (!Number.isSafeInteger(cost) || cost < 0)
    throw new UsageError(`Line ${number} has no whole number in "cost_micros".`)
  return [
    {
      key: textIn(line, 'key', 'agent_id'),
      action: [textIn(line, 'service'), textIn(line, 'action')].filter(Boolean).join('/'),
      input: line['params'],
      outcome: readOutcome(line),
      answer: line['answer'],
      cost: BigInt(cost),
      atMs,
      isWatched: kind === undefined || kind === 'call',
    },
  ]
}

function readOutcome(line: Line): LoopOutcome {
  const { outcome, error_code: code, status } = line
  if (outcome === 'ok' || outcome === 'empty') return outcome
  if (typeof code === 'string' && code in errorCatalog)
    return errorCatalog[code as ErrorCode].fault === 'caller' ? 'failed' : 'outage'
  return outcome === 'failed' || status === 'released' || typeof code === 'string' ? 'failed' : 'ok'
}

/** The first of these fields that is text; otherwise empty. */
function textIn(line: Line, ...names: readonly string[]): string {
  return names.map((name) => line[name]).find((value) => typeof value === 'string') ?? ''
}

function parseLine(text: string, number: number): Line {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Line
  } catch {
    // Reported below.
  }
  throw new UsageError(`Line ${number} is not a JSON object.`)
}
