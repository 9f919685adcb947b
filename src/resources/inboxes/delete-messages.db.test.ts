import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import { anotherCaller } from '../../../test/harness/beds/calls.ts'
import { openInboxBed } from '../../../test/harness/beds/inboxes.ts'
import { refusal } from '../../../test/harness/refusal.ts'
import { ownerOf } from '../../keys/caller.ts'
import { HOUR_MS } from '../../lib/clock.ts'
import { sweepFiles } from '../files/sweep.ts'
import { deleteInbox, deleteMessage } from './delete-messages.ts'
import { listInboxes } from './list-inboxes.ts'

const bed = await openInboxBed()
const { database, clock, inboxes, run, transport } = bed
const owner = ownerOf(bed.caller)

beforeEach(() => clock.advance(25 * HOUR_MS))

async function newInbox(username: string): Promise<string> {
  return String((await run('create_inbox', { username }))['inbox_id'])
}
const listOf = async (inbox: string) =>
  (await run('list-messages', { inbox_id: inbox }))['messages']
const bytesOf = async (inbox: string): Promise<number | undefined> =>
  (await listInboxes(database, owner)).find(({ inbox_id: id }) => id === inbox)?.bytes

async function receive(inbox: string, messageId: string): Promise<void> {
  await transport.sendMail({
    from: 'bo@sender.example',
    to: inbox,
    messageId,
    text: 'Hello.',
    attachments: [{ filename: 'a.txt', content: 'attached' }],
  })
}

async function fileBytes(): Promise<bigint> {
  clock.advance(1)
  await sweepFiles(inboxes.files)
  const { rows } = await database.query<{ used: bigint }>(
    "select used_bytes as used from file_room where account_id = $1 and mode = 'live'",
    [owner.accountId],
  )
  return rows[0]?.used ?? 0n
}

it('deletes a message with its attachment, and stores it again if it arrives again', async () => {
  const inbox = await newInbox('message')
  const messageId = '<1@sender.example>'
  await receive(inbox, messageId)
  const bytes = await bytesOf(inbox)
  assert.ok(bytes !== undefined && bytes > 0 && (await fileBytes()) > 0n)
  const deleted = await deleteMessage(inboxes, owner, { inbox, messageId })
  assert.deepEqual(deleted, { inbox_id: inbox, message_id: messageId, freed_bytes: bytes })
  assert.deepEqual([await listOf(inbox), await bytesOf(inbox), await fileBytes()], [[], 0, 0n])
  await refusal(deleteMessage(inboxes, owner, { inbox, messageId }), 'upstream_not_found')
  await receive(inbox, messageId)
  assert.equal(await bytesOf(inbox), bytes)
})

it('does not delete sent messages while they count toward the limit of a day', async () => {
  const inbox = await newInbox('sender')
  const sent = await run('send', { inbox_id: inbox, to: inbox, subject: 'x', text: 'x' })
  const messageId = String(sent['message_id'])
  const work = () => deleteMessage(inboxes, owner, { inbox, messageId })
  clock.advance(23 * HOUR_MS)
  assert.equal((await refusal(work(), 'rate_limited')).retryAfterSeconds, 3_600)
  await refusal(deleteInbox(inboxes, owner, inbox), 'rate_limited')
  assert.equal((await listInboxes(database, owner))[0]?.inbox_id, inbox)
  clock.advance(HOUR_MS)
  assert.equal((await work()).freed_bytes, 0)
  await deleteInbox(inboxes, owner, inbox)
})

it('deletes an inbox with any number of messages, and never gives its address again', async () => {
  const inbox = await newInbox('whole')
  await receive(inbox, '<2@sender.example>')
  const before = await fileBytes()
  await database.query(
    `insert into inbox_messages (id, inbox, account_id, status, message_id, thread_id, content_hash, sender,
       recipients, subject, size_bytes, created_at)
     select gen_random_uuid(), $1, $2, 'received', '<' || number || '@x>', gen_random_uuid(),
       sha256(number::text::bytea), 'x', '{}', '', 1, $3 from generate_series(1, 2500) as number`,
    [inbox, owner.accountId, new Date(clock())],
  )
  await database.query('update inboxes set stored_bytes = stored_bytes + 2500 where address = $1', [
    inbox,
  ])
  const bytes = await bytesOf(inbox)
  assert.deepEqual(await deleteInbox(inboxes, owner, inbox), {
    inbox_id: inbox,
    messages: 2_501,
    freed_bytes: bytes,
  })
  assert.ok((await fileBytes()) < before)
  assert.equal(await bytesOf(inbox), undefined)
  await refusal(run('list-messages', { inbox_id: inbox }), 'unknown_inbox')
  await refusal(run('create_inbox', { username: 'whole' }), 'upstream_rejected')
  await assert.rejects(receive(inbox, '<3@sender.example>'), { responseCode: 550 })
})

it('deletes nothing of others: other accounts, keys of scope "own" and test keys', async () => {
  const inbox = await newInbox('mine')
  const messageId = '<4@sender.example>'
  await receive(inbox, messageId)
  const others = [
    ownerOf(await anotherCaller(bed)),
    { ...owner, scope: 'own' as const, keyId: 'f'.repeat(32) },
    { ...owner, mode: 'test' as const },
  ]
  for (const other of others) {
    await refusal(deleteMessage(inboxes, other, { inbox, messageId }), 'unknown_inbox')
    await refusal(deleteInbox(inboxes, other, inbox), 'unknown_inbox')
    assert.deepEqual(await listInboxes(database, other), [])
  }
  assert.equal(((await listOf(inbox)) as unknown[]).length, 1)
})

it('creates an inbox whose name was taken at another domain', async () => {
  const other = await anotherCaller(bed)
  await database.query(
    `insert into vendor_references (service, is_test, reference, account_id, made_ms, lasts)
     values ('inbox/names', false, 'free@', $1, $2, true), ('inbox', false, 'free@inbox.localhost', $1, $2, true)`,
    [other.accountId, clock()],
  )
  assert.equal(await newInbox('free'), 'free@agents.example')
})
