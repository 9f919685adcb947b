import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { openAppBed, type AppBed } from '../../../../test/harness/beds/app.ts'

const seen: string[] = []

async function bedBehind(trustedProxies: readonly string[]): Promise<AppBed> {
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRequest', (request, _reply, done) => {
      seen.push(request.ip)
      done()
    })
  }
  subscribe('fastify.initialization', listen)
  const bed = await openAppBed({ trustedProxies })
  unsubscribe('fastify.initialization', listen)
  return bed
}

async function addressOf(
  { app }: AppBed,
  remoteAddress: string,
  forwarded?: string,
): Promise<string | undefined> {
  await app.inject({
    url: '/healthz',
    remoteAddress,
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  })
  return seen.pop()
}

test('ignores X-Forwarded-For without trusted proxies', async () => {
  assert.equal(await addressOf(await bedBehind([]), '10.0.0.1', '192.0.2.1'), '10.0.0.1')
})

test('uses the last address of X-Forwarded-For that is not a trusted proxy', async () => {
  const bed = await bedBehind(['10.0.0.0/8', 'fd00::/8'])
  assert.equal(await addressOf(bed, '10.0.0.1', '192.0.2.1'), '192.0.2.1')
  assert.equal(
    await addressOf(bed, '::ffff:10.0.0.1', '198.51.100.9, 192.0.2.1, 10.0.0.2'),
    '192.0.2.1',
  )
  assert.equal(await addressOf(bed, 'fd00::1', 'invalidSetting, 2001:db8::1'), '2001:db8::1')
  assert.equal(await addressOf(bed, '10.0.0.1'), '10.0.0.1')
  assert.equal(
    await addressOf(bed, '203.0.113.5', '192.0.2.1'),
    '203.0.113.5',
    'who is no proxy speaks for nobody',
  )
})

test('finds the client address also if proxies add ports, brackets or quotes', async () => {
  const bed = await bedBehind(['10.0.0.0/8', 'fd00::/8'])
  for (const [forwarded, address] of [
    ['203.0.113.7:51234', '203.0.113.7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['"[2001:db8::7]:443"', '2001:db8::7'],
    ['::ffff:203.0.113.7:51234', '::ffff:203.0.113.7'],
    ['198.51.100.9:1, 203.0.113.7:51234, 10.0.0.2:4431', '203.0.113.7'],
    ['203.0.113.7:51234,[fd00::2]:443', '203.0.113.7'],
    ['198.51.100.9, 203.0.113.7:1:2', '203.0.113.7:1:2'],
    ['198.51.100.9, 203.0.113.7:999999', '203.0.113.7:999999'],
    ['198.51.100.9, unknown', 'unknown'],
  ] as const)
    assert.equal(await addressOf(bed, '10.0.0.1', forwarded), address, forwarded)
  assert.equal(await addressOf(bed, '203.0.113.5', '192.0.2.1:1'), '203.0.113.5')
})

test('reads X-Forwarded-For of directly served calls, too', async () => {
  const bed = await bedBehind(['127.0.0.0/8'])
  const url = await bed.app.listen({ host: '127.0.0.1', port: 0 })
  const made = await bed.post('/api/v1/agents', { label: 'x', allowed_ips: ['203.0.113.7'] })
  const { key } = made.json<{ data: { key: string } }>().data
  const call = await fetch(`${url}/api/run/core/discover`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-forwarded-for': '192.0.2.1:51234',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    },
    body: '{"query":"x"}',
  })
  const answer = await call.text()
  assert.match(answer, /client's address, 192\.0\.2\.1\./)
  assert.doesNotMatch(answer, /evil\.example/)
})
