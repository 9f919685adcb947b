import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cloneDatabase } from '../../../test/harness/postgres.ts'
import { createAccount } from '../../accounts/create-account.ts'
import type { Database } from '../../db/database.ts'
import { openHouse } from '../../app/wiring/selling.ts'
import { newId } from '../../lib/ids.ts'
import { HOUSE_EMAIL, houseCaller } from './house-account.ts'

const NOW_MS = Date.UTC(2026, 10, 23, 12)
const now = (): number => NOW_MS
const selling = { acceptances: [], publicUrl: 'https://gate.example' }

/** What the migration does to a database of before it. */
async function migrate(database: Database): Promise<void> {
  await database.query('drop index accounts_one_house')
  await database.query('alter table accounts drop column is_house')
  const text = await readFile(
    join(import.meta.dirname, '../../../migrations/0124-house-account.sql'),
    'utf8',
  )
  await database.query(text)
}

async function oldHouse(database: Database): Promise<string> {
  const id = newId(NOW_MS)
  await database.query(
    "insert into accounts (id, email, tier, created_at) values ($1, $2, 'business', $3)",
    [id, HOUSE_EMAIL, new Date(NOW_MS)],
  )
  await database.query("insert into wallets (account_id, mode) values ($1, 'live')", [id])
  await database.query('insert into budgets (id) values ($1)', [id])
  return id
}

describe('the account of anonymous buyers', () => {
  it('is made once, however many ask for it at the same moment, and has a wallet for each mode', async () => {
    const { database } = await cloneDatabase()
    const callers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        houseCaller(database, NOW_MS, index % 2 === 0 ? 'live' : 'test'),
      ),
    )
    assert.equal(new Set(callers.map(({ accountId }) => accountId)).size, 1)
    assert.equal(new Set(callers.map(({ walletId }) => walletId)).size, 2)
    assert.deepEqual((await database.query('select email, is_house from accounts')).rows, [
      { email: HOUSE_EMAIL, is_house: true },
    ])
  })

  it('is never an account that a person has, whose wallet gets nothing; the start names the way out', async () => {
    const { database } = await cloneDatabase()
    await createAccount({ database, now }, { email: HOUSE_EMAIL, tier: 'personal' })
    await assert.rejects(houseCaller(database, NOW_MS), { code: 'email_taken' })
    await assert.rejects(openHouse(database, selling, NOW_MS), {
      name: 'StartError',
      message: /tollgate accounts email --account anonymous-buyers@house\.invalid/,
    })
    await database.query("update accounts set email = 'jo@example.com'")
    await openHouse(database, selling, NOW_MS)
    assert.deepEqual((await database.query('select email from accounts where is_house')).rows, [
      { email: HOUSE_EMAIL },
    ])
  })

  it('stays the same account when another address is given to it', async () => {
    const { database } = await cloneDatabase()
    const { accountId } = await houseCaller(database, NOW_MS)
    await database.query("update accounts set email = 'renamed@example.com'")
    assert.equal((await houseCaller(database, NOW_MS)).accountId, accountId)
  })

  it('of a database of before is known again where no person and no key has it', async () => {
    const { database } = await cloneDatabase()
    const id = await oldHouse(database)
    await migrate(database)
    assert.equal((await houseCaller(database, NOW_MS)).accountId, id)
  })

  it('of a database of before is not known again where a person or a key has it', async () => {
    for (const takeOver of [
      "insert into account_passwords (account_id, password_hash, changed_at) select id, 'x', now() from accounts",
      "insert into account_identities (issuer, subject, account_id, created_at) select 'https://id.example', 's', id, now() from accounts",
    ]) {
      const { database } = await cloneDatabase()
      await oldHouse(database)
      await database.query(takeOver)
      await migrate(database)
      await assert.rejects(houseCaller(database, NOW_MS), { code: 'email_taken' })
    }
  })
})
