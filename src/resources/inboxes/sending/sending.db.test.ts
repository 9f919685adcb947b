import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { authenticate } from 'mailauth'
import { SMTPServer } from 'smtp-server'
import { anotherCaller } from '../../../../test/harness/beds/calls.ts'
import { MAIL_DOMAIN, openInboxBed } from '../../../../test/harness/beds/inboxes.ts'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { refusal } from '../../../../test/harness/refusal.ts'
import { endInterruptedSends } from '../forget-messages.ts'
import { HOUR_MS } from '../../../lib/clock.ts'
import { createCompose } from './compose.ts'
import { createRelay } from './relay.ts'

type Relayed = { readonly from: string; readonly to: string[]; readonly raw: string }
type Behavior = 'accept' | 'reject' | 'reject later' | 'drop after the message' | 'refuse one'

/** The operator's relay. */
const relayed: Relayed[] = []
let behavior: Behavior = 'accept'
const relay = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  onRcptTo({ address }, _session, done) {
    const isRefused = behavior === 'refuse one' && address.startsWith('bad')
    done(isRefused ? Object.assign(new RangeError('5.1.1 unknown'), { responseCode: 550 }) : null)
  },
  onData(stream, session, done) {
    const pieces: Buffer[] = []
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    stream.on('end', () => {
      const { mailFrom, rcptTo } = session.envelope
      if (behavior === 'reject')
        return done(Object.assign(new RangeError('5.7.1 spam'), { responseCode: 554 }))
      if (behavior === 'reject later')
        return done(Object.assign(new RangeError('4.2.0 later'), { responseCode: 451 }))
      relayed.push({
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        raw: Buffer.concat(pieces).toString(),
      })
      if (behavior === 'drop after the message')
        for (const connection of relay.connections) connection._socket.destroy()
      else done()
    })
  },
})
relay.on('error', () => undefined)
await new Promise<void>((ready) => relay.listen(0, '127.0.0.1', ready))
cleanUp(() => new Promise<void>((closed) => relay.close(closed)))

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const KEY = {
  selector: 'gate',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}
const DKIM_RECORD = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
const address = relay.server.address()
const port = typeof address === 'object' && address !== null ? address.port : 0
const bed = await openInboxBed(({ now }) => ({
  relay: createRelay(`smtp://127.0.0.1:${port}`),
  compose: createCompose(MAIL_DOMAIN, KEY, now),
}))
const { database, clock, run, transport } = bed
const ana = String(
  (await run('create_inbox', { username: 'ana', display_name: 'Ana, "A"' }))['inbox_id'],
)
const CENT = 10_000n

beforeEach(() => {
  behavior = 'accept'
  relayed.length = 0
  clock.advance(25 * HOUR_MS)
})

const LETTER = { inbox_id: ana, to: 'bo@example.com', subject: 'Hello', text: 'Hello Bo.' }

async function charged(work: () => Promise<unknown>): Promise<bigint> {
  const before = await bed.balance()
  await work()
  const after = await bed.balance()
  assert.equal(after.held, 0n)
  return before.balance - after.balance
}

async function receive(message: {
  messageId: string
  headers?: object
  from?: string
  envelope?: object
}): Promise<void> {
  await transport.sendMail({
    envelope: { from: 'bo@example.com', to: [ana] },
    from: 'Bo <bo@example.com>',
    to: ana,
    subject: 'Question',
    text: 'A question.',
    ...(message as object),
  })
}

