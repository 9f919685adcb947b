/** A gateway with a domain and without a relay: its inboxes reach each other. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { anotherCaller } from '../../../../test/harness/beds/calls.ts'
import { openInboxBed } from '../../../../test/harness/beds/inboxes.ts'
import { refusal } from '../../../../test/harness/refusal.ts'
import { grantCredit } from '../../../accounts/grant-credit.ts'
import { cents } from '../../../lib/money.ts'
import { HOUR_MS } from '../../../lib/clock.ts'
import { createInbox } from '../create-inbox.ts'
import { findInbox } from '../find-inbox.ts'
import { receiveMessage } from '../receiving/receive-message.ts'

const bed = await openInboxBed()
const { database, clock, run } = bed
const CENT = 10_000n
const other = await anotherCaller(bed)
await grantCredit(
  { database, now: clock },
  { accountId: other.accountId, mode: 'live', amount: cents('10000') },
)
const ana = String((await run('create_inbox', { username: 'ana' }))['inbox_id'])
const bo = String(
  (await run('create_inbox', { username: 'bo', display_name: 'Bo' }, { caller: other }))[
    'inbox_id'
  ],
)
const LETTER = { inbox_id: ana, to: bo, subject: 'Hello', text: 'Hello Bo.' }

beforeEach(() => clock.advance(25 * HOUR_MS))

type Row = Record<string, unknown>
async function listOf(inbox: string, caller = bed.caller): Promise<readonly Row[]> {
  return (await run('list-messages', { inbox_id: inbox }, { caller }))['messages'] as Row[]
}

async function charged(work: () => Promise<unknown>): Promise<bigint> {
  const before = await bed.balance()
  await work()
  return before.balance - (await bed.balance()).balance
}

describe('delivery between inboxes of the gateway', () => {
  it('carries a conversation with its thread, an authentic sender and an event each', async () => {
    const sent = await run('send', LETTER)
    const [received] = await listOf(bo, other)
    assert.deepEqual(
      [received?.['message_id'], received?.['from'], received?.['preview']],
      [sent['message_id'], ana, 'Hello Bo.'],
    )
    const reply = { inbox_id: bo, message_id: String(received?.['message_id']), text: 'Hi Ana.' }
    const answered = await run('reply', reply, { caller: other })
    const whole = await run('list-messages', {
      inbox_id: ana,
      message_id: answered['message_id'],
    })
    const [answer] = whole['messages'] as Row[]
    assert.deepEqual(
      ['from', 'subject', 'text', 'in_reply_to', 'references', 'thread_id', 'labels'].map(
        (name) => answer?.[name],
      ),
      [
        `Bo <${bo}>`,
        'Re: Hello',
        'Hi Ana.',
        sent['message_id'],
        [sent['message_id']],
        sent['thread_id'],
        ['received'],
      ],
    )
    assert.equal((answer?.['authentication'] as Row)['dmarc'], 'pass')
    assert.equal(received?.['thread_id'], answered['thread_id'])
    const { rows } = await database.query(
      "select data ->> 'inbox_id' as inbox from events where type = 'inbox.message' order by inbox",
    )
    assert.deepEqual(rows, [{ inbox: ana }, { inbox: bo }])
  })

  it('derives the text of HTML-only messages, and the text without quoted messages', async () => {
    const { message_id: id } = await run('send', {
      inbox_id: ana,
      to: bo,
      subject: 'Hello',
      html: '<p hidden>no</p><p>Hello <b>Bo</b></p><p>On Monday, Bo wrote:</p><blockquote>Hi</blockquote>',
    })
    const { messages } = await run(
      'list-messages',
      { inbox_id: bo, message_id: id },
      { caller: other },
    )
    const [message] = messages as Row[]
    assert.deepEqual(
      [message?.['text'], message?.['extracted_text']],
      ['Hello **Bo**\n\nOn Monday, Bo wrote:\n\n> Hi', 'Hello **Bo**'],
    )
    assert.match(String((await listOf(bo, other))[0]?.['preview']), /^Hello \*\*Bo/)
  })

  it('delivers and charges a repeated call once', async () => {
    const before = (await listOf(bo, other)).length
    assert.equal(await charged(() => run('send', LETTER, { key: 'twice' })), CENT)
    assert.equal(await charged(() => run('send', LETTER, { key: 'twice' })), 0n)
    // The process died between the delivery and the charge.
    await database.query("delete from answers where idempotency_key = 'twice'")
    await run('send', LETTER, { key: 'twice' })
    assert.equal((await listOf(bo, other)).length, before + 1)
  })

  it('delivers to the inboxes that exist, and charges nothing without one', async () => {
    const missing = 'missing@agents.example'
    const sent = await run('send', { ...LETTER, to: [missing, bo.replace('@', '+shop@')] })
    const bounces = sent['bounces'] as Row[]
    assert.deepEqual(
      bounces.map(({ recipient, status }) => [recipient, status]),
      [[missing, '550']],
    )
    const [received] = await listOf(bo, other)
    assert.equal(received?.['message_id'], sent['message_id'])
    const failed = () => refusal(run('send', { ...LETTER, to: missing }), 'upstream_rejected')
    assert.equal(await charged(failed), 0n)
  })

  it('charges nothing for a message to a full inbox', async () => {
    const full = 'update inboxes set stored_bytes = stored_bytes + $2 where address = $1'
    await database.query(full, [bo, 2_999_000])
    const failed = () => refusal(run('send', LETTER), 'upstream_rejected')
    assert.equal(await charged(failed), 0n)
    await database.query(full, [bo, -2_999_000])
  })

  it('rejects recipients elsewhere with the setting to set, free', async () => {
    const error = await refusal(run('send', { ...LETTER, to: 'bo@example.com' }), 'invalid_params')
    assert.deepEqual([error.param, error.chargedMicros], ['to', 0])
    assert.match(error.fix, /SMTP_URL/)
    assert.doesNotMatch(error.fix, /MAIL_DOMAIN/)
  })

  it('stores the messages of an inbox at a former domain, which sends and receives nothing', async () => {
    const former = 'ana@inbox.localhost'
    const local = { ...bed.inboxes, domain: 'inbox.localhost' }
    await createInbox(local, { username: 'ana' }, bed.caller)
    await database.query(
      `insert into vendor_references (service, is_test, reference, account_id, made_ms, lasts)
       values ('inbox', false, $1, $2, $3, true)`,
      [former, bed.caller.accountId, clock()],
    )
    const inbox = (await findInbox(database, former)) ?? assert.fail('the inbox exists')
    await receiveMessage(
      local,
      [{ kind: 'inbox', inbox }],
      Buffer.from('From: bo@sender.example\r\nSubject: Hello\r\n\r\nHello.\r\n'),
      { ip: '127.0.0.1', helo: 'sender.example', sender: 'bo@sender.example' },
    )
    assert.equal((await listOf(former)).length, 1)
    const failed = () => refusal(run('send', { ...LETTER, inbox_id: former }), 'invalid_params')
    assert.equal(await charged(failed), 0n)
    await assert.rejects(
      bed.transport.sendMail({ from: 'bo@sender.example', to: former, text: 'x' }),
      { responseCode: 550 },
    )
  })
})
