/** The metadata documents of clients: their rules, their cache, and requests to private addresses. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { after, before, describe, it } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { createGuard } from '../../upstream/guard.ts'
import { testCertificate, testKey } from '../../upstream/http1/testing/certificate.ts'
import { createClientDocuments } from './client-documents.ts'
import { OAuthError } from './oauth-error.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const now = manualClock(Date.UTC(2027, 0, 1))
const guard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8', '::1/128'] })
const strict = createGuard({ allowPrivateNetworks: [] })
const documents = createClientDocuments({ guard, userAgent: 'Test/1.0', now, timeoutMs: 500 })
let answer: Answer
let requests = 0
let server: Server
let url: URL

const usual = getCACertificates('default')

before(async () => {
  setDefaultCACertificates([...usual, testCertificate])
  server = createServer({ key: testKey, cert: testCertificate }, (request, response) => {
    requests += 1
    answer(request, response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  url = new URL(`https://localhost:${port}/client.json`)
})
after(async () => {
  // Later test files of this process must not trust it.
  setDefaultCACertificates(usual)
  server.closeAllConnections()
  server.close()
  await Promise.all([guard.close(), strict.close()])
})

const validFor = (id: string): Record<string, unknown> => ({
  client_id: id,
  client_name: 'Reader',
  redirect_uris: ['https://app.example/cb'],
})

function sendJson(body: unknown, headers: Record<string, string> = {}): Answer {
  return (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Another address for each test, so that none is cached. */
const addressOf = (name: string): URL => new URL(`/${name}.json`, url)

async function errorOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (error) {
    if (error instanceof OAuthError || error instanceof AppError)
      return `${error.code}: ${error.message}`
    throw error
  }
}

describe('a document', () => {
  it('with its own URL as client_id is a client', async () => {
    const address = addressOf('valid')
    answer = sendJson(validFor(address.href))
    assert.deepEqual(await documents.read(address), {
      id: address.href,
      kind: 'document',
      name: 'Reader',
      redirectUris: ['https://app.example/cb'],
    })
  })

  it('is rejected for another client_id, type, method or form', async () => {
    const bodies: readonly Answer[] = [
      sendJson(validFor('https://localhost/client.json')),
      sendJson({ ...validFor(addressOf('wrong').href), client_id: undefined }),
      sendJson(validFor(addressOf('wrong').href), { 'content-type': 'text/html' }),
      sendJson('{'),
      sendJson('null'),
      sendJson({
        ...validFor(addressOf('wrong').href),
        token_endpoint_auth_method: 'private_key_jwt',
      }),
      sendJson({ ...validFor(addressOf('wrong').href), redirect_uris: ['http://evil.example/'] }),
    ]
    const errors: string[] = []
    for (const body of bodies) {
      answer = body
      errors.push((await errorOf(documents.read(addressOf('wrong')))).split(':')[0] ?? '')
    }
    assert.deepEqual(errors, [
      ...Array<string>(6).fill('invalid_client_metadata'),
      'invalid_redirect_uri',
    ])
  })

  it('above 5 KiB is rejected, also without a length', async () => {
    const long = { ...validFor(addressOf('long').href), padding: 'x'.repeat(5_200) }
    answer = sendJson(long)
    const whole = await errorOf(documents.read(addressOf('long')))
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const flood = (): void => {
        while (!response.destroyed && response.write('x'.repeat(1_000)));
        if (!response.destroyed) response.once('drain', flood)
      }
      flood()
    }
    const endless = await errorOf(documents.read(addressOf('long')))
    assert.deepEqual(
      [whole, endless],
      Array(2).fill('upstream_rejected: The document is larger than 5120 bytes.'),
    )
  })

  it('is not followed to another address, and not decompressed', async () => {
    answer = (_request, response) =>
      response.writeHead(302, { location: addressOf('valid').href }).end()
    const redirected = await errorOf(documents.read(addressOf('moved')))
    answer = sendJson(validFor(addressOf('packed').href), { 'content-encoding': 'gzip' })
    const packed = await errorOf(documents.read(addressOf('packed')))
    assert.deepEqual(
      [redirected, packed],
      [
        'upstream_rejected: The server of the document answered with status 302 instead of 200.',
        'upstream_rejected: The document is compressed.',
      ],
    )
  })

  it('that trickles is abandoned after the time limit', async () => {
    let timer: NodeJS.Timeout | undefined
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(timer))
    }
    assert.ok((await errorOf(documents.read(addressOf('slow')))).startsWith('upstream_timeout'))
    clearInterval(timer)
  })
})

describe('the cache', () => {
  for (const [name, headers, minutes] of [
    ['max-age', { 'cache-control': 'public, max-age=600' }, 10],
    ['no header', {}, 5],
    ['Age', { 'cache-control': 'max-age=600', age: '300' }, 5],
    ['no-store', { 'cache-control': 'no-store, max-age=600' }, 0],
    ['a year', { 'cache-control': 'max-age=31536000' }, 24 * 60],
  ] as const)
    it(`stores a document with ${name} for ${minutes} minutes`, async () => {
      const address = addressOf(name.replaceAll(' ', '-'))
      answer = sendJson(validFor(address.href), { ...headers })
      const from = requests
      await documents.read(address)
      now.advance(minutes * 60_000 - 1)
      await documents.read(address)
      now.advance(1)
      await documents.read(address)
      assert.equal(requests - from, minutes === 0 ? 3 : 2)
    })

  it('concurrent requests share one fetch, and a failure is not stored', async () => {
    const address = addressOf('shared')
    const from = requests
    answer = (_request, response) => response.writeHead(500).end()
    await errorOf(documents.read(address))
    answer = sendJson(validFor(address.href))
    await Promise.all([documents.read(address), documents.read(address), documents.read(address)])
    assert.equal(requests - from, 2)
  })
})

describe('a client id at an address that is not public', () => {
  const guarded = createClientDocuments({
    guard: strict,
    userAgent: 'Test/1.0',
    now,
    timeoutMs: 500,
  })
  for (const id of [
    'https://127.0.0.1/client.json',
    'https://localhost:8443/client.json',
    'https://[::1]/client.json',
    'https://[::ffff:127.0.0.1]/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://10.0.0.1/client.json',
    'https://192.168.1.1:8443/client.json',
    'https://2130706433/client.json',
    'https://app.example:22/client.json',
  ])
    it(`is not requested: ${id}`, async () => {
      const from = requests
      assert.ok((await errorOf(guarded.read(new URL(id)))).startsWith('bad_url'))
      assert.equal(requests, from)
    })

  it('is not requested when only DNS leads there', async () => {
    const rebound = createGuard({
      allowPrivateNetworks: [],
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    const reading = createClientDocuments({
      guard: rebound,
      userAgent: 'Test/1.0',
      now,
      timeoutMs: 500,
    })
    const error = await errorOf(reading.read(new URL('https://app.example.com/client.json')))
    await rebound.close()
    assert.ok(error.startsWith('bad_url'))
  })
})
