/** Gateway processes on one PostgreSQL, with a stand-in vendor behind `semantic`: what an operator runs on several machines. */
import assert from 'node:assert/strict'
import { createAccount } from '../../src/accounts/create-account.ts'
import type { Database } from '../../src/db/database.ts'
import type { DatabaseAddress } from '../../src/db/embedded-postgres.ts'
import { postCredit } from '../../src/ledger/credit.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { newId, parsePublicId } from '../../src/lib/ids.ts'
import { cents, type Micros } from '../../src/lib/money.ts'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import { cloneDatabase, databaseUrl } from '../harness/postgres.ts'
import { startVendor, type TestVendor } from '../harness/vendors/vendor.ts'
import { ask } from './client.ts'

export type Wallet = { readonly balance: Micros; readonly held: Micros }
export type FireAccount = {
  readonly key: string
  readonly testKey: string
  readonly accountId: string
  wallet(): Promise<Wallet>
}
export type MadeKey = { readonly id: string; readonly key: string }

export type FireBed = {
  readonly database: Database
  readonly vendor: TestVendor
  start(environment?: Readonly<Record<string, string>>): Promise<GatewayProcess>
  startMany(count: number): Promise<GatewayProcess[]>
  /** An account with exactly this much live credit. */
  account(creditCents: string): Promise<FireAccount>
  charges(): Promise<Charge[]>
  /** As if every deadline had passed: the next sweep of any process gives the rooms back. */
  passDeadlines(): Promise<void>
  /** Resolves when no hold is open; fails after a deadline. */
  nothingHeld(): Promise<void>
  assertSound(): Promise<void>
}

export type Charge = {
  readonly id: string
  readonly status: string
  readonly micros: bigint
  readonly error: string | null
}

export const FOUND = {
  requestId: 'r',
  results: [{ id: 'https://a.example/', url: 'https://a.example/' }],
}
export const SEARCH = '/api/run/semantic/search'
// Sweeps run every five seconds; on a busy machine one may be late.
const SWEPT_WITHIN_MS = 120_000

/** To be called at the top level of a test file. */
export async function openFireBed(on?: {
  readonly database: Database
  readonly target: DatabaseAddress | string
}): Promise<FireBed> {
  const { database, target } = on ?? (await cloneDatabase())
  const vendor = await startVendor()
  vendor.answerWith(() => ({ body: FOUND }))
  const environment = {
    DATABASE_URL: typeof target === 'string' ? target : databaseUrl(target),
    DATA_DIR: dataFolder(),
    UPSTREAM_SEMANTIC_URL: vendor.url,
    UPSTREAM_SEMANTIC_KEY: 'vendor-secret-key',
  }
  const start: FireBed['start'] = (extra = {}) => startGateway({ ...environment, ...extra })
  return {
    database,
    vendor,
    start,
    startMany: (count) => Promise.all(Array.from({ length: count }, () => start())),
    account: (creditCents) => openAccount(database, cents(creditCents)),
    charges: () => chargesIn(database),
    passDeadlines: async () => void (await database.query('update holds set deadline_ms = 0')),
    nothingHeld: () => nothingHeld(database),
    async assertSound() {
      assert.deepEqual((await verifyLedger(database)).findings, [])
    },
  }
}

let accounts = 0

async function openAccount(database: Database, credit: Micros): Promise<FireAccount> {
  const now = systemClock
  accounts += 1
  const created = await createAccount(
    { database, now },
    { email: `fire-${process.pid}-${accounts}@example.com`, tier: 'personal' },
  )
  const accountId = parsePublicId('account', created.account.id) ?? ''
  const wallet = async (): Promise<Wallet & { id: bigint }> => {
    const { rows } = await database.query<Wallet & { id: bigint }>(
      "select id, balance_micros as balance, held_micros as held from wallets where account_id = $1 and mode = 'live'",
      [accountId],
    )
    assert.ok(rows[0])
    return rows[0]
  }
  const { id, balance } = await wallet()
  const missing = credit - balance
  if (missing !== 0n)
    await postCredit(database, {
      id: newId(now()),
      walletId: Number(id),
      kind: missing > 0n ? 'topup' : 'adjustment',
      amount: missing,
      nowMs: now(),
    })
  return {
    key: created.live.key,
    testKey: created.test.key,
    accountId,
    async wallet() {
      const state = await wallet()
      return { balance: state.balance, held: state.held }
    },
  }
}

/** A key made over HTTP with the account's primary key. */
export async function makeKey(
  url: string,
  primary: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<MadeKey> {
  const made = await ask({ url, key: primary, path: '/api/v1/agents', body: fields })
  assert.equal(made.status, 201, made.text)
  return (JSON.parse(made.text) as { data: MadeKey }).data
}

async function chargesIn(database: Database): Promise<Charge[]> {
  const { rows } = await database.query<Charge>(
    "select id, status, -amount_micros as micros, error_code as error from transactions where kind = 'call'",
  )
  return rows
}

async function nothingHeld(database: Database): Promise<void> {
  const until = performance.now() + SWEPT_WITHIN_MS
  for (;;) {
    const { rows } = await database.query<{ open: bigint }>(
      'select (select count(*) from holds) + (select coalesce(sum(held_micros), 0) from wallets) as open',
    )
    if (Number(rows[0]?.open) === 0) return
    assert.ok(performance.now() < until, 'what dead processes left is swept')
    await database.query('select pg_sleep(0.05)')
  }
}
