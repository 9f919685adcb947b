import assert from 'node:assert/strict'
import { test } from 'node:test'
import { START_MS, accountsOf } from '../../../test/harness/beds/accounts.ts'
import { cloneDatabase } from '../../../test/harness/postgres.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { createBodyLog, LONGEST_BODY } from './body-log.ts'
import { readBodies } from './stored-bodies.ts'

const { database } = await cloneDatabase()
let nowMs = START_MS
const now = (): number => nowMs
const { openWallet } = accountsOf(database, now)

test('does not even read bodies of a wallet beyond its day, and stores those of others', async () => {
  const [full, other] = [await openWallet(), await openWallet()]
  await database.query('update accounts set stores_bodies = true')
  const log = createBodyLog({ database, now, mostPerDay: 3 * LONGEST_BODY })
  let reads = 0
  const request = {
    get query(): string {
      reads += 1
      return 'a'
    },
  }
  const record = (walletId: number, body: unknown, response: string | null = null) => {
    const id = newId(nowMs)
    log.record({ id, walletId, request: body, response })
    return id
  }
  const first = record(full, 'q'.repeat(LONGEST_BODY + 1), 'r'.repeat(LONGEST_BODY + 1))
  const beyond = record(full, request)
  assert.equal(reads, 0)
  const ofOther = record(other, request)
  nowMs += DAY_MS
  const nextDay = record(full, request)
  await log.flush()
  const requestOf = async (walletId: number, id: string) =>
    (await readBodies(database, walletId, id))?.request ?? null
  assert.equal((await requestOf(full, first))?.length, LONGEST_BODY)
  assert.deepEqual(
    [
      await requestOf(full, beyond),
      await requestOf(other, ofOther),
      await requestOf(full, nextDay),
    ],
    [null, '{"query":"a"}', '{"query":"a"}'],
  )
})
