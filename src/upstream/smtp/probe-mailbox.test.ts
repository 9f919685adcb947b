import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/harness/eventually.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import {
  startRecipientServer,
  type RecipientRules,
} from '../../../test/harness/vendors/recipient-server.ts'
import type { ProbeResult } from '../../lib/mailbox-probe.ts'
import { createGuard } from '../guard.ts'
import { createMailboxProbe } from './probe-mailbox.ts'

const server = await startRecipientServer()
const guard = createGuard({
  allowPrivateNetworks: ['127.0.0.0/8'],
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
})
cleanUp(() => guard.close())

async function probe(
  rules: Partial<RecipientRules>,
  {
    recipient = 'ana@mx.example',
    decoy = 'q8@mx.example',
    replyMs = 5_000,
    signal = AbortSignal.timeout(20_000),
  }: {
    recipient?: string
    decoy?: string | null
    replyMs?: number
    signal?: AbortSignal
  } = {},
): Promise<ProbeResult> {
  server.behave(rules)
  server.lines.length = 0
  const ask = createMailboxProbe({
    guard,
    port: server.port,
    name: 'gate.example',
    connectMs: 5_000,
    replyMs,
  })
  const result = await ask({ host: 'mx.example', recipient, decoy, signal })
  await eventually(() => assert.equal(server.openSockets(), 0))
  return result
}
const silent = { kind: 'no_session', reply: null }

test('names the address and a decoy in envelopes without a sender, and sends no message', async () => {
  const result = await probe({
    rcpt: (email) =>
      email === 'ana@mx.example' ? '250 ok' : '550-5.1.1 no\r\n550 5.1.1 such user',
  })
  assert.deepEqual(result, {
    kind: 'answered',
    recipient: { code: 250, text: 'ok' },
    decoy: { code: 550, text: '5.1.1 no 5.1.1 such user' },
  })
  assert.deepEqual(server.lines, [
    'EHLO gate.example',
    'MAIL FROM:<>',
    'RCPT TO:<ana@mx.example>',
    'RSET',
    'MAIL FROM:<>',
    'RCPT TO:<q8@mx.example>',
    'QUIT',
  ])
})

test('names no decoy after a rejection, nor without one', async () => {
  const rejected = await probe({ rcpt: () => '550 5.1.1 no' })
  assert.deepEqual(rejected.kind === 'answered' && rejected.decoy, null)
  assert.equal(server.lines.filter((line) => line.startsWith('RCPT')).length, 1)
  const alone = await probe({}, { decoy: null })
  assert.deepEqual(alone.kind === 'answered' && alone.decoy, null)
  const lost = await probe({
    line: (line, socket) => (line === 'RSET' && socket.destroy(), undefined),
  })
  assert.deepEqual(lost, {
    kind: 'answered',
    recipient: { code: 250, text: '2.1.5 ok' },
    decoy: null,
  })
})

test('encrypts if the server offers it, and continues without if that fails', async () => {
  assert.equal((await probe({ extensions: ['STARTTLS'] })).kind, 'answered')
  assert.ok(server.isEncrypted())
  const junk = await probe({
    extensions: ['STARTTLS'],
    line(line, socket) {
      if (line !== 'STARTTLS') return undefined
      socket.write('220 go on\r\n')
      setImmediate(() => socket.write('this is no handshake\r\n'))
      return ''
    },
  })
  assert.deepEqual([junk.kind, server.isEncrypted()], ['answered', false])
  const early = await probe({
    extensions: ['STARTTLS'],
    line: (line) => (line === 'STARTTLS' ? '220 go on\r\n250 injected' : undefined),
  })
  assert.deepEqual(early, silent)
  assert.equal(
    (
      await probe({
        extensions: ['STARTTLS'],
        line: (line) => (line === 'STARTTLS' ? '454 later' : undefined),
      })
    ).kind,
    'answered',
  )
})

