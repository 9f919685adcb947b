import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMailServer } from '../../../../test/harness/vendors/mail-server.ts'
import { createRelay } from './relay.ts'

const server = await startMailServer()
const TIMEOUTS = { connectMs: 500, greetingMs: 300, silenceMs: 300, wholeMs: 2_000 }
const MESSAGE = {
  sender: 'bounce+1@agents.example',
  recipients: ['bo@example.com'],
  raw: Buffer.from('From: ana@agents.example\r\n\r\nHello.\r\n'),
}

test('reports a message as not sent while the relay is away, silent or stops before the message', async () => {
  const away = await createRelay('smtp://127.0.0.1:1', TIMEOUTS).send(MESSAGE)
  assert.deepEqual([away.kind, away.kind === 'rejected' && away.isPermanent], ['rejected', false])
  for (const fault of ['silent', 'hangs'] as const) {
    server.behave(fault)
    const { kind } = await createRelay(server.url, TIMEOUTS).send(MESSAGE)
    assert.deepEqual([fault, kind], [fault, 'rejected'])
  }
})

test('reports the words of the relay without the password', async () => {
  server.behave({ auth: '535 hunter2 is wrong' })
  const url = server.url.replace('//', '//gate:hunter2@')
  const outcome = await createRelay(url, TIMEOUTS).send(MESSAGE)
  assert.equal(outcome.kind, 'rejected')
  assert.doesNotMatch(JSON.stringify(outcome), /hunter2/)
  assert.equal(server.mails.length, 0)
})
