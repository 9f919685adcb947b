import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { createMessageParser } from './message-parser.ts'

const parser = createMessageParser({ withinMs: 3_000, heapMiB: 64 })
cleanUp(() => parser.close())

const GOOD = Buffer.from('From: bo@sender.example\r\nSubject: Hello\r\n\r\nHello.\r\n')
/** 20,000 empty parts need seconds. */
const SLOW = Buffer.from(
  `From: bo@sender.example\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n${'--q\r\n\r\nx\r\n'.repeat(200_000)}--q--\r\n`,
)

test('gives up on a message that takes too long, and parses the next one', async () => {
  const answers = await Promise.all([parser.parse(GOOD), parser.parse(SLOW), parser.parse(GOOD)])
  const kinds = answers.map((answer) => (answer.kind === 'fault' ? answer.fault : answer.kind))
  assert.deepEqual(kinds, ['parsed', 'too_complex', 'parsed'])
})

test('cuts texts and names, and removes what a database or file system cannot store', async () => {
  const answer = await parser.parse(
    Buffer.from(
      [
        'From: "Bo\0" <bo@sender.example>',
        `Subject: ${'s'.repeat(5_000)}`,
        'Message-ID: not an id',
        'Content-Type: multipart/mixed; boundary=q',
        '',
        '--q',
        'Content-Type: text/plain',
        '',
        `a\0b${'t'.repeat(600_000)}`,
        '--q',
        'Content-Type: x/y<script>; name="../../etc/passwd"',
        'Content-Disposition: attachment',
        '',
        'x',
        '--q--',
      ].join('\r\n'),
    ),
  )
  assert.ok(answer.kind === 'parsed')
  const { message } = answer
  assert.doesNotMatch(JSON.stringify(message), /\\u0000/)
  assert.deepEqual([message.subject.length, message.text?.length], [2_000, 500_000])
  assert.equal(message.messageId, null)
  const [attachment] = message.attachments
  assert.doesNotMatch(attachment?.filename ?? '/', /\//)
})
