import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { beforeEach, describe, it } from 'node:test'
import { anotherCaller } from '../../../test/harness/beds/calls.ts'
import { openInboxBed } from '../../../test/harness/beds/inboxes.ts'
import { grantCredit } from '../../accounts/grant-credit.ts'
import { closeAccount } from '../../accounts/close-account.ts'
import { forgetAccount } from '../../accounts/forget-account.ts'
import { AppError } from '../../errors/app-error.ts'
import { readFileBytes } from '../../resources/files/read-file.ts'
import { sweepInboxes } from '../../resources/inboxes/create-inbox.ts'
import { findInbox } from '../../resources/inboxes/find-inbox.ts'
import { forgetMessages } from '../../resources/inboxes/forget-messages.ts'
import { findRecipient, receiveMessage } from '../../resources/inboxes/receiving/receive-message.ts'
import { DAY_MS, HOUR_MS } from '../../lib/clock.ts'
import { cents } from '../../lib/money.ts'
import { MOST_COMMANDS } from './limit-commands.ts'
import { HOSTILE_PER_SENDER, OWN_NETWORK_FACTOR } from './sender-limits.ts'

const bed = await openInboxBed()
const { database, clock, inboxes, transport, run } = bed

// The limits of the sending address reset.
beforeEach(() => clock.advance(61_000))

type Row = Record<string, unknown> & { readonly attachments: Record<string, unknown>[] }

async function listOf(inbox: string): Promise<readonly Row[]> {
  const { messages } = await run('list-messages', { inbox_id: inbox })
  return messages as Row[]
}

async function newInbox(username: string): Promise<string> {
  return String((await run('create_inbox', { username }))['inbox_id'])
}

async function eventsOf(inbox: string): Promise<number> {
  const { rows } = await database.query<{ count: bigint }>(
    "select count(*) as count from events where type = 'inbox.message' and data ->> 'inbox_id' = $1",
    [inbox],
  )
  return Number(rows[0]?.count)
}

/** The code of the server's last answer to these lines. */
function talk(
  lines: readonly string[],
): Promise<{ readonly codes: number[]; readonly text: string }> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(bed.listener.port, '127.0.0.1')
    socket.on('data', (piece) => (text += piece.toString()))
    socket.once('data', () => socket.write(lines.map((line) => `${line}\r\n`).join('')))
    socket.on('error', () => undefined)
    socket.on('close', () =>
      resolve({ text, codes: [...text.matchAll(/^(\d{3}) /gm)].map(([, code]) => Number(code)) }),
    )
  })
}

async function refusedSending(message: Parameters<typeof transport.sendMail>[0]): Promise<number> {
  const error = await transport.sendMail(message).then(
    () => assert.fail('the message was accepted'),
    (reason: unknown) => reason,
  )
  return (error as { readonly responseCode: number }).responseCode
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail('the call succeeded'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof AppError, String(error))
  return error.code
}

