import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDatabase } from '../../test/harness/postgres.ts'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { StartError } from '../errors/start-error.ts'
import { openDatabase } from './open-database.ts'

async function roleOn(attributes: string) {
  const { database, target } = await emptyDatabase()
  const role = `role_${target.database}`
  await database.query(`create role ${role} login ${attributes}`)
  cleanUp(async () => void (await database.query(`drop role ${role}`)))
  return { database, role, open: () => openDatabase({ databaseUrl: `postgres://${role}@${encodeURIComponent(target.host)}/${target.database}`, dataDir: '/nowhere' }) }
}

const refusal = (words: RegExp) => (error: unknown) => error instanceof StartError && words.test(error.message)

test('a role that may make no tables is told which right it lacks', async () => {
  const { open } = await roleOn('')
  await assert.rejects(open(), refusal(/lacks a right: permission denied for schema public\. Make it the owner/))
})

test('a database that takes no writes is told from one that is away', async () => {
  const { database, role, open } = await roleOn('')
  await database.query(`alter role ${role} set default_transaction_read_only = on`)
  await assert.rejects(open(), refusal(/takes no writes: it is a standby/))
})

test('a role that may open no connection is told the reason of the server', async () => {
  const { open } = await roleOn('connection limit 0')
  await assert.rejects(open(), refusal(/cannot be reached: too many connections for role/))
})