describe('inbox/send', () => {
  it('sends a signed message through the relay for its list price, and lists it', async () => {
    let sent: Record<string, unknown> = {}
    assert.equal(await charged(async () => (sent = await run('send', LETTER))), CENT)
    const [message] = relayed
    assert.ok(message !== undefined)
    assert.deepEqual(message.to, ['bo@example.com'])
    assert.match(message.from, /^bounce\+[0-9a-f]{32}-[0-9a-f]{16}@agents\.example$/)
    assert.match(message.raw, /^From: "Ana, \\"A\\"" <ana@agents\.example>\r$/m)
    assert.match(message.raw, new RegExp(`^Message-ID: ${String(sent['message_id'])}\r$`, 'mi'))
    const { dkim, dmarc } = await authenticate(Buffer.from(message.raw), {
      ip: '192.0.2.1',
      helo: 'relay.example',
      disableBimi: true,
      disableArc: true,
      resolver: async (name: string, kind: string) => {
        const text = {
          'gate._domainkey.agents.example': DKIM_RECORD,
          '_dmarc.agents.example': 'v=DMARC1; p=reject',
        }[name]
        if (kind !== 'TXT' || text === undefined)
          throw Object.assign(new RangeError(name), { code: 'ENOTFOUND' })
        return [[text]]
      },
    })
    assert.equal(dkim.results[0]?.status.result, 'pass')
    assert.equal(dmarc === false ? '' : dmarc.status.result, 'pass')
    const { messages } = await run('list-messages', { inbox_id: ana, limit: 1 })
    const [row] = messages as Record<string, unknown>[]
    assert.deepEqual([row?.['message_id'], row?.['labels']], [sent['message_id'], ['sent']])
  })

  it('bounds messages that the relay rejects, per domain and account, and no paid ones', async () => {
    behavior = 'reject'
    for (let count = 0; count < 4; count += 1)
      await refusal(run('send', { ...LETTER, to: `a${count}@victim.example` }), 'upstream_rejected')
    await refusal(run('send', { ...LETTER, to: 'b@victim.example' }), 'rate_limited')
    for (let count = 4; count < 10; count += 1)
      await refusal(run('send', { ...LETTER, to: `a@v${count}.example` }), 'upstream_rejected')
    await refusal(run('send', { ...LETTER, to: 'a@fresh.example' }), 'rate_limited')
    clock.advance(HOUR_MS)
    behavior = 'reject later'
    for (let count = 0; count < 6; count += 1)
      await refusal(run('send', { ...LETTER, to: 'c@victim.example' }), 'upstream_busy')
    behavior = 'accept'
    await run('send', { ...LETTER, to: 'c@victim.example' })
  })

  it('charges nothing when the relay rejects the message, and sends it when repeated', async () => {
    behavior = 'reject'
    assert.equal(
      await charged(() => refusal(run('send', LETTER, { key: 'again' }), 'upstream_rejected')),
      0n,
    )
    behavior = 'reject later'
    assert.equal(await charged(() => refusal(run('send', LETTER), 'upstream_busy')), 0n)
    behavior = 'accept'
    assert.equal(await charged(() => run('send', LETTER, { key: 'again' })), CENT)
    assert.equal(relayed.length, 1)
  })

  it('never sends a message twice under one key after the relay answered nothing', async () => {
    behavior = 'drop after the message'
    assert.equal(
      await charged(() => refusal(run('send', LETTER, { key: 'lost' }), 'upstream_timeout')),
      0n,
    )
    behavior = 'accept'
    assert.equal(
      await charged(() => refusal(run('send', LETTER, { key: 'lost' }), 'upstream_timeout')),
      0n,
    )
    assert.equal(relayed.length, 1)
    const { messages } = await run('list-messages', { inbox_id: ana, limit: 1 })
    assert.deepEqual((messages as Record<string, unknown>[])[0]?.['labels'], ['unconfirmed'])
  })

  it('returns the message of an interrupted call that was sent, and charges it once', async () => {
    const first = await run('send', LETTER, { key: 'settled late' })
    // The process died between the relay's answer and the charge.
    await database.query("delete from answers where idempotency_key = 'settled late'")
    const second = await run('send', LETTER, { key: 'settled late' })
    assert.equal(second['message_id'], first['message_id'])
    assert.equal(relayed.length, 1)
  })

  it('marks a message as unconfirmed whose process died while it sent it', async () => {
    const { message_id: id } = await run('send', LETTER)
    await database.query("update inbox_messages set status = 'sending' where message_id = $1", [
      String(id),
    ])
    await endInterruptedSends(database, clock() + HOUR_MS)
    const { rows } = await database.query(
      'select status from inbox_messages where message_id = $1',
      [String(id)],
    )
    assert.deepEqual(rows, [{ status: 'unknown' }])
  })

  it('reports recipients that the relay refused', async () => {
    behavior = 'refuse one'
    const sent = await run('send', { ...LETTER, to: ['bad@example.com', 'bo@example.com'] })
    assert.deepEqual(
      (sent['bounces'] as Record<string, unknown>[]).map(({ recipient, status }) => [
        recipient,
        status,
      ]),
      [['bad@example.com', '550']],
    )
    assert.equal(
      await charged(() =>
        refusal(run('send', { ...LETTER, to: 'bad@example.com' }), 'upstream_rejected'),
      ),
      0n,
    )
  })

  it('delivers to inboxes itself, and to no inbox when the relay rejects the message', async () => {
    const inbox = String((await run('create_inbox', { username: 'inside' }))['inbox_id'])
    const countOf = async () => (await run('list-messages', { inbox_id: inbox }))['count']
    const letter = { ...LETTER, to: ['bo@example.com', inbox] }
    behavior = 'reject'
    await refusal(run('send', letter), 'upstream_rejected')
    assert.equal(await countOf(), 0)
    behavior = 'accept'
    await run('send', letter)
    assert.equal(await countOf(), 1)
    assert.deepEqual(
      relayed.map(({ to }) => to),
      [['bo@example.com']],
    )
  })

  it('limits the recipients of an account and day, and rejects messages without content', async () => {
    const to = Array.from({ length: 11 }, (_, number) => `bo${number}@example.com`)
    await run('send', { ...LETTER, to })
    await refusal(run('send', { ...LETTER, to }), 'rate_limited')
    await refusal(
      run('send', { inbox_id: ana, to: 'bo@example.com', subject: 'x' }),
      'invalid_params',
    )
    clock.advance(24 * HOUR_MS + 1)
    await run('send', { ...LETTER, to })
  })

  it('adds no header fields from texts, and answers 404 to other accounts', async () => {
    await refusal(
      run('send', { ...LETTER, subject: 'x\r\nBcc: eve@example.com' }),
      'invalid_params',
    )
    await refusal(
      run('send', { ...LETTER, to: 'bo@example.com\r\nBcc: eve@example.com' }),
      'invalid_params',
    )
    const raw = await createCompose(
      MAIL_DOMAIN,
      null,
      clock,
    )({
      inbox: ana,
      displayName: 'Ana\r\nBcc: eve@example.com',
      messageId: '<1@agents.example>',
      to: ['bo@example.com'],
      subject: 'x\r\nBcc: eve@example.com',
      text: 'x\r.\rMAIL FROM:<eve@example.com>\ny',
      html: undefined,
      inReplyTo: '<2@x>\r\nBcc: eve@example.com',
      references: ['<3@x>\r\nBcc: eve@example.com'],
    })
    assert.doesNotMatch(raw.toString(), /^bcc:/im)
    assert.doesNotMatch(raw.toString(), /\r(?!\n)|=0D(?!=0A)/)
    assert.match(raw.toString(), /^y\r?$/m)
    const caller = await anotherCaller(bed)
    await refusal(run('send', LETTER, { caller }), 'unknown_inbox')
    assert.equal(relayed.length, 0)
  })
})

