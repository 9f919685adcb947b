/** A gateway process that receives email and is killed while it stores a message. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { findOwner } from '../../src/accounts/find-account.ts'
import { grantCredit } from '../../src/accounts/grant-credit.ts'
import { cents } from '../../src/lib/money.ts'
import { cleanUp } from '../harness/clean-up.ts'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import { cloneDatabase, databaseUrl } from '../harness/postgres.ts'

const { database, target } = await cloneDatabase()
const folder = dataFolder()
const WITHIN_MS = 20_000
let gateway: GatewayProcess
let key = ''
let mailPort = 0

/** Bodies of the deliveries to the webhook. */
const delivered: string[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (piece: Buffer) => (body += piece.toString()))
  request.on('end', () => {
    delivered.push(body)
    response.writeHead(204).end()
  })
})

async function freePort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

const start = (): Promise<GatewayProcess> =>
  startGateway({
    DATABASE_URL: databaseUrl(target),
    DATA_DIR: folder,
    IN_HOUSE: 'inboxes',
    MAIL_DOMAIN: 'agents.example',
    MAIL_HOST: '127.0.0.1',
    MAIL_PORT: String(mailPort),
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
  })

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const reply = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await reply.json()) as Record<string, unknown>
}

const MESSAGE = {
  envelope: { from: 'bo@sender.example', to: ['ana@agents.example'] },
  raw: 'From: bo@sender.example\r\nMessage-ID: <1@sender.example>\r\nSubject: Hello\r\n\r\nHello.\r\n',
}

const send = () =>
  createTransport({
    host: '127.0.0.1',
    port: mailPort,
    tls: { rejectUnauthorized: false },
  }).sendMail(MESSAGE)

async function until(what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const deadlineMs = performance.now() + WITHIN_MS
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadlineMs, `${what} within ${WITHIN_MS} ms`)
    await delay(20)
  }
}

const stored = async (): Promise<number> =>
  (await database.query('select 1 from inbox_messages')).rows.length

before(async () => {
  mailPort = await freePort()
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))
  cleanUp(() => new Promise<void>((closed) => void receiver.close(() => closed())))
  gateway = await start()
  key = /tg_live_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
  const owner = await findOwner(database)
  assert.ok(owner !== null)
  await grantCredit(
    { database, now: Date.now },
    { accountId: owner.accountId, mode: 'live', amount: cents('2000') },
  )
  await post('/api/run/inbox/create_inbox', { username: 'ana' })
  const { port } = receiver.address() as AddressInfo
  await post('/api/v1/webhooks', { url: `http://127.0.0.1:${port}/`, events: ['inbox.message'] })
})

it('accepts no message that a killed process has not stored, and stores the repeated one once', async () => {
  const answer = Promise.withResolvers<unknown>()
  await database.transaction(async (tx) => {
    await tx.query('lock table inbox_messages in share mode')
    send().then(answer.resolve, answer.resolve)
    await until('the gateway is storing the message', async () => {
      const { rows } = await tx.query(
        "select 1 from pg_locks where relation = 'inbox_messages'::regclass and not granted",
      )
      return rows.length > 0
    })
    await gateway.end('SIGKILL')
  })
  assert.ok((await answer.promise) instanceof Error, 'the sender gets no answer')
  assert.equal(await stored(), 0)
  gateway = await start()
  for (let count = 0; count < 3; count += 1) assert.match((await send()).response, /^250/)
  assert.equal(await stored(), 1)
})

it('delivers the event of a message to the webhook once', async () => {
  await until('the webhook receives the event', () => delivered.length > 0)
  // A second message, so that further deliveries of the first one would have arrived before.
  MESSAGE.raw = MESSAGE.raw.replace('<1@', '<2@')
  await send()
  await until('the webhook receives the second event', () =>
    delivered.some((body) => body.includes('<2@sender.example>')),
  )
  assert.equal(delivered.filter((body) => body.includes('<1@sender.example>')).length, 1)
})

it('sends 451 while the database is away for the message, and stops within its time', async () => {
  MESSAGE.raw = MESSAGE.raw.replace('<2@', '<3@')
  const error = await database.transaction(async (tx) => {
    await tx.query('lock table inbox_messages in share mode')
    return send().then(
      () => null,
      (reason: unknown) => reason as { readonly responseCode?: number },
    )
  })
  assert.equal(error?.responseCode, 451)
  assert.match((await send()).response, /^250/)
  assert.equal(await gateway.end('SIGTERM'), 0)
  assert.equal(await stored(), 3)
})
