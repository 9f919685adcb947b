import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { findAnswer } from './answers.ts'

const slot = {
  accountId: '0'.repeat(32),
  route: 'POST /welcome',
  key: 'a',
  fingerprint: 'aa',
  secret: 'b',
}

test('finds no answer for an unknown key, and throws when the database is away', async () => {
  assert.equal(await findAnswer({ query: async () => ({ rows: [], count: 0 }) }, slot), null)
  await assert.rejects(
    findAnswer({ query: () => Promise.reject(new AppError('overloaded')) }, slot),
    { code: 'overloaded' },
  )
})