describe('inbox/reply', () => {
  it('replies to the sender in the conversation', async () => {
    await receive({ messageId: '<q@example.com>', headers: { references: '<start@example.com>' } })
    const reply = { inbox_id: ana, message_id: '<q@example.com>', text: 'An answer.' }
    assert.equal(await charged(() => run('reply', reply)), CENT)
    const [message] = relayed
    assert.deepEqual(message?.to, ['bo@example.com'])
    assert.match(message?.raw ?? '', /^Subject: Re: Question\r$/m)
    assert.match(message?.raw ?? '', /^In-Reply-To: <q@example\.com>\r$/m)
    assert.match(message?.raw ?? '', /^References: <start@example\.com>\s+<q@example\.com>\r$/m)
    const { messages } = await run('list-messages', { inbox_id: ana, limit: 2 })
    const threads = (messages as Record<string, unknown>[]).map(({ thread_id: id }) => id)
    assert.equal(new Set(threads).size, 1)
  })

  it('does not reply to a message whose envelope has no sender, or that of a program', async () => {
    for (const [index, sender] of ['', 'owner-news@lists.example'].entries()) {
      const messageId = `<envelope-${index}@example.com>`
      await receive({ messageId, envelope: { from: sender, to: [ana] } })
      await refusal(
        run('reply', { inbox_id: ana, message_id: messageId, text: 'x' }),
        'upstream_rejected',
      )
    }
  })

  it('does not reply to programs, nor more than 20 times within an hour', async () => {
    await receive({
      messageId: '<auto@example.com>',
      headers: { 'auto-submitted': 'auto-replied' },
    })
    await refusal(
      run('reply', { inbox_id: ana, message_id: '<auto@example.com>', text: 'x' }),
      'upstream_rejected',
    )
    await receive({ messageId: '<again@example.com>' })
    const reply = { inbox_id: ana, message_id: '<again@example.com>', text: 'x' }
    for (let count = 0; count < 20; count += 1) await run('reply', reply)
    await refusal(run('reply', reply), 'rate_limited')
    await refusal(
      run('reply', { ...reply, message_id: '<none@example.com>' }),
      'upstream_not_found',
    )
    assert.equal(relayed.length, 20)
  })
})

