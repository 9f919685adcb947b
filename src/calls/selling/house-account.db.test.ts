import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cloneDatabase } from '../../../test/harness/postgres.ts'
import { createAccount } from '../../accounts/create-account.ts'
import { openHouse } from '../../app/wiring/selling.ts'
import { HOUSE_EMAIL, houseCaller } from './house-account.ts'

const NOW_MS = Date.UTC(2026, 10, 23, 12)
const now = (): number => NOW_MS
const selling = { acceptances: [], publicUrl: 'https://gate.example' }

describe('the account of buyers without an account', () => {
  it('is created once by concurrent requests, with a wallet for each mode', async () => {
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

  it('is never an existing account; the start fails with the command to fix it', async () => {
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

  it('stays the same account after its address changes', async () => {
    const { database } = await cloneDatabase()
    const { accountId } = await houseCaller(database, NOW_MS)
    await database.query("update accounts set email = 'renamed@example.com'")
    assert.equal((await houseCaller(database, NOW_MS)).accountId, accountId)
  })
})
