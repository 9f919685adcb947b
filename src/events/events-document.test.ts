import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { errorCatalog } from '../errors/catalog.ts'
import { systemClock } from '../lib/clock.ts'
import { signedHeaders } from './delivery/sign.ts'
import { EVENT_TYPES } from './event-types.ts'
import { eventsReference } from './events-reference.ts'
import { newSecret } from './webhooks/secrets.ts'

const root = join(import.meta.dirname, '../..')

test('the receiver in docs/events.md accepts a signed event once and rejects others', async () => {
  const document = readFileSync(join(root, 'docs/events.md'), 'utf8')
  const [, program = ''] = /```js\n([^]*?)```/.exec(document) ?? []
  const secret = newSecret('v1')
  const receiver = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    env: { WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanUp(() => receiver.kill())
  const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]()
  const port = String((await lines.next()).value).replace('ready on ', '')
  const body = JSON.stringify({ type: 'job.succeeded', timestamp: '', data: { sequence: 1 } })
  const timestamp = Math.floor(systemClock() / 1000)
  const send = async (id: string, secrets: readonly string[]): Promise<number> => {
    const headers = signedHeaders({ id, timestamp, body }, secrets)
    const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })
    return status
  }
  assert.equal(await send('evt_1', [newSecret('v1')]), 400)
  assert.equal(await send('evt_1', [secret]), 204)
  assert.equal(await send('evt_1', [newSecret('v1'), secret]), 204)
  assert.equal(await send('evt_2', [secret]), 204)
  const received = [(await lines.next()).value, (await lines.next()).value]
  assert.deepEqual(received, Array(2).fill('job.succeeded {"sequence":1}'))
})

test('the reference of events has every type of event and every field of its data', () => {
  const reference = eventsReference()
  for (const [type, { fields }] of Object.entries(EVENT_TYPES)) {
    const [, section = ''] = reference.split(`## \`${type}\`\n`)
    const rows = section.split('\n## ', 1)[0] ?? ''
    for (const field of Object.keys(fields)) assert.ok(rows.includes(`| \`${field}\` |`), type)
  }
})

test('every refusal in docs/keys.md is in the reference of errors', () => {
  const refusals = [
    ...readFileSync(join(root, 'docs/keys.md'), 'utf8').matchAll(/\b4\d\d `([a-z_]+)`/g),
  ].map(([, code]) => code)
  assert.ok(refusals.length > 10)
  for (const code of refusals) assert.ok(Object.hasOwn(errorCatalog, code ?? ''), code)
})
