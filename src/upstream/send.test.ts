import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { Agent } from 'undici'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { startVendor, type TestVendor } from '../../test/harness/vendors/vendor.ts'
import { messageFrom } from '../catalog/answers/vendor-failure.ts'
import {
  bearer,
  get,
  keyHeader,
  keyHeaders,
  keyQuery,
  post,
  type Auth,
  type WireRequest,
} from '../catalog/vocabulary/wire.ts'
import { errorCatalog } from '../errors/catalog.ts'
import { Deadline } from '../lib/deadline.ts'
import type { PermitRequest, Gate } from './limits/gate.ts'
import { FREE_PERMIT } from './limits/permit.ts'
import { send } from './send.ts'
import type { Sent } from './sent.ts'
import { splitBaseUrl, type Target } from './target.ts'

const NOW_MS = Date.UTC(2026, 10, 22, 1, 2, 3)
let vendor: TestVendor
const dispatcher = new Agent()
cleanUp(() => dispatcher.close())
before(async () => {
  vendor = await startVendor()
})

function target(auth: Auth = bearer(), extra: Partial<Target> = {}): Target {
  return {
    service: 'shop',
    vendor: { baseUrl: 'https://api.vendor.example', auth, docsUrl: 'https://vendor.example/docs' },
    ...splitBaseUrl(vendor.url),
    credentials: { KEY: 'very-secret', USER: 'u', PASSWORD: 'p' },
    dispatcher,
    ...extra,
  }
}
function deliver(to: Target, wire: WireRequest, deadline = new Deadline(60_000)): Promise<Sent> {
  return send(to, wire, { deadline, vendorKey: 'call-1', now: () => NOW_MS }).finally(() =>
    deadline.end(),
  )
}

async function failureOf(to: Target, wire: WireRequest, deadline?: Deadline) {
  const sent = await deliver(to, wire, deadline)
  assert.ok(!sent.ok)
  return sent.failure
}

describe('a request', () => {
  const auths: readonly [
    string,
    Auth,
    (request: { path: string; headers: Record<string, unknown> }) => unknown,
    string,
  ][] = [
    ['a bearer token', bearer(), ({ headers }) => headers['authorization'], 'Bearer very-secret'],
    ['a header', keyHeader('x-api-key'), ({ headers }) => headers['x-api-key'], 'very-secret'],
    ['the query', keyQuery('token'), ({ path }) => path, '/items?a=1&token=very-secret'],
    [
      'several headers, of which an unset one is left out',
      keyHeaders({ 'x-key': 'KEY' }, { 'x-user': 'USER', 'x-team': 'TEAM' }),
      ({ headers }) => [headers['x-key'], headers['x-user'], headers['x-team']].join(),
      'very-secret,u,',
    ],
    [
      'basic authentication',
      { in: 'basic', user: 'USER', password: 'PASSWORD' },
      ({ headers }) => headers['authorization'],
      'Basic dTpw',
    ],
  ]
  for (const [name, auth, pick, expected] of auths) {
    it(`carries the credentials as ${name}`, async () => {
      await deliver(target(auth), get('/items', { a: 1 }))
      const last = vendor.requests.at(-1)
      assert.ok(last !== undefined)
      assert.equal(pick(last), expected)
    })
  }

  it('carries credentials and account fields in the body if the vendor requires that', async () => {
    const to = target({ in: 'body', name: 'clientKey', credential: 'KEY' })
    const accountFields = {
      zone: { setting: 'ZONE', fallback: 'first' },
      user: { setting: 'USER', fallback: 'nobody' },
    }
    await deliver(
      { ...to, vendor: { ...to.vendor, accountFields } },
      post('/items', { a: 1, zone: 'of the caller' }),
    )
    assert.deepEqual(vendor.requests.at(-1)?.body, {
      a: 1,
      zone: 'first',
      user: 'u',
      clientKey: 'very-secret',
    })
  })

  it('carries no credentials when it is anonymous', async () => {
    await deliver(target(), { ...get('/items'), anonymous: true })
    assert.equal(vendor.requests.at(-1)?.headers['authorization'], undefined)
  })

  it('repeats parameters for lists, omits undefined ones, and escapes values', async () => {
    await deliver(target(), get('/items', { tag: ['a b', 'c&d'], none: undefined, flag: false }))
    assert.equal(vendor.requests.at(-1)?.path, '/items?tag=a+b&tag=c%26d&flag=false')
  })

  it('is sent later with afterMs, and never after the deadline', async () => {
    assert.ok((await deliver(target(), { ...get('/later'), afterMs: 1 })).ok)
    assert.equal(vendor.requests.at(-1)?.path, '/later')
    assert.equal(
      (await failureOf(target(), { ...get('/too-late'), afterMs: 60_000 }, new Deadline(5))).code,
      'upstream_timeout',
    )
    assert.ok(vendor.requests.every(({ path }) => path !== '/too-late'))
  })

  it('carries a JSON body and the vendor key as idempotency key', async () => {
    await deliver(target(), post('/items', { a: [1] }))
    const last = vendor.requests.at(-1)
    assert.deepEqual(
      [last?.body, last?.headers['content-type'], last?.headers['idempotency-key']],
      [{ a: [1] }, 'application/json', 'call-1'],
    )
  })
})

