/** When balance.low and key.threshold are written. */
import { Type, type Static } from '../lib/schema.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { requireOwnKey, type ByMember } from '../lib/permissions.ts'
import { parsePublicId, publicId, type Id } from '../lib/ids.ts'
import { toCentsRoundedDown, wholeCents } from '../lib/money.ts'
import { onlyMaker, type Owner } from '../lib/owner.ts'

const DEFAULT_PERCENTS = [50, 80, 100]
const DEFAULT_LOW_BALANCE = wholeCents(100)
const HIGHEST_LOW_BALANCE_CENTS = 100_000_000
const MOST_PERCENTS = 10

const strict = { additionalProperties: false }

export type BalanceAlert = Readonly<Static<typeof BalanceAlertBody>>
export const BalanceAlertBody = Type.Object(
  {
    low_balance_cents: Type.Integer({
      minimum: 0,
      maximum: HIGHEST_LOW_BALANCE_CENTS,
      description: 'A charge that takes the balance below this amount writes balance.low.',
    }),
  },
  strict,
)

export type KeyAlert = Readonly<Static<typeof KeyAlertBody>>
export const KeyAlertBody = Type.Object(
  {
    threshold_percents: Type.Array(Type.Integer({ minimum: 1, maximum: 100 }), {
      maxItems: MOST_PERCENTS,
      uniqueItems: true,
      description:
        'Percentages of the limit of the key that write key.threshold. An empty list: none.',
    }),
  },
  strict,
)

type Reader = Owner & ByMember & { readonly primary: boolean }

/** Throws AppError key_cannot_mint_keys for a key that does not manage the account. */
export async function readBalanceAlert(
  database: Database,
  { accountId, mode, primary }: Reader,
): Promise<BalanceAlert> {
  if (!primary) throw new AppError('key_cannot_mint_keys')
  const { rows } = await database.query<{ low: bigint | null }>(
    'select low_balance_micros as low from wallets where account_id = $1 and mode = $2',
    [accountId, mode],
  )
  return { low_balance_cents: toCentsRoundedDown(rows[0]?.low ?? DEFAULT_LOW_BALANCE) }
}

/** Throws AppError key_cannot_mint_keys for a key that does not manage the account. */
export async function setBalanceAlert(
  database: Database,
  owner: Reader,
  { low_balance_cents: cents }: BalanceAlert,
): Promise<BalanceAlert> {
  if (!owner.primary) throw new AppError('key_cannot_mint_keys')
  await database.query(
    'update wallets set low_balance_micros = $3 where account_id = $1 and mode = $2',
    [owner.accountId, owner.mode, wholeCents(cents)],
  )
  return readBalanceAlert(database, owner)
}

export type KeyAlertRecord = KeyAlert & { readonly key_id: string }

/** Throws AppError unknown_key. */
export async function readKeyAlert(
  database: Database,
  owner: Owner,
  id: string,
): Promise<KeyAlertRecord> {
  const key = await findKey(database, owner, id)
  return {
    key_id: publicId('key', key.id),
    threshold_percents: key.percents?.map(Number) ?? DEFAULT_PERCENTS,
  }
}

/** Throws AppError key_cannot_mint_keys, role_not_allowed, unknown_key. */
export async function setKeyAlert(
  database: Database,
  owner: Reader,
  id: string,
  { threshold_percents: percents }: KeyAlert,
): Promise<KeyAlertRecord> {
  if (!owner.primary) throw new AppError('key_cannot_mint_keys')
  const key = await findKey(database, owner, id)
  requireOwnKey(owner, key)
  // In ascending order, which the trigger of key.threshold needs.
  await database.query('update budgets set alert_percents = $2::bigint[] where id = $1', [
    key.id,
    percents.toSorted((a, b) => a - b),
  ])
  return readKeyAlert(database, owner, id)
}

type AlertedKey = {
  readonly id: Id
  readonly person_id: Id | null
  readonly percents: readonly bigint[] | null
}

async function findKey(database: Database, owner: Owner, id: string): Promise<AlertedKey> {
  const { rows } = await database.query<AlertedKey>(
    `select keys.id, person_id, alert_percents as percents from keys join budgets on budgets.id = keys.id
     where account_id = $1 and ($2 = 'live' or mode = $2) and ($3::uuid is null or keys.id = $3) and keys.id = $4`,
    [owner.accountId, owner.mode, onlyMaker(owner), parsePublicId('key', id)],
  )
  const [key] = rows
  if (key === undefined) throw new AppError('unknown_key')
  return key
}