describe('a delivery report', () => {
  const report = (recipient: string, original: string): string =>
    [
      'From: mailer-daemon@example.com',
      'Subject: Undeliverable',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=q',
      '',
      '--q',
      'Content-Type: text/plain',
      '',
      'Sorry.',
      '--q',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; example.com',
      '',
      `Final-Recipient: rfc822; ${recipient}`,
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 no such',
      ' user',
      '--q',
      'Content-Type: text/rfc822-headers',
      '',
      `Message-ID: ${original}`,
      '--q--',
      '',
    ].join('\r\n')

  async function bouncesOf(messageId: unknown): Promise<unknown> {
    const { messages } = await run('list-messages', { inbox_id: ana, message_id: messageId })
    return (messages as Record<string, unknown>[])[0]?.['bounces']
  }

  it('is recorded once at the sent message, by its envelope or its Message-ID', async () => {
    const first = await run('send', LETTER)
    const raw = report('bo@example.com', String(first['message_id']))
    const to = [relayed[0]?.from ?? '']
    for (let count = 0; count < 2; count += 1)
      await transport.sendMail({ envelope: { from: '', to }, raw })
    const expected = {
      recipient: 'bo@example.com',
      status: '5.1.1',
      reason: '550 no such user',
      at: new Date(clock()).toISOString(),
    }
    assert.deepEqual(await bouncesOf(first['message_id']), [expected])
    const second = await run('send', LETTER)
    await transport.sendMail({
      envelope: { from: '', to: [ana] },
      raw: report('bo@example.com', String(second['message_id'])),
    })
    assert.deepEqual(await bouncesOf(second['message_id']), [expected])
  })

  it('is ignored with a sender, for another recipient, and for an unknown address', async () => {
    const sent = await run('send', LETTER)
    const [message] = relayed
    const raw = report('bo@example.com', String(sent['message_id']))
    await transport.sendMail({
      envelope: { from: 'eve@example.com', to: [message?.from ?? ''] },
      raw,
    })
    const forged = (message?.from ?? '').replace(/-[0-9a-f]{16}@/, '-0000000000000000@')
    await assert.rejects(transport.sendMail({ envelope: { from: '', to: [forged] }, raw }), {
      responseCode: 550,
    })
    assert.deepEqual(await bouncesOf(sent['message_id']), [])
    for (const to of [ana, message?.from ?? ''])
      await transport.sendMail({
        envelope: { from: '', to: [to] },
        raw: report('victim@example.com', String(sent['message_id'])),
      })
    assert.deepEqual(await bouncesOf(sent['message_id']), [])
  })
})
