import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAutomaticSender } from './automatic-sender.ts'
import { parseMessage } from './parse-message.ts'

async function isAutomatic(...lines: readonly string[]): Promise<boolean> {
  const from = lines.some((line) => line.startsWith('From:')) ? [] : ['From: bo@sender.example']
  const answer = await parseMessage(Buffer.from([...from, ...lines, '', 'x', ''].join('\r\n')))
  assert.ok(answer.kind === 'parsed')
  return answer.message.isAutomatic
}

test('recognizes automatic messages by the fields of lists, responders and reports', async () => {
  for (const line of [
    'Auto-Submitted: auto-replied',
    'Auto-Submitted: (vacation) Auto-Generated; owner-email="x@y.example"',
    'AUTO-SUBMITTED:\r\n auto-notified',
    'Auto-Submitted: not-a-known-keyword',
    'Precedence: bulk',
    'Precedence: List',
    'Precedence: junk',
    'Precedence: auto_reply',
    'List-Id: <news.example>',
    'List-Unsubscribe: <https://news.example/u>',
    'List-Post: NO',
    'X-Auto-Response-Suppress: DR, OOF, AutoReply',
    'X-Auto-Response-Suppress: All',
    'X-Autoreply: yes',
    'X-Autorespond: away',
    'X-Autoresponder: 1',
    'X-Failed-Recipients: ana@agents.example',
    'Return-Path: <>',
    'Return-Path: <MAILER-DAEMON>',
    'Return-Path: <owner-list@lists.example>',
    'Content-Type: multipart/report; report-type=disposition-notification; boundary=q',
  ])
    assert.ok(await isAutomatic(line), line)
})

test('recognizes automatic messages by the address that a reply would go to', async () => {
  for (const address of [
    'MAILER-DAEMON@mx.example',
    'Mail Delivery <postmaster@mx.example>',
    'no-reply@shop.example',
    'NoReply@shop.example',
    'do-not-reply@shop.example',
    'donotreply@shop.example',
    'do_not_reply@shop.example',
    'notifications-noreply@shop.example',
    'no.reply+17@shop.example',
    'list-request@lists.example',
    'owner-list@lists.example',
  ]) {
    assert.ok(await isAutomatic(`From: ${address}`), address)
    assert.ok(await isAutomatic('From: bo@sender.example', `Reply-To: ${address}`), address)
  }
})

test('takes messages of people for such', async () => {
  for (const lines of [
    ['Subject: no-reply'],
    ['Auto-Submitted: no'],
    ['Auto-Submitted: No (by hand)'],
    ['Auto-Submitted: no; x=y'],
    ['Precedence: first-class'],
    ['X-Auto-Response-Suppress: DR, RN, NRN'],
    ['X-Auto-Response-Suppress: None'],
    ['X-Autoreply: no'],
    ['Return-Path: <bo@sender.example>'],
    ['Content-Type: text/plain; name="multipart/report"'],
    ['From: norepley@sender.example'],
    ['From: noreplyson@sender.example'],
    ['From: requests@sender.example'],
    ['From: ana-owner.of.things@sender.example'],
    // A form of a web site: the reply goes to the person.
    ['From: no-reply@site.example', 'Reply-To: Bo <bo@sender.example>'],
  ])
    assert.ok(!(await isAutomatic(...lines)), lines.join())
})

test('recognizes automatic messages by their envelope sender', () => {
  for (const sender of [
    '',
    'MAILER-DAEMON@mx.example',
    'postmaster@mx.example',
    'owner-news@lists.example',
    'news-request@lists.example',
    'news-bounces@lists.example',
  ])
    assert.ok(isAutomaticSender(sender), sender)
  for (const sender of ['bo@sender.example', 'no-reply@site.example', 'bounce+7@mail.example'])
    assert.ok(!isAutomaticSender(sender), sender)
})
