import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractReply } from './extract-reply.ts'

test('leaves out the earlier messages that a reply quotes', () => {
  for (const quotation of [
    'On Tue, 3 Nov 2026 at 10:00, Ana <ana@agents.example> wrote:\n\n> Hello\n> Bo\n',
    'On Tue, 3 Nov 2026 at 10:00, Ana\n<ana@agents.example> wrote:\n> Hello',
    'Am Di., 3. Nov. 2026 um 10:00 Uhr schrieb Ana <ana@agents.example>:\n> Hello',
    '-----Original Message-----\nFrom: Ana\nHello',
    'From: Ana <ana@agents.example>\nSent: Tuesday\nTo: Bo\nSubject: Hello\n\nHello',
    '**From:** Ana\n**Sent:** Tuesday\n\nHello',
    '> Hello',
  ])
    assert.equal(
      extractReply(`Yes.\r\n\r\nThanks\r\n\r\n${quotation}`),
      'Yes.\n\nThanks',
      quotation,
    )
  assert.equal(extractReply('> one?\nYes.\n> two?\nNo.'), 'Yes.\nNo.')
})

test('keeps the text of messages that quote nothing, or only quote', () => {
  for (const text of [
    'On Monday she wrote:\nHello.',
    'From: Paris\nTo: Rome',
    'a > b',
    '> only a quotation',
    '---------- Forwarded message ---------\nHello',
  ])
    assert.equal(extractReply(text), text)
  assert.equal(extractReply(''), '')
})