describe('a failure', () => {
  for (const [status, code] of [
    [400, 'upstream_rejected'],
    [401, 'upstream_not_configured'],
    [402, 'upstream_payment'],
    [403, 'upstream_not_configured'],
    [404, 'upstream_not_found'],
    [408, 'upstream_timeout'],
    [409, 'upstream_conflict'],
    [422, 'upstream_rejected'],
    [429, 'upstream_busy'],
    [500, 'upstream_error'],
    [503, 'upstream_error'],
    [504, 'upstream_timeout'],
  ] as const) {
    it(`maps status ${status} to ${code}`, async () => {
      vendor.answerWith(() => ({ status, headers: { 'retry-after': '7' }, body: {} }))
      const failure = await failureOf(target(), get('/'))
      assert.equal(failure.code, code)
      assert.equal(failure.details.upstream.status, status)
      assert.equal(failure.retryAfterSeconds, errorCatalog[code].retryable ? 7 : undefined)
    })
  }

  it("returns the vendor's Retry-After, bounded, and a date as seconds", async () => {
    const waits = async (
      status: number,
      headers: Record<string, string>,
    ): Promise<number | undefined> => {
      vendor.answerWith(() => ({ status, headers: { date: '', ...headers }, body: {} }))
      return (await failureOf(target(), get('/'))).retryAfterSeconds
    }
    const date = new Date(NOW_MS + 90_000).toUTCString()
    assert.deepEqual(
      [await waits(503, { 'retry-after': date }), await waits(429, { 'retry-after': date })],
      [90, 90],
    )
    assert.deepEqual(
      [
        await waits(503, { 'retry-after': '1000000' }),
        await waits(429, { 'retry-after': '1000000' }),
      ],
      [3_600, 3_600],
    )
    assert.deepEqual(
      [await waits(503, { 'retry-after': 'later' }), await waits(429, { 'retry-after': 'later' })],
      [undefined, 5],
    )
  })

  it('hides credentials or the address that a vendor quotes', async () => {
    vendor.answerWith(() => ({
      status: 400,
      body: { error: `key very-secret at ${vendor.url} is wrong` },
    }))
    const quoting = target()
    const failure = await failureOf(
      {
        ...quoting,
        vendor: {
          ...quoting.vendor,
          readFailure: ({ body }) => ({
            code: 'upstream_rejected',
            message: (body as { error: string }).error,
          }),
        },
      },
      get('/'),
    )
    assert.equal(failure.details.upstream.message, 'key [hidden] at [hidden] is wrong')
  })

  it('hides credentials quoted in the form in which they were sent', async () => {
    const secret = 'pass w"rd/+é'
    const form = new URLSearchParams({ clientKey: secret }).toString()
    vendor.answerWith(({ headers }) => ({
      status: 400,
      body: { error: `${String(headers['authorization'])} ${form} ${JSON.stringify({ secret })}` },
    }))
    const quoting = target(
      { in: 'basic', user: 'USER', password: 'KEY' },
      { credentials: { USER: 'somebody', KEY: secret } },
    )
    const failure = await failureOf(
      { ...quoting, vendor: { ...quoting.vendor, readFailure: messageFrom('error') } },
      get('/'),
    )
    assert.equal(
      failure.details.upstream.message,
      'Basic [hidden] clientKey=[hidden] {"secret":"[hidden]"}',
    )
  })

  it('hides credentials in a response and changes nothing else', async () => {
    const secret = 'a-very-long-secret'
    vendor.answerWith(({ headers, path }) => ({
      status: 404,
      body: {
        asked: path,
        with: headers['authorization'] ?? headers['x-key'],
        plain: 'a-very-long',
      },
    }))
    const ways: readonly [Auth, unknown][] = [
      [bearer(), { asked: '/items', with: 'Bearer [hidden]', plain: 'a-very-long' }],
      [
        { in: 'query', name: 'token', credential: 'KEY' },
        { asked: '/items?token=[hidden]', plain: 'a-very-long' },
      ],
      [
        { in: 'headers', headers: { 'x-key': 'KEY' } },
        { asked: '/items', with: '[hidden]', plain: 'a-very-long' },
      ],
      [
        { in: 'basic', user: 'USER', password: 'KEY' },
        { asked: '/items', with: 'Basic [hidden]', plain: 'a-very-long' },
      ],
    ]
    for (const [auth, body] of ways) {
      const sent = await deliver(target(auth, { credentials: { USER: 'somebody', KEY: secret } }), {
        ...get('/items'),
        acceptedStatuses: [404],
      })
      assert.deepEqual(sent.ok && sent.reply.body, body)
    }
    const quoted = await deliver(
      target(
        { in: 'query', name: 'token', credential: 'KEY' },
        { credentials: { KEY: 'a+long/secret=' } },
      ),
      { ...get('/items'), acceptedStatuses: [404] },
    )
    assert.deepEqual(
      quoted.ok && (quoted.reply.body as { asked: string }).asked,
      '/items?token=[hidden]',
    )
  })

  it('hides credentials in any escaping of JSON or HTML, and keeps valid JSON', async () => {
    const secret = 'ab/cd+ef"gh=<é>&😀=='
    const inJson = JSON.stringify(secret).slice(1, -1)
    const units = (pick: RegExp): string =>
      inJson.replaceAll(
        pick,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
      )
    const ways = [
      inJson.replaceAll('/', String.raw`\/`),
      units(/[+<>&]/g),
      units(/[^\x20-\x7e]/g).replaceAll('/', String.raw`\/`),
      JSON.stringify(inJson).slice(1, -1),
      encodeURIComponent(secret).toLowerCase(),
      secret
        .replaceAll('&', '&amp;')
        .replaceAll('"', '&quot;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;'),
      secret.replaceAll(
        /[/+"=<>&]/g,
        (character) => `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`,
      ),
      secret.replaceAll(/[/+"=<>&]/g, (character) => `&#${character.charCodeAt(0)};`),
    ]
    vendor.answerWith(() => ({
      status: 200,
      body: `{"quoted":[${ways.map((way) => `"key ${way} quoted"`).join(',')}]}`,
    }))
    const sent = await deliver(
      target({ in: 'query', name: 'token', credential: 'KEY' }, { credentials: { KEY: secret } }),
      get('/items'),
    )
    assert.deepEqual(sent.ok && sent.reply.body, { quoted: ways.map(() => 'key [hidden] quoted') })
  })

  it('quotes a simulation unchanged', async () => {
    vendor.answerWith(() => ({ status: 400, body: { error: 'Not understood (simulated).' } }))
    const simulated = target(bearer(), { credentials: { KEY: 'simulated' }, isSimulated: true })
    const failure = await failureOf(
      { ...simulated, vendor: { ...simulated.vendor, readFailure: messageFrom('error') } },
      get('/'),
    )
    assert.equal(failure.details.upstream.message, 'Not understood (simulated).')
  })

  it("uses the vendor's error text where the status misleads, with a fix in our words", async () => {
    vendor.answerWith(() => ({ status: 409, body: {} }))
    const ended = target()
    const { code, message, fix } = await failureOf(
      {
        ...ended,
        vendor: {
          ...ended.vendor,
          readFailure: () => ({ code: 'unknown_sandbox', fix: 'Make another.' }),
        },
      },
      get('/'),
    )
    assert.deepEqual(
      [code, message, fix],
      ['unknown_sandbox', 'Unknown sandbox. Nothing was charged.', 'Make another.'],
    )
  })

  it('is a timeout if the vendor does not respond before the deadline', async () => {
    vendor.answerWith(() => 'hang')
    assert.equal((await failureOf(target(), get('/'), new Deadline(50))).code, 'upstream_timeout')
  })

  it('is an upstream error for a broken or refused connection', async () => {
    vendor.answerWith(() => 'reset')
    assert.equal((await failureOf(target(), get('/'))).code, 'upstream_error')
    assert.equal(
      (await failureOf(target(bearer(), splitBaseUrl('http://127.0.0.1:1')), get('/'))).code,
      'upstream_error',
    )
  })

  it('repeats a retryable request after server errors, at most as often as allowed', async () => {
    const answers = [503, 500, 200]
    vendor.answerWith(() => ({ status: answers.shift() ?? 500, body: {} }))
    const retry = { times: 2, afterMs: 0 }
    assert.ok((await deliver(target(), { ...get('/'), retry })).ok)
    const before = vendor.requests.length
    assert.equal((await failureOf(target(), { ...get('/'), retry })).code, 'upstream_error')
    assert.equal(vendor.requests.length, before + 3)
    vendor.answerWith(() => ({ status: 400, body: {} }))
    assert.equal((await failureOf(target(), { ...get('/'), retry })).code, 'upstream_rejected')
    assert.equal(vendor.requests.length, before + 4)
  })

  it('is an upstream error with the status for a response above 20 MiB', async () => {
    vendor.answerWith(() => ({ body: 'x'.repeat(21 * 1024 * 1024) }))
    const { code, message, details } = await failureOf(target(), get('/items'))
    assert.deepEqual([code, details.upstream.status], ['upstream_error', 200])
    assert.match(message, /more than 20971520 bytes/)
  })

  it('does not count a timeout of the caller’s program against the vendor', async () => {
    const marks: unknown[] = []
    const gate = {
      acquire: () => FREE_PERMIT,
      release: (_permit: unknown, _sent: unknown, asker: PermitRequest) =>
        marks.push(asker.takesAnyTime),
    } as unknown as Gate
    for (const wire of [get('/'), { ...get('/'), runsProgram: true } as const])
      await deliver(target(bearer(), { gate }), wire)
    assert.deepEqual(marks, [undefined, true])
  })

  it('does not follow a redirect, so that credentials stay with the vendor', async () => {
    vendor.answerWith(({ path }) =>
      path === '/' ? { status: 302, headers: { location: '/elsewhere' } } : { body: {} },
    )
    const before = vendor.requests.length
    assert.equal((await failureOf(target(), get('/'))).code, 'upstream_error')
    assert.equal(vendor.requests.length, before + 1)
  })
})

it('reads JSON with raw control characters in strings', async () => {
  vendor.answerWith(() => ({ body: '{"bio":"two\nlines\u0000","n":1}' }))
  const sent = await deliver(target(), get('/'))
  assert.ok(sent.ok)
  assert.deepEqual(sent.reply.body, { bio: 'two lines ', n: 1 })
})

it('passes a page or file on unchanged in any character set, also JSON', async () => {
  const latin = Buffer.from('<meta charset="iso-8859-1"><p>caf\u00e9', 'latin1')
  const numbers = '{"b":12345678901234567890, "1":1.0}'
  const answers: [string, string | Buffer, string][] = [
    ['text/html', latin, '<meta charset="iso-8859-1"><p>caf\u00e9'],
    ['text/html; charset=windows-1251', Buffer.from([0xcf, 0xf0, 0xe8]), '\u041f\u0440\u0438'],
    // Converted to UTF-8 on the way, with the old declaration.
    ['text/html', Buffer.from(latin.toString('latin1')), '<meta charset="iso-8859-1"><p>caf\u00e9'],
    ['application/json', numbers, numbers],
  ]
  for (const [type, body, expected] of answers) {
    vendor.answerWith(() => ({ body, headers: { 'content-type': type } }))
    for (const asked of [{ page: true }, { binary: true }] as const) {
      const sent = await deliver(target(), { ...get('/'), ...asked })
      assert.ok(sent.ok)
      assert.equal(sent.reply.body, expected, type)
    }
  }
  vendor.answerWith(() => ({ status: 400, body: { detail: 'No such zone.' } }))
  const { details } = await failureOf(
    target(bearer(), {
      vendor: {
        ...target().vendor,
        readFailure: ({ body }) => ({
          code: 'upstream_rejected',
          message: (body as { detail: string }).detail,
        }),
      },
    }),
    { ...get('/'), page: true },
  )
  assert.equal(details.upstream.message, 'No such zone.')
})

it('decompresses an unrequested compression within the size limit', async () => {
  const packed = {
    gzip: gzipSync,
    'x-gzip': gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
  }
  for (const [encoding, pack] of Object.entries(packed)) {
    vendor.answerWith(() => ({ body: pack('{"n":1}'), headers: { 'content-encoding': encoding } }))
    const sent = await deliver(target(), get('/'))
    assert.ok(sent.ok)
    assert.deepEqual(
      [sent.reply.body, sent.reply.headers['content-encoding']],
      [{ n: 1 }, undefined],
      encoding,
    )
  }
  vendor.answerWith(() => ({ body: 'not packed', headers: { 'content-encoding': 'gzip' } }))
  const plain = await deliver(target(), get('/'))
  assert.ok(plain.ok)
  assert.deepEqual(
    [plain.reply.body, plain.reply.headers['content-encoding']],
    ['not packed', 'gzip'],
  )
  vendor.answerWith(() => ({
    body: gzipSync(Buffer.alloc(21 * 1024 * 1024)),
    headers: { 'content-encoding': 'gzip' },
  }))
  assert.equal((await failureOf(target(), get('/'))).code, 'upstream_error')
})

it('rejects a truncated or undecodable response, but keeps the status of a failure', async () => {
  const whole = gzipSync('<p>Read me</p>'.repeat(50))
  for (const how of [{}, { page: true }, { binary: true }] as const) {
    for (const [body, encoding] of [
      [whole.subarray(0, -8), 'gzip'],
      [whole, 'br'],
      [whole, 'compress'],
    ] as const) {
      const headers = {
        'content-encoding': encoding,
        'content-type': 'text/html; charset=windows-1252',
      }
      vendor.answerWith(() => ({ body, headers }))
      assert.equal((await failureOf(target(), { ...get('/'), ...how })).code, 'upstream_error')
      vendor.answerWith(() => ({ status: 429, body, headers }))
      assert.equal((await failureOf(target(), { ...get('/'), ...how })).code, 'upstream_busy')
    }
  }
})

it('rejects an unrequested partial response', async () => {
  vendor.answerWith(() => ({
    status: 206,
    body: '<p>The first half',
    headers: { 'content-type': 'text/html', 'content-range': 'bytes 0-16/34' },
  }))
  for (const how of [{}, { page: true }, { binary: true }] as const)
    assert.equal((await failureOf(target(), { ...get('/'), ...how })).code, 'upstream_error')
})

it('reads JSON with a byte order mark', async () => {
  vendor.answerWith(() => ({ body: '\ufeff\r\n{"n":1}' }))
  const sent = await deliver(target(), get('/'))
  assert.ok(sent.ok)
  assert.deepEqual(sent.reply.body, { n: 1 })
})

it('decodes two encodings in reverse order, from one header or two', async () => {
  const body = brotliCompressSync(gzipSync('{"n":1}'))
  for (const encoding of ['gzip, br', ['gzip', 'br']]) {
    vendor.answerWith(() => ({ body, headers: { 'content-encoding': encoding } }))
    const sent = await deliver(target(), get('/'))
    assert.ok(sent.ok)
    assert.deepEqual(sent.reply.body, { n: 1 })
  }
})

it('rejects nested compression as soon as one layer exceeds the size limit', async () => {
  vendor.answerWith(() => ({
    body: gzipSync(gzipSync(Buffer.alloc(21 * 1024 * 1024))),
    headers: { 'content-encoding': 'gzip, gzip' },
  }))
  assert.match((await failureOf(target(), get('/'))).message, /more than \d+ bytes/)
})

it('reads a response with a repeated header', async () => {
  vendor.answerWith(() => ({
    body: '<p>café</p>',
    headers: { 'content-type': ['text/html; charset=utf-8', 'text/html'] },
  }))
  for (const how of [{}, { page: true }, { binary: true }] as const) {
    const sent = await deliver(target(), { ...get('/'), ...how })
    assert.ok(sent.ok)
    assert.equal(sent.reply.body, '<p>café</p>')
    assert.equal(sent.reply.headers['content-type'], 'text/html; charset=utf-8, text/html')
  }
  vendor.answerWith(() => ({ status: 429, body: {}, headers: { 'retry-after': ['7', '7'] } }))
  assert.equal((await failureOf(target(), get('/'))).code, 'upstream_busy')
})

it('returns a response that is not JSON as text', async () => {
  vendor.answerWith(() => ({ body: '<p>hello</p>', headers: { 'content-type': 'text/html' } }))
  const sent = await deliver(target(), get('/'))
  assert.ok(sent.ok)
  assert.equal(sent.reply.body, '<p>hello</p>')
})
