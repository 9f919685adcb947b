import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { manualClock } from '../../../../test/harness/manual-clock.ts'
import { systemClock } from '../../../lib/clock.ts'
import { createMessageParser, LONGEST_WAIT_MS } from './message-parser.ts'
import type { ParseAnswer } from './parsed-message.ts'
import { openParserThread } from './parser-worker.ts'

const LIMITS = { cpuMs: 1_000, cpuMsPerMegabyte: 100, withinMs: 60_000, heapMiB: 64 }
const parser = createMessageParser(systemClock, () => openParserThread(LIMITS))
cleanUp(() => parser.close())

const GOOD = Buffer.from('From: bo@sender.example\r\nSubject: Hello\r\n\r\nHello.\r\n')
/** 20,000 empty parts need seconds. */
const SLOW = Buffer.from(
  `From: bo@sender.example\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n${'--q\r\n\r\nx\r\n'.repeat(200_000)}--q--\r\n`,
)

test('gives up on a message that needs too much CPU time for its size, and parses the next one', async () => {
  const answers = await Promise.all([GOOD, SLOW, GOOD].map((raw) => parser.parse(raw, 'sender')))
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
    'sender',
  )
  assert.ok(answer.kind === 'parsed')
  const { message } = answer
  assert.doesNotMatch(JSON.stringify(message), /\\u0000/)
  assert.deepEqual([message.subject.length, message.text?.length], [2_000, 500_000])
  assert.equal(message.messageId, null)
  const [attachment] = message.attachments
  assert.doesNotMatch(attachment?.filename ?? '/', /\//)
})

/** A parser whose threads answer when the test lets them, which decides about the time too. */
function openFake() {
  const clock = manualClock(1_000_000)
  const current = new Map<string, () => void>()
  const answers: string[] = []
  const fake = createMessageParser(clock, () => ({
    hasEnded: false,
    parse: (raw) => {
      const { promise, resolve } = Promise.withResolvers<ParseAnswer>()
      current.set(raw.toString(), () => resolve({ kind: 'fault', fault: 'broken' }))
      return promise
    },
    end: async () => undefined,
  }))
  return {
    clock,
    answers,
    parsed: () => [...current.keys()].toSorted(),
    send(text: string, sender: string): void {
      void fake.parse(Buffer.from(text), sender).then((answer) => {
        if (answer.kind === 'fault') answers.push(`${text} ${answer.fault}`)
      })
    },
    async end(text: string, ms: number): Promise<void> {
      clock.advance(ms)
      current.get(text)?.()
      current.delete(text)
      await new Promise((resolve) => void setImmediate(resolve))
    },
  }
}

test('lets a sender of slow messages delay only itself', async () => {
  const { send, end, parsed } = openFake()
  for (const text of ['slow 1', 'slow 2', 'slow 3']) send(text, 'slow')
  assert.deepEqual(parsed(), ['slow 1'], 'one at a time')
  send('quick 1', 'quick')
  assert.deepEqual(parsed(), ['quick 1', 'slow 1'])
  await end('slow 1', 10_000)
  send('quick 2', 'quick')
  send('new 1', 'new')
  // The quick sender waited for the slow one no longer than its own message took.
  await end('quick 1', 10)
  assert.deepEqual(parsed(), ['new 1', 'slow 2'])
  await end('slow 2', 10_000)
  assert.deepEqual(parsed(), ['new 1', 'quick 2'], 'before the third slow message')
})

test('lets slow senders together use one of two threads, and forgives them with time', async () => {
  const { clock, send, end, parsed } = openFake()
  for (const sender of ['a', 'b']) {
    send(`${sender} 1`, sender)
    await end(`${sender} 1`, 10_000)
  }
  send('a 2', 'a')
  send('b 2', 'b')
  assert.deepEqual(parsed(), ['a 2'])
  send('c 1', 'c')
  assert.deepEqual(parsed(), ['a 2', 'c 1'])
  clock.advance(600_000)
  await end('c 1', 0)
  send('a 3', 'a')
  assert.deepEqual(parsed(), ['a 2'], 'b waited too long')
  await end('a 2', 0)
  clock.advance(600_000)
  send('b 3', 'b')
  assert.deepEqual(parsed(), ['a 3', 'b 3'])
})

test('rejects a message that waits too long as one to send again', async () => {
  const { send, end, parsed, answers } = openFake()
  send('first', 'sender')
  send('second', 'sender')
  await end('first', LONGEST_WAIT_MS + 1)
  assert.deepEqual(answers, ['first broken', 'second busy'])
  assert.deepEqual(parsed(), [])
})