describe('an inbox of the gateway', () => {
  it('stores a received message with its attachment as a file, and writes one event', async () => {
    const ana = await newInbox('ana')
    assert.equal(ana, 'ana@agents.example')
    await transport.sendMail({
      from: 'Bo Example <bo@sender.example>',
      to: [ana, 'other@elsewhere.example'],
      envelope: { from: 'bo@sender.example', to: [ana] },
      messageId: '<one@sender.example>',
      subject: 'Grüße 👋',
      text: 'Your code is 123456.',
      html: '<p>Your code is 123456.</p>',
      attachments: [{ filename: 'ünï code.txt', content: 'attached' }],
    })
    const [row, ...more] = await listOf(ana)
    assert.ok(row !== undefined && more.length === 0)
    assert.deepEqual(
      [row['message_id'], row['from'], row['to'], row['subject'], row['preview'], row['labels']],
      [
        '<one@sender.example>',
        'Bo Example <bo@sender.example>',
        [ana, 'other@elsewhere.example'],
        'Grüße 👋',
        'Your code is 123456.',
        ['received'],
      ],
    )
    const [attachment] = row.attachments
    assert.equal(attachment?.['filename'], 'ünï code.txt')
    const owner = { ...bed.caller, mode: 'live' as const }
    const file = await readFileBytes(
      inboxes.files,
      owner,
      String(attachment?.['attachment_id']),
      100,
    )
    assert.equal(file.bytes.toString(), 'attached')
    const { messages } = await run('list-messages', {
      inbox_id: ana,
      message_id: '<one@sender.example>',
    })
    const [whole] = messages as Row[]
    assert.match(String(whole?.['text']), /^Your code is 123456\./)
    assert.match(String(whole?.['html']), /<p>Your code/)
    assert.equal(await eventsOf(ana), 1)
  })

  it('stores a message once, however often and concurrently it is delivered', async () => {
    const inbox = await newInbox('once')
    const envelope = { from: 'bo@sender.example', to: [inbox] }
    const written = [
      'From: bo@sender.example',
      'Message-ID: <same@sender.example>',
      'Date: Tue, 14 Nov 2023 22:13:20 +0000',
      'Content-Type: multipart/mixed; boundary=q',
      '',
      '--q',
      'Content-Type: text/plain; name=a.txt',
      'Content-Disposition: attachment',
      '',
      'attached once',
      '--q--',
      '',
    ].join('\r\n')
    await Promise.all(
      [1, 2, 3, 4].map((hop) =>
        transport.sendMail({ envelope, raw: `Received: from hop${hop}\r\n${written}` }),
      ),
    )
    await transport.sendMail({ envelope, raw: written })
    assert.equal((await listOf(inbox)).length, 1)
    assert.equal(await eventsOf(inbox), 1)
    const { rows } = await database.query<{ files: bigint; used: bigint }>(
      `select (select count(*) from files where filename = 'a.txt') as files, stored_bytes as used from inboxes where address = $1`,
      [inbox],
    )
    assert.equal(rows[0]?.files, 1n)
    // Another message with the same id is a message of its own.
    await transport.sendMail({ envelope, raw: written.replace('attached once', 'forged') })
    const [forged] = await listOf(inbox)
    assert.notEqual(forged?.['message_id'], '<same@sender.example>')
  })

  it('lists pages without gaps, and rejects a wrong token', async () => {
    const inbox = await newInbox('paged')
    for (const name of ['1', '2', '3'])
      await transport.sendMail({ from: 'bo@sender.example', to: inbox, subject: name, text: name })
    const subjects: unknown[] = []
    let token: unknown
    do {
      const page = await run('list-messages', {
        inbox_id: inbox,
        limit: 2,
        ...(token === undefined ? {} : { page_token: token }),
      })
      subjects.push(...(page['messages'] as Row[]).map(({ subject }) => subject))
      token = page['next_page_token'] ?? undefined
    } while (token !== undefined)
    assert.deepEqual(subjects, ['3', '2', '1'])
    assert.equal(
      await codeOf(run('list-messages', { inbox_id: inbox, page_token: 'x' })),
      'invalid_params',
    )
  })

  it('answers 404 to other accounts, also for a taken name, and reserves the names of the domain', async () => {
    const inbox = await newInbox('private')
    const other = await anotherCaller(bed)
    assert.equal(
      await codeOf(run('list-messages', { inbox_id: inbox }, { caller: other })),
      'unknown_inbox',
    )
    const before = await bed.balance()
    assert.equal(await codeOf(run('create_inbox', { username: 'private' })), 'upstream_rejected')
    for (const username of ['postmaster', 'bounce', 'signin', 'ssladmin', 'a+b', 'a..b'])
      assert.equal(await codeOf(run('create_inbox', { username })), 'invalid_params')
    assert.equal(
      await codeOf(run('create_inbox', { username: 'x', domain: 'elsewhere.example' })),
      'invalid_params',
    )
    assert.deepEqual(await bed.balance(), before)
  })
})

