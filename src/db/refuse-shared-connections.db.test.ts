import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { emptyDatabase } from '../../test/harness/postgres.ts'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { StartError } from '../errors/start-error.ts'
import { connectDatabase, type Database } from './database.ts'
import { refuseSharedConnections } from './refuse-shared-connections.ts'

type Told = Pick<Database, 'connect' | 'transaction'>

/** A client behind a pooler: `serverFor` selects the server connection of each query. */
async function pooled(
  serverFor: (servers: readonly Database[], inTransaction: boolean) => Database,
): Promise<Told> {
  const { target } = await emptyDatabase()
  const servers = [0, 1].map(() => connectDatabase(target, { poolSize: 1 }))
  cleanUp(async () => void (await Promise.all(servers.map((server) => server.close()))))
  let isBusy = false
  const client = {
    connect: async () => {},
    query: (text: string) => serverFor(servers, isBusy).query(text),
    end: async () => {},
  }
  return {
    connect: () => client as unknown as pg.Client,
    async transaction(work) {
      isBusy = true
      return await work({ query: serverFor(servers, false).query })
    },
  }
}

const refusal = (error: unknown) =>
  error instanceof StartError && /pool_mode = session/.test(error.message)

test('refuses a pooler that shares one server connection between clients', async () => {
  await assert.rejects(refuseSharedConnections(await pooled(([one]) => one as Database)), refusal)
})

test('refuses a pooler that moves a client to another server connection', async () => {
  const moved = await pooled(([one, other], isBusy) => (isBusy ? other : one) as Database)
  const apart: Told = {
    ...moved,
    transaction: (work) =>
      moved.transaction(() => work({ query: async () => ({ rows: [], count: 0 }) })),
  }
  await assert.rejects(refuseSharedConnections(apart), refusal)
})

test('accepts separate server connections', async () => {
  const { database } = await emptyDatabase()
  await assert.doesNotReject(refuseSharedConnections(database))
})