test('falls back to HELO, and returns the reason of a server that accepts no session', async () => {
  assert.equal(
    (await probe({ line: (line) => (line.startsWith('EHLO') ? '502 what' : undefined) })).kind,
    'answered',
  )
  assert.deepEqual(await probe({ greeting: '554 5.7.1 listed' }), {
    kind: 'no_session',
    reply: { code: 554, text: '5.7.1 listed' },
  })
  for (const verb of ['EHLO', 'MAIL'])
    assert.deepEqual(
      await probe({ line: (line) => (line.startsWith(verb) ? '421 too busy' : undefined) }),
      { kind: 'no_session', reply: { code: 421, text: 'too busy' } },
    )
})

test('names an address outside ASCII only to servers that support it', async () => {
  const recipient = 'анна@mx.example'
  assert.deepEqual(await probe({}, { recipient }), { kind: 'unsupported' })
  assert.equal((await probe({ extensions: ['SMTPUTF8'] }, { recipient })).kind, 'answered')
  assert.ok(server.lines.includes('MAIL FROM:<> SMTPUTF8'))
})

test('ends sessions of hostile servers within the limits of a reply', async () => {
  const flood = (text: string) => (_: string, socket: { write(text: string): boolean }) => {
    for (let count = 0; count < 200; count += 1) socket.write(text)
    return ''
  }
  const hostile: readonly (readonly [string, Partial<RecipientRules>])[] = [
    ['silence', { greeting: null }],
    ['an endless banner', { greeting: `220-${'x'.repeat(1_000_000)}` }],
    ['an endless line', { line: flood('250-x'.repeat(500)) }],
    ['endless lines', { line: flood('250-more\r\n'.repeat(500)) }],
    ['another protocol', { greeting: 'HTTP/1.1 400 Bad Request' }],
    ['a code out of range', { greeting: '999 hello' }],
    ['a tarpit', { line: () => '' }],
    ['a closed connection', { line: (_, socket) => (socket.destroy(), '') }],
  ]
  for (const [name, rules] of hostile)
    assert.deepEqual(await probe(rules, { replyMs: 200 }), silent, name)
})

test('does not wait longer for a reply that arrives byte by byte', async () => {
  let timer: NodeJS.Timeout | undefined
  const result = await probe(
    {
      line(_, socket) {
        timer = setInterval(() => socket.write('2'), 20)
        socket.once('close', () => clearInterval(timer))
        return ''
      },
    },
    { replyMs: 200 },
  )
  assert.deepEqual(result, silent)
})

test('ends with the signal of the request', async () => {
  const ended = await probe({ line: () => '' }, { signal: AbortSignal.timeout(100) })
  assert.deepEqual(ended, silent)
})

test('connects to no private address, neither by name nor literally, and only to port 25', async () => {
  for (const address of ['127.0.0.1', '10.0.0.5', '169.254.169.254', '::1', '::ffff:10.0.0.5']) {
    const strict = createGuard({
      allowPrivateNetworks: [],
      publicPorts: new Set([25]),
      lookup: async () => [
        { address: '93.184.216.34', family: 4 },
        { address, family: address.includes(':') ? 6 : 4 },
      ],
    })
    cleanUp(() => strict.close())
    const ask = createMailboxProbe({
      guard: strict,
      port: 25,
      name: 'gate.example',
      connectMs: 5_000,
      replyMs: 500,
    })
    for (const host of ['mx.example', address])
      assert.deepEqual(
        await ask({
          host,
          recipient: 'ana@mx.example',
          decoy: null,
          signal: AbortSignal.timeout(2_000),
        }),
        { kind: 'unreachable', isRefused: true },
        `${host} ${address}`,
      )
    await assert.rejects(strict.connect('93.184.216.34', 80, AbortSignal.timeout(500)), {
      code: 'bad_url',
    })
  }
})

test('reports a server that accepts no connection', async () => {
  const ask = createMailboxProbe({
    guard,
    port: 1,
    name: 'g.example',
    connectMs: 500,
    replyMs: 500,
  })
  assert.deepEqual(
    await ask({
      host: 'mx.example',
      recipient: 'ana@mx.example',
      decoy: null,
      signal: AbortSignal.timeout(2_000),
    }),
    { kind: 'unreachable', isRefused: false },
  )
})