describe('the SMTP server', () => {
  it('relays nothing, and rejects unknown recipients with 550', async () => {
    const inbox = await newInbox('known')
    const { codes } = await talk([
      'EHLO sender.example',
      'MAIL FROM:<bo@sender.example>',
      'RCPT TO:<victim@elsewhere.example>',
      'RCPT TO:<nobody@agents.example>',
      'RCPT TO:<bounce+00000000000000000000000000000000-0000000000000000@agents.example>',
      `RCPT TO:<${inbox.replace('@', '+tag@')}>`,
      'VRFY known',
      'AUTH LOGIN',
      'QUIT',
    ])
    assert.deepEqual(codes, [220, 250, 250, 550, 550, 550, 250, 500, 500, 221])
  })

  it('encrypts with STARTTLS', async () => {
    const inbox = await newInbox('encrypted')
    const { text } = await talk(['EHLO sender.example', 'QUIT'])
    assert.match(text, /STARTTLS/)
    assert.doesNotMatch(text, /AUTH/)
    const { response } = await transport.sendMail({
      from: 'bo@sender.example',
      to: inbox,
      text: 'x',
    })
    assert.match(response, /^250/)
  })

  it('rejects too large messages with 552, and a full inbox with 452', async () => {
    const inbox = await newInbox('full')
    const large = { from: 'bo@sender.example', to: inbox, text: 'x'.repeat(1_000_001) }
    assert.equal(await refusedSending(large), 552)
    const raw = [
      'EHLO sender.example',
      'MAIL FROM:<bo@sender.example>',
      `RCPT TO:<${inbox}>`,
      'DATA',
    ]
    const body = Array.from({ length: 1_200 }, () => 'y'.repeat(900))
    const { codes } = await talk([...raw, ...body, '.', 'QUIT'])
    assert.deepEqual(codes.slice(-2), [552, 221])
    await database.query('update inboxes set stored_bytes = 2999999 where address = $1', [inbox])
    assert.equal(await refusedSending({ from: 'bo@sender.example', to: inbox, text: 'x' }), 452)
    assert.deepEqual(await listOf(inbox), [])
  })

  it('rejects a message that was forwarded in a circle, and one with hostile parts', async () => {
    const inbox = await newInbox('loop')
    const message = { from: 'bo@sender.example', to: inbox, text: 'x' }
    const hops = Array.from({ length: 51 }, (_, hop) => ({
      key: 'Received',
      value: `by hop${hop}`,
    }))
    assert.equal(await refusedSending({ ...message, headers: hops }), 554)
    const nested = Array.from(
      { length: 60 },
      (_, depth) => `--b${depth}\r\nContent-Type: multipart/mixed; boundary=b${depth + 1}\r\n\r\n`,
    ).join('')
    assert.equal(
      await refusedSending({
        envelope: { from: 'bo@sender.example', to: [inbox] },
        raw: `From: bo@sender.example\r\nContent-Type: multipart/mixed; boundary=b0\r\n\r\n${nested}`,
      }),
      554,
    )
    assert.deepEqual(await listOf(inbox), [])
  })

  it('stores messages of others behind a forwarder while it rejects a hostile sender', async () => {
    const inbox = await newInbox('behind')
    const hops = Array.from({ length: 51 }, (_, hop) => ({ key: 'Received', value: `by h${hop}` }))
    const hostile = { from: 'x@evil.example', to: inbox, text: 'x', headers: hops }
    for (let count = 0; count < HOSTILE_PER_SENDER * OWN_NETWORK_FACTOR; count += 1)
      assert.equal(await refusedSending(hostile), 554)
    assert.equal(await refusedSending(hostile), 450)
    await transport.sendMail({ from: 'bo@sender.example', to: inbox, text: 'x' })
    const { codes } = await talk([
      'EHLO hop.example',
      'MAIL FROM:<y@evil.example>',
      'MAIL FROM:<bo@sender.example>',
      `RCPT TO:<${inbox}>`,
      'QUIT',
    ])
    assert.deepEqual(codes, [220, 250, 450, 250, 250, 221])
    assert.equal((await listOf(inbox)).length, 1)
  })

  it('ends a connection that sends only tiny pieces, and stores a message with many dots', async () => {
    const inbox = await newInbox('dots')
    const start = [
      'EHLO sender.example',
      'MAIL FROM:<bo@sender.example>',
      `RCPT TO:<${inbox}>`,
      'DATA',
    ]
    const dots = (count: number): string[] => Array.from({ length: count }, () => '..')
    const kept = await talk([...start, 'Subject: dots', '', ...dots(20_000), '.', 'QUIT'])
    assert.deepEqual(kept.codes.slice(-2), [250, 221])
    const [row] = await listOf(inbox)
    assert.equal(row?.['subject'], 'dots')
    clock.advance(61_000)
    const { codes } = await talk([...start, '', ...dots(200_000), '.', 'QUIT'])
    assert.equal(codes.at(-1), 421)
  })

  it('does not check a message with more than three signatures, and reports it', async () => {
    const inbox = await newInbox('signed')
    const signatures = Array.from(
      { length: 4 },
      () => 'DKIM-Signature: v=1; a=rsa-sha256; d=a.example; s=s; h=from; bh=AAAA; b=AAAA\r\n',
    ).join('')
    await transport.sendMail({
      envelope: { from: 'bo@sender.example', to: [inbox] },
      raw: `${signatures}From: bo@sender.example\r\n\r\nx\r\n`,
    })
    const [row] = await listOf(inbox)
    const { dkim, dmarc } = row?.['authentication'] as Record<string, unknown>
    assert.deepEqual([dkim, dmarc], ['permerror', 'permerror'])
  })

  it('rejects forged messages for a domain that asks for it, and stores those of other domains', async () => {
    const inbox = await newInbox('forged')
    bed.names.set('TXT _dmarc.strict.example', [['v=DMARC1; p=reject']])
    bed.names.set('TXT _dmarc.mild.example', [['v=DMARC1; p=quarantine']])
    const from = (domain: string) => ({ from: `ceo@${domain}`, to: inbox, text: 'Pay me.' })
    assert.equal(await refusedSending(from('strict.example')), 550)
    assert.equal(await refusedSending(from('below.strict.example')), 550)
    await transport.sendMail(from('mild.example'))
    const [row, ...more] = await listOf(inbox)
    assert.equal(more.length, 0)
    const { dmarc, dmarc_policy: policy } = row?.['authentication'] as Record<string, unknown>
    assert.deepEqual([dmarc, policy], ['fail', 'quarantine'])
    // With MAIL_DMARC=store.
    const found = (await findInbox(database, inbox)) ?? assert.fail('the inbox exists')
    await receiveMessage(
      { ...inboxes, rejectsForged: false },
      [{ kind: 'inbox', inbox: found }],
      Buffer.from('From: ceo@strict.example\r\n\r\nPay me.\r\n'),
      { ip: '192.0.2.1', helo: 'evil.example', sender: 'ceo@strict.example' },
    )
    assert.equal((await listOf(inbox)).length, 2)
  })

  it('stores for an account at most its share, also of concurrent messages', async () => {
    const caller = await anotherCaller(bed)
    await grantCredit(
      { database, now: clock },
      { accountId: caller.accountId, mode: 'live', amount: cents('1000') },
    )
    const addresses: string[] = []
    for (const username of ['share1', 'share2', 'share3'])
      addresses.push(String((await run('create_inbox', { username }, { caller }))['inbox_id']))
    const most = inboxes.limits.maxAccountBytes
    await database.query('update inboxes set stored_bytes = $2 where address = $1', [
      addresses[2] ?? '',
      most - 150_000,
    ])
    const content = 'x'.repeat(100_000)
    const message = Buffer.from(
      `From: bo@sender.example\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n--q\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\n${content}\r\n--q--\r\n`,
    )
    const found = await Promise.all(
      addresses.slice(0, 2).map((address) => findRecipient(inboxes, address, message.length)),
    )
    const outcomes = await Promise.allSettled(
      found.map((recipient, index) =>
        receiveMessage(inboxes, [recipient], message, {
          ip: `192.0.2.${index + 1}`,
          helo: 'sender.example',
          sender: 'bo@sender.example',
        }),
      ),
    )
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    const { rows } = await database.query<{ used: bigint }>(
      "select used_bytes as used from file_room where account_id = $1 and mode = 'live'",
      [caller.accountId],
    )
    // The parser ends the text with a line break.
    assert.equal(rows[0]?.used, BigInt(content.length + 1), 'the rejected message leaves no file')
    const third = { from: 'bo@sender.example', to: addresses[0], text: content }
    assert.equal(await refusedSending(third), 452)
  })

  it('ends connections with too many commands', async () => {
    const flood = Array.from({ length: MOST_COMMANDS + 10 }, () => 'NOOP')
    const { codes } = await talk(['EHLO sender.example', ...flood])
    assert.equal(codes.at(-1), 421)
    assert.ok(codes.length <= MOST_COMMANDS + 3, String(codes.length))
  })
})

