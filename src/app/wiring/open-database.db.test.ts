import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { databaseUrl, emptyDatabase } from '../../../test/harness/postgres.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { StartError } from '../../errors/start-error.ts'
import { testCertificate, testKey } from '../../upstream/http1/testing/certificate.ts'
import { openDatabase } from './open-database.ts'
import { SCHEMA } from './schema.ts'

async function roleOn(attributes: string) {
  const { database, target } = await emptyDatabase()
  const role = `role_${target.database}`
  await database.query(`create role ${role} login ${attributes}`)
  cleanUp(async () => void (await database.query(`drop role ${role}`)))
  return {
    database,
    role,
    open: () =>
      openDatabase({
        databaseUrl: `postgres://${role}@${encodeURIComponent(target.host)}/${target.database}`,
        dataDir: '/nowhere',
      }),
  }
}

const refusal = (words: RegExp) => (error: unknown) =>
  error instanceof StartError && words.test(error.message)

test('a role that cannot create tables is reported with the missing privilege', async () => {
  const { open } = await roleOn('')
  await assert.rejects(
    open(),
    refusal(/lacks a privilege: permission denied for schema public\. Make it the owner/),
  )
})

test('a role without any schema is reported without a stack', async () => {
  const { database, open } = await roleOn('')
  await database.query('revoke all on schema public from public')
  await assert.rejects(
    open(),
    refusal(/lacks a privilege: no schema has been selected to create in\. Make it the owner/),
  )
})

test('an untrusted database certificate is reported with the parameter to set', async () => {
  const secured: TLSSocket[] = []
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write('S')
      const options = { isServer: true, key: testKey, cert: testCertificate }
      secured.push(new TLSSocket(socket, options).on('error', () => {}))
    })
  }).listen(0, '127.0.0.1')
  cleanUp(() => {
    for (const socket of secured) socket.destroy()
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // Without a name: its lookup would wait for those of other tests.
  const open = () =>
    openDatabase({
      databaseUrl: `postgres://u@127.0.0.1:${port}/none?sslmode=verify-full`,
      dataDir: '/nowhere',
    })
  await assert.rejects(
    open(),
    refusal(
      /^The certificate of the database at DATABASE_URL is not trusted: self-signed certificate\. Set sslrootcert to the file [^;]*$/,
    ),
  )
})

test('distinguishes a read-only database from one that is away', async () => {
  const { database, role, open } = await roleOn('')
  await database.query(`alter role ${role} set default_transaction_read_only = on`)
  await assert.rejects(open(), refusal(/is read-only: it is a standby/))
})

test("a role at its connection limit is reported with the server's reason", async () => {
  for (const limit of [0, 1]) {
    const { open } = await roleOn(`connection limit ${limit}`)
    await assert.rejects(open(), refusal(/is unreachable: too many connections for role/))
  }
})

test('an unreadable certificate file in DATABASE_URL is reported', async () => {
  await assert.rejects(
    openDatabase({
      databaseUrl:
        'postgres://u@127.0.0.1:1/none?sslmode=verify-full&sslrootcert=/nowhere/root.pem',
      dataDir: '/nowhere',
    }),
    refusal(/^A file named in DATABASE_URL cannot be read: .*\/nowhere\/root\.pem/),
  )
})

test('an unusable data folder is reported immediately', async () => {
  for (const dataDir of [
    '/proc',
    '/proc/tollgate',
    '/proc/self/fd/a/b',
    '/dev/null',
    '/dev/null/tollgate',
  ])
    await assert.rejects(
      openDatabase({ databaseUrl: null, dataDir }),
      refusal(
        /^The data folder cannot be used: .*Make it writable for this user, or set DATA_DIR to another folder\.$/,
      ),
      dataDir,
    )
})

test('two processes that start at the same time migrate an empty database once', async () => {
  const { database, target } = await emptyDatabase()
  const opened = await Promise.all(
    [1, 2].map(() => openDatabase({ databaseUrl: databaseUrl(target), dataDir: '/nowhere' })),
  )
  await Promise.all(opened.map(({ close }) => close()))
  const { rows } = await database.query('select name from migrations order by name')
  assert.deepEqual(
    rows.map(({ name }) => name),
    readdirSync(SCHEMA.migrations)
      .filter((name) => name.endsWith('.sql'))
      .toSorted(),
  )
})
