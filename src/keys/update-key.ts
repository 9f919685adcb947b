import type { SqlValue, Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { wholeCents } from '../lib/money.ts'
import { changeKey, requireUsable } from './change-key.ts'
import type { Actor } from './caller.ts'
import type { KeyDeps } from './key-deps.ts'
import { periodOf } from './key-fields.ts'
import type { KeyPatch } from './key-input.ts'
import { keyRecord, type KeyRecord } from './key-record.ts'
import { requireOwnScope } from '../lib/permissions.ts'
import { moveAnswers } from './move-answers.ts'
import { checkPolicy, expiryOf, keyColumnsOf, normalizePolicy } from './policy/policy-input.ts'
import { settingsTag, type KeySettings } from './settings-tag.ts'

/**
 * `from`: the tag of the settings that the patch was based on. When they have changed since, and are
 * not already as requested, nothing changes. Throws AppError invalid_params, key_cannot_mint_keys,
 * role_not_allowed, unknown_key, key_revoked or key_changed.
 */
export function updateKey(
  deps: KeyDeps,
  actor: Actor,
  id: string,
  patch: KeyPatch,
  from?: string,
): Promise<KeyRecord> {
  return changeKey(deps, actor, id, async (tx, row) => {
    requireUsable(row)
    requireOwnScope(actor, patch.scope)
    if (row.is_primary && patch.scope === 'own')
      throw new AppError(
        'invalid_params',
        'A primary key manages its account, so its scope is always "account".',
        { param: 'scope', fix: 'Create another key for the program.' },
      )
    if (row.is_primary && typeof patch.expires_at === 'string')
      throw new AppError(
        'invalid_params',
        'A primary key manages its account, so it does not expire.',
        { param: 'expires_at', fix: 'Create another key for the program.' },
      )
    checkPolicy(patch, deps.now())
    if (from !== undefined) requireUnchanged(keyRecord(row, deps.now()), patch, from)
    if (patch.scope !== undefined && patch.scope !== row.scope)
      await moveAnswers(tx, row, patch.scope, deps.now())
    const former =
      patch.former_key_valid_until === null
        ? { former_secret_hash: null, former_secret_until: null }
        : {}
    await set(tx, 'keys', row.id, {
      label: patch.label,
      external_id: patch.external_id,
      scope: patch.scope,
      may_mint: patch.may_mint,
      ...former,
      ...keyColumnsOf(patch),
    })
    await set(tx, 'budgets', row.id, {
      ceiling_micros:
        typeof patch.ceiling_cents === 'number'
          ? wholeCents(patch.ceiling_cents)
          : patch.ceiling_cents,
      period: patch.ceiling_period === undefined ? undefined : periodOf(patch.ceiling_period),
      state: patch.paused === undefined ? undefined : patch.paused ? 'paused' : 'open',
      expires_ms: expiryOf(patch),
    })
  })
}

function requireUnchanged(
  present: KeySettings,
  { ceiling_period: period = present.ceiling_period, ...given }: KeyPatch,
  from: string,
): void {
  const patch = normalizePolicy(given)
  const tag = settingsTag(present)
  // A form that was sent twice finds its changes already made.
  if (
    tag !== from &&
    tag !== settingsTag({ ...present, ...patch, ceiling_period: periodOf(period) })
  )
    throw new AppError('key_changed')
}

// Every ledger flush locks budgets too, so this row is written last and only when it changes.
async function set(
  tx: Transaction,
  table: 'keys' | 'budgets',
  id: string,
  columns: Readonly<Record<string, SqlValue | undefined>>,
): Promise<void> {
  const given = Object.entries(columns).flatMap(([column, value]) =>
    value === undefined ? [] : [{ column, value }],
  )
  if (given.length === 0) return
  const assignments = given.map(({ column }, place) => `${column} = $${place + 2}`).join(', ')
  await tx.query(`update ${table} set ${assignments} where id = $1`, [
    id,
    ...given.map(({ value }) => value),
  ])
}