describe('stored messages', () => {
  it('are deleted after the retention, and unfinished inboxes after an hour', async () => {
    const inbox = await newInbox('old')
    await transport.sendMail({ from: 'bo@sender.example', to: inbox, text: 'x' })
    const retention = { retentionMs: inboxes.limits.retentionMs }
    await forgetMessages(database, { nowMs: clock() + 89 * DAY_MS, ...retention })
    assert.equal((await listOf(inbox)).length, 1)
    await forgetMessages(database, { nowMs: clock() + 91 * DAY_MS, ...retention })
    assert.deepEqual(await listOf(inbox), [])
    await database.query("delete from vendor_references where reference = 'old@agents.example'")
    assert.equal(await sweepInboxes(database, clock() + HOUR_MS + 1), 1)
  })

  it('wait for the next sweep while their inbox is being deleted', async () => {
    const inbox = await newInbox('busy')
    await transport.sendMail({ from: 'bo@sender.example', to: inbox, text: 'x' })
    const old = { nowMs: clock() + 91 * DAY_MS, retentionMs: inboxes.limits.retentionMs }
    const { rows } = await database.transaction(async (tx) => {
      await tx.query('select 1 from inboxes where address = $1 for no key update', [inbox])
      await forgetMessages(database, old)
      return tx.query('delete from inbox_messages where inbox = $1 returning id', [inbox])
    })
    assert.equal(rows.length, 1)
  })

  it('go with their account, whose address stays reserved', async () => {
    const leaving = await openInboxBed()
    const inbox = String((await leaving.run('create_inbox', { username: 'gone' }))['inbox_id'])
    await leaving.transport.sendMail({ from: 'bo@sender.example', to: inbox, text: 'x' })
    await closeAccount(leaving.database, 'caller@gate.example.com')
    await assert.rejects(
      leaving.transport.sendMail({ from: 'bo@sender.example', to: inbox, text: 'y' }),
      { responseCode: 550 },
    )
    await forgetAccount(leaving.database, leaving.caller.accountId)
    const { rows } = await leaving.database.query('select 1 from inbox_messages')
    assert.equal(rows.length, 0)
    const caller = await anotherCaller(leaving)
    await leaving.database.query('update wallets set balance_micros = 10000000 where id = $1', [
      caller.walletId,
    ])
    assert.equal(
      await codeOf(
        leaving.run('create_inbox', { username: 'gone', domain: 'agents.example' }, { caller }),
      ),
      'upstream_rejected',
    )
  })
})
