import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../test/harness/beds/world.ts'
import { createKey } from '../keys/create-key.ts'
import { parsePublicId } from '../lib/ids.ts'
import { closeAccount } from './close-account.ts'

const world = await createWorld()

test('closing an account during a ledger flush of its keys does not deadlock', async () => {
  const { database } = world
  const { caller, account } = await world.account()
  const made = await Promise.all(
    ['one', 'another'].map((label) => createKey(world.keys, caller, { label })),
  )
  const [lower, higher] = made.map(({ id }) => parsePublicId('key', id) ?? '').toSorted()
  // A row that was updated comes after the other in its table.
  await database.query('update budgets set last_used_ms = 1 where id = $1', [lower ?? ''])
  const lock = 'select from budgets where id = $1 for no key update'
  const { closing } = await database.transaction(async (flush) => {
    await flush.query(lock, [lower ?? ''])
    const begun = closeAccount(database, account.email)
    while (
      (
        await database.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).count === 0
    )
      await new Promise((resume) => setImmediate(resume))
    await flush.query(lock, [higher ?? ''])
    return { closing: begun }
  })
  assert.equal((await closing).endedKeys, 4)
  await assert.rejects(world.call(caller), { code: 'invalid_token' })
})
