import { invariant } from '../errors/app-error.ts'
import type { Columns } from '../db/pipeline/answer-reader.ts'
import type { Statement } from '../db/pipeline/statement-bytes.ts'
import type { BatchResult } from './batch.ts'
import type { HoldVerdict, Resolution, ResolutionVerdict, WalletState } from './hold.ts'
import { windowStarts } from './windows.ts'

/** One letter per verdict, and balance and held of the batch's wallets, in their order. */
export type FlushRow = {
  readonly resolved: string | null
  readonly opened: string | null
  readonly balances: readonly string[]
  readonly helds: readonly string[]
}

/** A prepared statement for a batch, and the reader of its result. */
export type FlushStatement = Statement & { read(rows: readonly FlushRow[]): BatchResult }

/** A result row of a ledger function, in the column order of `selectFrom`. */
export function toFlushRow([resolved = null, opened = null, balances, helds]: Columns): FlushRow {
  return { resolved, opened, balances: readNumbers(balances), helds: readNumbers(helds) }
}

function readNumbers(array: string | null | undefined): readonly string[] {
  return typeof array === 'string' ? array.slice(1, -1).split(',') : []
}

const RESOLUTION_VERDICTS: Record<string, ResolutionVerdict> = { k: 'resolved', g: 'gone' }
const HOLD_VERDICTS: Record<string, HoldVerdict> = {
  o: 'opened',
  c: 'credit_short',
  l: 'limit_reached',
  p: 'paused',
  x: 'closed',
  e: 'expired',
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
export type CommitMode = 'durable' | 'deferred'

// Only for the current transaction, which is this statement.
const DEFERRED = ", set_config('synchronous_commit', 'off', true)"

/** Parameters of a ledger function and their types, in the order of the statement's values. */
export type Parameters = Readonly<Record<string, string>>

/** A call of a ledger function with named parameters, whose values are numbered from `first`. */
export function selectFrom(
  name: string,
  parameters: Parameters,
  commit: CommitMode,
  first = 1,
): string {
  const given = Object.entries(parameters).map(
    ([parameter, type], index) => `${parameter} => $${first + index}::${type}`,
  )
  return `select resolved, opened, balances, helds${commit === 'deferred' ? DEFERRED : ''} from ${name}(${given.join(', ')})`
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

/** The maximum of the column. */
const MOST_LATENCY_MS = 2 ** 31 - 1

/**
 * The latency in the column's range. Clocks can jump, and a hold can wait for weeks until a process
 * resolves it.
 */
export function storedLatency({ latencyMs }: Resolution): number {
  return Math.min(Math.max(0, Math.round(latencyMs)), MOST_LATENCY_MS)
}
