import { invariant } from '../errors/app-error.ts'
import type { Columns } from '../db/statement-line/answer-reader.ts'
import type { Statement } from '../db/statement-line/statement-bytes.ts'
import type { BatchResult } from './batch.ts'
import type { HoldVerdict, Resolution, ResolutionVerdict, WalletState } from './hold.ts'
import { windowStarts } from './windows.ts'

/** A letter a verdict, and the figures of the wallets that were touched, in their order. */
export type FlushRow = {
  readonly resolved: string | null
  readonly opened: string | null
  readonly balances: readonly string[]
  readonly helds: readonly string[]
}

/** A prepared statement that carries a batch, and the reading of its answer. */
export type FlushStatement = Statement & { read(rows: readonly FlushRow[]): BatchResult }

/** A row of any of the ledger's functions, in the order in which `selectFrom` asks for its columns. */
export function flushRowOf([resolved = null, opened = null, balances, helds]: Columns): FlushRow {
  return { resolved, opened, balances: numbersIn(balances), helds: numbersIn(helds) }
}

function numbersIn(array: string | null | undefined): readonly string[] {
  return typeof array === 'string' ? array.slice(1, -1).split(',') : []
}

const RESOLUTION_VERDICTS: Record<string, ResolutionVerdict> = { k: 'resolved', g: 'gone' }
const HOLD_VERDICTS: Record<string, HoldVerdict> = {
  o: 'opened',
  c: 'credit_short',
  l: 'limit_reached',
  p: 'paused',
  x: 'closed',
  r: 'repeated',
}

export const resolutionVerdict = (letter: string | null): ResolutionVerdict =>
  verdictOf(letter, RESOLUTION_VERDICTS)
export const holdVerdict = (letter: string | null): HoldVerdict => verdictOf(letter, HOLD_VERDICTS)

function verdictOf<Kind>(letter: string | null, verdicts: Readonly<Record<string, Kind>>): Kind {
  const verdict = verdicts[letter ?? '']
  invariant(verdict !== undefined, `"${letter}" is a verdict`)
  return verdict
}

export function walletsIn(
  { balances, helds }: FlushRow,
  walletIds: readonly number[],
): Map<number, WalletState> {
  return new Map(
    walletIds.map((id, place) => [
      id,
      { balance: BigInt(balances[place] ?? 0), held: BigInt(helds[place] ?? 0) },
    ]),
  )
}

/** Whether the commit waits for the disk. */
export type ToDisk = 'at-once' | 'later'

// Counts for the transaction in progress alone, which is the statement's own.
const LATER = ", set_config('synchronous_commit', 'off', true)"

/** Parameters of a ledger function and their types, in the order of the statement's values. */
export type Parameters = Readonly<Record<string, string>>

/** A call of a ledger function with named parameters, whose values are numbered from `first`. */
export function selectFrom(
  name: string,
  parameters: Parameters,
  toDisk: ToDisk,
  first = 1,
): string {
  const given = Object.entries(parameters).map(
    ([parameter, type], index) => `${parameter} => $${first + index}::${type}`,
  )
  return `select resolved, opened, balances, helds${toDisk === 'later' ? LATER : ''} from ${name}(${given.join(', ')})`
}

/** The parameters that every ledger function begins with. */
export const MOMENT = {
  now_ms: 'bigint',
  today: 'integer',
  this_week: 'integer',
  this_month: 'integer',
} as const

export function momentOf(nowMs: number): Record<keyof typeof MOMENT, number> {
  const { today, thisWeek, thisMonth } = windowStarts(nowMs)
  return { now_ms: nowMs, today, this_week: thisWeek, this_month: thisMonth }
}

/** The column's greatest number. */
const MOST_LATENCY_MS = 2 ** 31 - 1

/** As the column keeps it: a call can be posted however clocks jumped meanwhile, and however long no process was there to end it. */
export function keptLatency({ latencyMs }: Resolution): number {
  return Math.min(Math.max(0, Math.round(latencyMs)), MOST_LATENCY_MS)
}
