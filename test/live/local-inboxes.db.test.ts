/** Inboxes of a gateway without settings: programs of this machine send to them, and they send to each other. */
import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { createTransport } from 'nodemailer'
import { pino } from 'pino'
import { readOwn } from '../../src/app/wiring/own/read-own.ts'
import { openMailServer, type MailServer } from '../../src/app/processes/mail-server.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { openEngine } from '../../src/app/wiring/engine.ts'
import { descriptor } from '../../src/catalog/published/descriptor.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { publishedOf } from '../../src/surfaces/http/routes/public/public-deps.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { refusal } from '../harness/refusal.ts'
import { openLiveBed } from './open-live-bed.ts'

const bed = await openLiveBed()
const log: string[] = []
const logger = pino(
  new Writable({
    write(line: Buffer, _encoding, done) {
      log.push(line.toString())
      done()
    },
  }),
)
const taken = createServer()
await new Promise<void>((ready) => taken.listen(0, '127.0.0.1', ready))
const takenPort = (taken.address() as AddressInfo).port
const server = await open(takenPort)
cleanUp(async () => {
  await server.close()
  await new Promise((closed) => taken.close(closed))
})

async function open(port: number): Promise<MailServer> {
  const config = loadConfig({ MAIL_PORT: String(port) })
  return (await openMailServer(config, bed.engine, logger)) ?? assert.fail('it listens')
}

const CENT = 10_000n
const ana = await newInbox('ana')
const bo = await newInbox('bo')

async function newInbox(username: string): Promise<string> {
  const { data } = await bed.ask('inbox', 'create_inbox', { username })
  return String(data['inbox_id'])
}

type Row = Record<string, unknown>
async function listOf(inbox: string): Promise<readonly Row[]> {
  const { data } = await bed.ask('inbox', 'list-messages', { inbox_id: inbox })
  return data['messages'] as readonly Row[]
}

describe('a gateway without settings', () => {
  it('creates inboxes at a domain that no other machine can have', () => {
    assert.deepEqual([ana, bo], ['ana@inbox.localhost', 'bo@inbox.localhost'])
  })

  it('uses another port of this machine when the port for email is taken, and logs both', () => {
    assert.notEqual(server.port, takenPort)
    const text = log.join('')
    assert.match(text, new RegExp(`port ${takenPort} for email is not free`))
    assert.match(
      text,
      new RegExp(
        `email from this machine only, at 127\\.0\\.0\\.1:${server.port}; set MAIL_DOMAIN`,
      ),
    )
  })

  it('receives email from programs of this machine, without encryption and name lookups', async () => {
    const transport = createTransport({ host: '127.0.0.1', port: server.port })
    await transport.sendMail({
      from: 'Shop <shop@example.com>',
      to: ana,
      subject: 'Your code',
      text: 'It is 123456.',
    })
    const [row] = await listOf(ana)
    assert.deepEqual([row?.['subject'], row?.['preview']], ['Your code', 'It is 123456.'])
    assert.deepEqual(row?.['authentication'], {
      spf: 'none',
      dkim: 'none',
      dmarc: 'none',
      dmarc_policy: null,
      signed_by: [],
    })
    await assert.rejects(
      transport.sendMail({ from: 'shop@example.com', to: 'eve@example.com', text: 'x' }),
      { responseCode: 550 },
    )
  })

  it('rejects other recipients with the settings to set, free', async () => {
    const [received] = await listOf(ana)
    const reply = { inbox_id: ana, message_id: received?.['message_id'], text: 'x' }
    const send = { inbox_id: ana, to: [bo, 'bo@example.com'], subject: 'x', text: 'x' }
    for (const [action, body, field] of [
      ['send', send, 'to'],
      ['reply', reply, 'message_id'],
    ] as const) {
      const error = await refusal(bed.ask('inbox', action, body), 'invalid_params')
      const { spec, param, chargedMicros } = error
      assert.deepEqual([spec.status, param, chargedMicros], [400, field, 0])
      assert.match(error.fix, /MAIL_DOMAIN, SMTP_URL/)
    }
    assert.equal((await listOf(bo)).length, 0)
  })

  it('delivers between its inboxes for the list price', async () => {
    const sent = await bed.ask('inbox', 'send', { inbox_id: ana, to: bo, subject: 'x', text: 'x' })
    assert.deepEqual([sent.status, sent.charged], [200, CENT])
    const [row] = await listOf(bo)
    assert.deepEqual(
      [row?.['from'], row?.['message_id'], row?.['labels']],
      [ana, sent.data['message_id'], ['received']],
    )
  })

  it('describes the limit to callers, and the inboxes of a domain of its own without it', async () => {
    const describeSend = (engine: typeof bed.engine): string => {
      const { catalog, lanes } = engine.calls
      const published = publishedOf({
        catalog,
        laneOf: lanes.statusOf,
        publicUrl: 'https://gate.example',
        discover: engine.discover,
      })
      const service = published.services.find(({ id }) => id === 'inbox') ?? assert.fail('inbox')
      return descriptor(published, service, 'send').description
    }
    assert.match(describeSend(bed.engine), /at inbox\.localhost: .* only from its own machine/)
    const other = await openEngine({
      config: loadConfig({ MAIL_DOMAIN: 'agents.example', IN_HOUSE: 'inboxes' }),
      own: await readOwn(loadConfig({})),
      database: bed.database,
      logger: pino({ level: 'silent' }),
      now: systemClock,
      work: false,
    })
    assert.equal(describeSend(other), 'Send an email from an inbox.')
    await other.close()
  })

  it('has no inboxes in a process that enables parts only by settings', async () => {
    const { inboxes, parts, close } = await openEngine({
      config: loadConfig({}),
      own: await readOwn(loadConfig({})),
      database: bed.database,
      logger: pino({ level: 'silent' }),
      now: systemClock,
      work: false,
    })
    await close()
    assert.deepEqual([inboxes, parts], [null, []])
  })
})
