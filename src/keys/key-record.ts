import type { Transaction } from '../db/database.ts'
import { DAY_MS, toRfc3339 } from '../lib/clock.ts'
import { publicId } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import type { Scope } from '../lib/owner.ts'
import { toCentsRoundedDown, toCentsRoundedUp } from '../lib/money.ts'
import { windowResetsAt, windowStartMs, type Period } from '../ledger/windows.ts'
import type { Breaker } from './policy/breaker.ts'
import type { KeyRow } from './key-row.ts'

export const KEY_STATUSES = ['active', 'paused', 'revoked', 'expired'] as const
export type KeyStatus = (typeof KEY_STATUSES)[number]

/** A key as callers see it. Amounts are in whole cents and, exactly, in micro-dollars. */
export type KeyRecord = {
  readonly id: string
  readonly label: string | null
  readonly external_id: string | null
  readonly mode: Mode
  readonly status: KeyStatus
  readonly primary: boolean
  readonly scope: Scope
  readonly key_prefix: string
  /** When the former secret expires; or null. */
  readonly former_key_valid_until: string | null
  readonly ceiling_cents: number | null
  readonly ceiling_period: Period
  /** Patterns of the actions that the key may use; null: all. */
  readonly allow: readonly string[] | null
  readonly deny: readonly string[] | null
  readonly max_call_cents: number | null
  readonly expires_at: string | null
  readonly rate_limit_per_minute: number | null
  readonly allowed_ips: readonly string[] | null
  /** The reaction to a key that repeats itself. A stricter setting of a key above applies instead. */
  readonly breaker: Breaker
  /** The key may create child keys. */
  readonly may_mint: boolean
  /** The key that created it, from whose limit it spends, too. */
  readonly parent_id: string | null
  /** The OAuth client to which the key was granted: the URL of its metadata or its registration. */
  readonly client_id: string | null
  /** Its member; null: the account as a whole. */
  readonly member_id: string | null
  /** The number of keys above it. */
  readonly depth: number
  readonly spent_cents: number
  readonly spent_micros: number
  readonly held_cents: number
  readonly held_micros: number
  /** Null without a limit. */
  readonly remaining_cents: number | null
  readonly remaining_micros: number | null
  readonly window_started_at: string
  /** Null for a limit that never resets. */
  readonly window_resets_at: string | null
  readonly last_used_at: string | null
  readonly created_at: string
}

/** A record with the secret, which only create and rotate return. */
export type KeyWithSecret = KeyRecord & { readonly key: string }

/** Work that commits together with a new secret. */
export type Alongside = (tx: Transaction, made: KeyWithSecret) => Promise<void>

const STATUSES = { open: 'active', paused: 'paused', closed: 'revoked' } as const satisfies Record<
  KeyRow['state'],
  KeyStatus
>

export function keyRecord(row: KeyRow, nowMs: number): KeyRecord {
  const { period, ceiling_micros: ceiling } = row
  const { startMs, spent, held } = currentWindow(row, period, nowMs)
  // With a limit below the amount already spent, 0 remains.
  const left = ceiling === null ? null : ceiling > spent + held ? ceiling - spent - held : 0n
  return {
    id: publicId('key', row.id),
    label: row.label,
    external_id: row.external_id,
    mode: row.mode,
    status: statusOf(row, nowMs),
    primary: row.is_primary,
    scope: row.scope,
    key_prefix: row.key_prefix,
    former_key_valid_until:
      row.former_secret_until !== null && row.former_secret_until.getTime() > nowMs
        ? row.former_secret_until.toISOString()
        : null,
    ceiling_cents: ceiling === null ? null : toCentsRoundedDown(ceiling),
    ceiling_period: period,
    allow: row.allow,
    deny: row.deny,
    max_call_cents: row.max_call_micros === null ? null : toCentsRoundedDown(row.max_call_micros),
    expires_at: row.expires_ms === null ? null : toRfc3339(Number(row.expires_ms)),
    rate_limit_per_minute: row.rate_limit,
    allowed_ips: row.allowed_ips,
    breaker: row.breaker,
    may_mint: row.may_mint,
    parent_id: row.parent_id === null ? null : publicId('key', row.parent_id),
    client_id: row.client_id,
    member_id: row.person_id === null ? null : publicId('member', row.person_id),
    depth: row.ancestors.length,
    spent_cents: toCentsRoundedUp(spent),
    spent_micros: Number(spent),
    held_cents: toCentsRoundedUp(held),
    held_micros: Number(held),
    remaining_cents: left === null ? null : toCentsRoundedDown(left),
    remaining_micros: left === null ? null : Number(left),
    window_started_at: toRfc3339(startMs),
    window_resets_at: windowResetsAt(period, startMs),
    last_used_at: row.last_used_ms === null ? null : toRfc3339(Number(row.last_used_ms)),
    created_at: row.created_at.toISOString(),
  }
}

// A sweep closes expired child keys. A key that was revoked stays revoked. `listKeys` has the same rule in SQL.
function statusOf(
  { state, expires_ms: expiresMs, revoked_at: revokedAt }: KeyRow,
  nowMs: number,
): KeyRecord['status'] {
  const hasExpired = expiresMs !== null && Number(expiresMs) <= nowMs && revokedAt === null
  return hasExpired ? 'expired' : STATUSES[state]
}

// The ledger resets a window on the key's next call; until then the stored figures are those of
// the previous window. A stored start ahead of this process's clock is the current one.
export function currentWindow(
  row: KeyRow,
  period: Period,
  nowMs: number,
): { startMs: number; spent: bigint; held: bigint } {
  if (period === 'total')
    return { startMs: row.created_at.getTime(), spent: row.total_spent, held: row.total_held }
  const startMs = windowStartMs(period, nowMs)
  const storedMs = row[`${period}_start`] * DAY_MS
  if (storedMs < startMs) return { startMs, spent: 0n, held: 0n }
  return { startMs: storedMs, spent: row[`${period}_spent`], held: row[`${period}_held`] }
}
