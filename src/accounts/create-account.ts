import type { Database, Transaction } from '../db/database.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import { insertKey } from '../keys/create-key.ts'
import { modeOfSecret, newSecret } from '../keys/format.ts'
import { keyRecord, type KeyWithSecret } from '../keys/key-record.ts'
import { postCredit } from '../ledger/credit.ts'
import type { Clock } from '../lib/clock.ts'
import { newId, type Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import { dollars } from '../lib/money.ts'
import { accountOf, ACCOUNT_COLUMNS, type Account, type AccountRow, type Tier } from './account.ts'
import { addMember, findOrCreatePerson } from '../auth/records/add-member.ts'
import { readEmail } from '../auth/records/email.ts'
import { takeWelcomeCredit } from './welcome-credit.ts'

export type NewAccount = {
  readonly email: string
  readonly tier: Tier
  /** The operator's own account. There is only one. */
  readonly owner?: boolean
  /** A well-formed live secret for the primary key, instead of a new one. */
  readonly liveSecret?: string
  /** For self-registered accounts: how many receive welcome credit per day. When omitted, this one receives it. */
  readonly welcomeCreditsPerDay?: number
}

export type CreatedAccount = {
  readonly account: Account
  readonly live: KeyWithSecret
  readonly test: KeyWithSecret
  readonly hasWelcomeCredit: boolean
}

export const WELCOME_CREDIT = { personal: dollars('2'), business: dollars('10') } as const
const TEST_CREDIT = dollars('100')

/**
 * Creates an account in one transaction: a live wallet with the welcome credit if any, a test wallet,
 * and a primary key for each. The person with its address becomes its owner. Only this result contains the secrets. Throws AppError email_taken or
 * invalid_params.
 */
export function createAccount(
  { database, now }: { database: Database; now: Clock },
  input: NewAccount,
): Promise<CreatedAccount> {
  return database.transaction((tx) => createAccountWithin(tx, input, now()))
}

/** The same inside a running transaction, which is unusable after an error. */
export async function createAccountWithin(
  tx: Transaction,
  input: NewAccount,
  nowMs: number,
): Promise<CreatedAccount> {
  const email = readEmail(input.email)
  const secrets = {
    live: readLiveSecret(input.liveSecret) ?? newSecret('live'),
    test: newSecret('test'),
  }
  try {
    const account = await insertAccount(tx, { ...input, email }, nowMs)
    const personId = await findOrCreatePerson(tx, email, nowMs)
    await addMember(tx, { accountId: account.id, personId, role: 'owner', nowMs })
    const hasWelcomeCredit =
      input.welcomeCreditsPerDay === undefined ||
      (await takeWelcomeCredit(tx, { mostPerDay: input.welcomeCreditsPerDay, nowMs }))
    await openWallet(
      tx,
      account.id,
      'live',
      hasWelcomeCredit ? WELCOME_CREDIT[input.tier] : 0n,
      nowMs,
    )
    await openWallet(tx, account.id, 'test', TEST_CREDIT, nowMs)
    const live = await insertPrimaryKey(tx, account.id, 'live', secrets.live, nowMs)
    const test = await insertPrimaryKey(tx, account.id, 'test', secrets.test, nowMs)
    return { account: accountOf(account), live, test, hasWelcomeCredit }
  } catch (error) {
    throw refusalOf(error, email) ?? error
  }
}

function readLiveSecret(secret: string | undefined): string | undefined {
  if (secret === undefined || modeOfSecret(secret) === 'live') return secret
  throw new AppError('invalid_params', 'The given key is not a well-formed live key.', {
    fix: 'Create one with "./tollgate keygen".',
  })
}

async function insertAccount(
  tx: Transaction,
  { email, tier, owner = false }: NewAccount,
  nowMs: number,
): Promise<AccountRow> {
  const { rows } = await tx.query<AccountRow>(
    `insert into accounts (id, email, tier, is_owner, is_operator, created_at) values ($1, $2, $3, $4, $4, $5) returning ${ACCOUNT_COLUMNS}`,
    [newId(nowMs), email, tier, owner, new Date(nowMs)],
  )
  const row = rows[0]
  invariant(row !== undefined, 'an insert returns its row')
  return row
}

async function openWallet(
  tx: Transaction,
  accountId: Id,
  mode: Mode,
  credit: bigint,
  nowMs: number,
): Promise<void> {
  const { rows } = await tx.query<{ id: bigint }>(
    'insert into wallets (account_id, mode) values ($1, $2) returning id',
    [accountId, mode],
  )
  if (credit > 0n)
    await postCredit(tx, {
      id: newId(nowMs),
      walletId: Number(rows[0]?.id),
      kind: 'grant',
      amount: credit,
      nowMs,
      reference: mode === 'live' ? 'welcome' : 'test',
    })
}

async function insertPrimaryKey(
  tx: Transaction,
  accountId: Id,
  mode: Mode,
  secret: string,
  nowMs: number,
): Promise<KeyWithSecret> {
  const row = await insertKey(tx, {
    accountId,
    secret,
    primary: true,
    scope: 'account',
    label: 'Primary',
    nowMs,
  })
  return { ...keyRecord(row, nowMs), key: secret }
}

/** The cause for which the database rejected the account, or undefined for other errors. */
export function refusalOf(error: unknown, email: string): AppError | undefined {
  const { constraint } = error as { constraint?: string }
  if (constraint === 'accounts_email' || constraint === 'people_email')
    return new AppError('email_taken', `An account for ${email} already exists.`, {
      param: 'email',
      cause: error,
    })
  if (constraint === 'accounts_one_owner')
    return new AppError('bad_request', 'An owner account already exists.', { cause: error })
  if (constraint === 'keys_secret_hash_key')
    return new AppError('invalid_params', 'The given key belongs to another account.', {
      fix: 'Create a new one with "./tollgate keygen".',
      cause: error,
    })
  return undefined
}
