import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openAppBed, type AppBed } from '../../../test/harness/beds/app.ts'
import { verifyLedger } from '../../ledger/verify.ts'

const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }
const SEARCH = '/api/run/semantic/search'
type ErrorBody = {
  ok: boolean
  error: {
    code: string
    message: string
    param: string | null
    fix: string
    retryable: boolean
    details?: Record<string, unknown>
  }
  charged_cents: number
  charged_micros: number
  request_id: string
}

let bed: AppBed
before(async () => {
  bed = await openAppBed()
  bed.vendor.answerWith(() => ({ body: FOUND }))
})

describe('POST /api/run', () => {
  it('answers with the envelope, and with charge and remaining credit in headers', async () => {
    const reply = await bed.post(SEARCH, { query: 'x' })
    assert.equal(reply.statusCode, 200)
    assert.match(String(reply.headers['content-type']), /^application\/json/)
    assert.equal(reply.headers['x-charged-micros'], '10000')
    assert.equal(reply.headers['x-credits-remaining-cents'], '199')
    assert.match(String(reply.headers['x-request-id']), /^req_[0-9a-f]{32}$/)
    assert.equal(reply.json<{ request_id: string }>().request_id, reply.headers['x-request-id'])
    assert.match(String(reply.headers['ratelimit-policy']), /^"default";q=\d+;w=60$/)
    assert.match(String(reply.headers['ratelimit']), /^"default";r=\d+;t=\d+$/)
  })

  it('replays the answer for a repeated Idempotency-Key byte for byte without a charge', async () => {
    const first = await bed.post(SEARCH, { query: 'again' }, { 'idempotency-key': 'same' })
    const second = await bed.post(SEARCH, { query: 'again' }, { 'idempotency-key': 'same' })
    assert.equal(second.body, first.body)
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.equal(second.headers['x-charged-micros'], '0')
    const other = await bed.post(SEARCH, { query: 'different' }, { 'idempotency-key': 'same' })
    assert.equal(other.statusCode, 422)
    assert.equal(other.json<ErrorBody>().error.code, 'idempotency_key_reused')
  })

  it('replays answers whose fingerprint versions before 0.1.0 stored, of jobs too', async () => {
    const bodies = {
      [SEARCH]: ['{"query": "former", "numResults": 3}', '{"query": "former", "numResults": 4}'],
      '/api/run/core/onescrape-deep': [
        '{"urls": ["https://a.example/"], "budgetCents": 10}',
        '{"urls": ["https://a.example/"], "budgetCents": 11}',
      ],
    }
    for (const [path, [body = '', other = '']] of Object.entries(bodies))
      for (const key of [bed.liveKey, bed.testKey]) {
        const send = (text: string) =>
          bed.post(path, text, {
            'idempotency-key': 'former',
            'content-type': 'application/json',
            authorization: `Bearer ${key}`,
          })
        const first = await send(body)
        assert.equal(first.statusCode, 200, first.body)
        const { count } = await bed.database.query(
          "update answers set fingerprint = sha256(convert_to($1, 'UTF8')) where idempotency_key = 'former' and route = $2",
          [body, `${key === bed.testKey ? 'test:' : ''}${path.replace('/api/', '')}`],
        )
        assert.equal(count, 1)
        const second = await send(body)
        assert.deepEqual(
          [second.body, second.headers['idempotency-replayed']],
          [first.body, 'true'],
        )
        assert.equal((await send(other)).statusCode, 422)
      }
  })

  it('accepts an Idempotency-Key of at most 255 characters', async () => {
    const reply = await bed.post(SEARCH, { query: 'x' }, { 'idempotency-key': 'k'.repeat(256) })
    assert.deepEqual(
      [reply.statusCode, reply.json<ErrorBody>().error.param],
      [400, 'Idempotency-Key'],
    )
  })

  it('accepts JSON media types such as application/merge-patch+json', async () => {
    const json = '{"query":"x"}'
    assert.equal(
      (
        await bed.post(SEARCH, json, {
          'content-type': 'application/vnd.example.v1+json; charset=utf-8',
        })
      ).statusCode,
      200,
    )
    const { id } = (await bed.post('/api/v1/agents', {})).json<{ data: { id: string } }>().data
    const patched = await bed.app.inject({
      method: 'PATCH',
      url: `/api/v1/agents/${id}`,
      headers: {
        authorization: `Bearer ${bed.liveKey}`,
        'content-type': 'application/merge-patch+json',
      },
      payload: '{"label":"new"}',
    })
    assert.deepEqual(
      [patched.statusCode, patched.json<{ data: { label: string } }>().data.label],
      [200, 'new'],
      patched.body,
    )
    for (const type of ['text/x+json', 'application/jsonx', 'application/+jsonx'])
      assert.equal((await bed.post(SEARCH, json, { 'content-type': type })).statusCode, 415, type)
  })

  it('runs discovery for free and leaves no transaction', async () => {
    const reply = await bed.post('/api/run/core/discover', { query: 'read a web page' })
    // The bed has no local handlers, because this tests the route and not the search.
    assert.equal(reply.headers['x-charged-micros'], '0')
  })
})

describe('an invalid request', () => {
  const cases: readonly [
    string,
    () => Promise<{ statusCode: number; body: string }>,
    number,
    string,
  ][] = [
    [
      'without a key',
      () => bed.app.inject({ method: 'POST', url: SEARCH, payload: {} }),
      401,
      'invalid_token',
    ],
    [
      'with an unknown key',
      () => bed.post(SEARCH, {}, { authorization: `Bearer tg_live_${'a'.repeat(38)}` }),
      401,
      'invalid_token',
    ],
    [
      'with another scheme than Bearer',
      () => bed.post(SEARCH, {}, { authorization: 'Basic YTpi' }),
      401,
      'invalid_token',
    ],
    [
      'for an unknown service',
      () => bed.post('/api/run/nothing/search', {}),
      404,
      'unknown_service',
    ],
    [
      'for an unknown action',
      () => bed.post('/api/run/semantic/nothing', {}),
      404,
      'unknown_action',
    ],
    [
      'with a name from Object.prototype as service',
      () => bed.post('/api/run/__proto__/constructor', {}),
      404,
      'unknown_service',
    ],
    ['with a body that is not JSON', () => bed.post(SEARCH, '{"query":'), 400, 'bad_request'],
    ['with an empty body', () => bed.post(SEARCH, ''), 400, 'invalid_params'],
    [
      'with a body that is not UTF-8',
      () => bed.post(SEARCH, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
      400,
      'bad_request',
    ],
    ['with a list as body', () => bed.post(SEARCH, []), 400, 'invalid_params'],
    [
      'with an unknown field',
      () => bed.post(SEARCH, { query: 'x', colour: 'red' }),
      400,
      'invalid_params',
    ],
    [
      'with __proto__ as a field',
      () => bed.post(SEARCH, '{"query":"x","__proto__":{"admin":true}}'),
      400,
      'invalid_params',
    ],
    [
      'nested ninety thousand deep',
      () => bed.post(SEARCH, `{"query":${'['.repeat(90_000)}${']'.repeat(90_000)}}`),
      400,
      'invalid_params',
    ],
    [
      'of more than a quarter of a million values',
      () => bed.post(SEARCH, `{"query":${'['.repeat(250_000)}${']'.repeat(250_000)}}`),
      413,
      'payload_too_large',
    ],
    [
      'larger than a mebibyte',
      () => bed.post(SEARCH, { query: 'x'.repeat(1_048_577) }),
      413,
      'payload_too_large',
    ],
    [
      'with a compressed body',
      () => bed.post(SEARCH, gzipSync('{"query":"x"}'), { 'content-encoding': 'gzip' }),
      415,
      'unsupported_media_type',
    ],
    [
      'as a form',
      () => bed.post(SEARCH, 'query=x', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupported_media_type',
    ],
    [
      'with a wrong method',
      () => bed.app.inject({ method: 'DELETE', url: SEARCH }),
      405,
      'method_not_allowed',
    ],
    ['to an address that does not exist', () => bed.get('/api/nothing'), 404, 'not_found'],
    [
      'with its parameters in the query string',
      () => bed.post(`${SEARCH}?query=x`, undefined),
      400,
      'invalid_params',
    ],
    [
      'with max_cost_cents in the query string',
      () => bed.post(`${SEARCH}?max_cost_cents=0`, { query: 'x' }),
      400,
      'invalid_params',
    ],
    [
      'with a broken escape in the address',
      () => bed.post('/api/run/semantic/%zz', {}),
      400,
      'bad_request',
    ],
    [
      'with a service name of ten thousand characters',
      () => bed.post(`/api/run/${'s'.repeat(10_000)}/search`, {}),
      404,
      'not_found',
    ],
  ]
  for (const [name, send, status, code] of cases) {
    it(`${name} gets ${status} ${code}, is not charged and reaches no vendor`, async () => {
      const asked = bed.vendor.requests.length
      const reply = await send()
      const body = JSON.parse(reply.body) as ErrorBody
      assert.deepEqual(
        [reply.statusCode, body.ok, body.error.code],
        [status, false, code],
        reply.body,
      )
      assert.ok(body.error.message.length > 10 && body.error.fix.length > 10)
      assert.deepEqual([body.charged_cents, body.charged_micros], [0, 0])
      assert.match(body.request_id, /^req_/)
      assert.equal(bed.vendor.requests.length, asked)
    })
  }

  const advice: readonly [string, () => Promise<{ body: string }>, string, RegExp][] = [
    [
      'with an empty key gets a hint at an unset variable',
      () => bed.post(SEARCH, {}, { authorization: 'Bearer ' }),
      'The Authorization header has no key after "Bearer".',
      /variable/,
    ],
    [
      'with JSON sent as a form, as curl does, gets an error about the header, not the body',
      () =>
        bed.post(SEARCH, '{"query":"x"}', { 'content-type': 'application/x-www-form-urlencoded' }),
      'The Content-Type header is not JSON.',
      /"Content-Type: application\/json"/,
    ],
    [
      'with a query parameter gets a hint to send it in the body',
      () => bed.post(`${SEARCH}?max_cost_cents=0`, { query: 'x' }),
      '"max_cost_cents" is a query parameter, but a call has its parameters in the body.',
      /^Send \{"max_cost_cents": …\} in the JSON body/,
    ],
    [
      'to a service without an action gets a hint at the missing action',
      () => bed.post('/api/run/semantic', { query: 'x' }),
      'This address names a service without an action.',
      /\{service\}\/\{action\}/,
    ],
  ]
  for (const [name, send, message, fix] of advice) {
    it(name, async () => {
      const { error } = JSON.parse((await send()).body) as ErrorBody
      assert.equal(error.message, message)
      assert.match(error.fix, fix)
    })
  }

  it('that its vendor rejects for now gets Retry-After for any status of the vendor', async () => {
    for (const [status, expected] of [
      [503, 502],
      [429, 503],
    ] as const) {
      bed.vendor.answerWith(() => ({ status, headers: { 'retry-after': '9' }, body: {} }))
      const reply = await bed.post(SEARCH, { query: 'x' })
      assert.deepEqual(
        [reply.statusCode, reply.headers['retry-after'], reply.headers['x-charged-micros']],
        [expected, '9', '0'],
      )
    }
    bed.vendor.answerWith(() => ({ body: FOUND }))
  })

  it('gets problem details if the caller accepts them', async () => {
    const reply = await bed.post(SEARCH, { query: 7 }, { accept: 'application/problem+json' })
    assert.match(String(reply.headers['content-type']), /^application\/problem\+json/)
    const problem = reply.json<{ type: string; status: number; code: string; param: string }>()
    assert.deepEqual(
      [problem.type, problem.status, problem.code, problem.param],
      ['urn:tollgate:error:invalid_params', 400, 'invalid_params', 'query'],
    )
  })

  it('gets the format with the higher weight in the Accept header, in any case', async () => {
    const isProblem = async (accept: string) =>
      String((await bed.post(SEARCH, { query: 7 }, { accept })).headers['content-type']).startsWith(
        'application/problem+json',
      )
    for (const accept of [
      'APPLICATION/PROBLEM+JSON',
      'application/problem+json, application/json',
      'application/json;q=0.5, application/problem+json',
      'application/problem+json;q=0.9, */*;q=0.1',
    ])
      assert.ok(await isProblem(accept), accept)
    for (const accept of [
      '*/*',
      'application/json',
      'application/problem+json;q=0',
      'application/json, application/problem+json;q=0.5',
      'application/problem+json;q=x',
    ])
      assert.ok(!(await isProblem(accept)), accept)
  })

  it('never exposes internals of a bug', async () => {
    const broken = await openAppBed()
    await broken.database.query('alter table answers rename to answers_gone')
    const reply = await broken.post(SEARCH, { query: 'x' }, { 'idempotency-key': 'k' })
    assert.ok(reply.statusCode >= 500)
    assert.doesNotMatch(reply.body, /answers|relation|sql/i)
  })
})

describe('limits', () => {
  it('rejects too many requests of one key per minute with Retry-After, but not other keys', async () => {
    const tight = await openAppBed({ rateLimitPerMinute: 2 })
    tight.vendor.answerWith(() => ({ body: FOUND }))
    assert.equal((await tight.post(SEARCH, { query: 'x' })).statusCode, 200)
    assert.equal((await tight.post(SEARCH, { query: 'x' })).statusCode, 200)
    const refused = await tight.post(SEARCH, { query: 'x' })
    assert.deepEqual(
      [refused.statusCode, refused.json<ErrorBody>().error.code],
      [429, 'rate_limited'],
    )
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    assert.equal(
      (await tight.post(SEARCH, { query: 'x' }, { authorization: `Bearer ${tight.strangerKey}` }))
        .statusCode,
      200,
    )
    tight.clock.advance(60_000)
    assert.equal((await tight.post(SEARCH, { query: 'x' })).statusCode, 200)
  })

  it('does not reject requests after the clock was set back', async () => {
    const tight = await openAppBed({ rateLimitPerMinute: 1 })
    tight.vendor.answerWith(() => ({ body: FOUND }))
    assert.equal((await tight.post(SEARCH, { query: 'x' })).statusCode, 200)
    tight.clock.advance(-3_600_000)
    assert.equal((await tight.post(SEARCH, { query: 'x' })).statusCode, 200)
  })

  it('charges seven of a thousand concurrent calls against a limit of seven', async () => {
    const created = await bed.post('/api/v1/agents', {
      label: 'capped',
      ceiling_cents: 7,
      ceiling_period: 'day',
    })
    assert.equal(created.statusCode, 201, created.body)
    const { key, id } = created.json<{ data: { key: string; id: string } }>().data
    // A slow machine rejects some calls as overload. They retry, as clients do.
    const call = async (): ReturnType<AppBed['post']> => {
      const reply = await bed.post(SEARCH, { query: 'x' }, { authorization: `Bearer ${key}` })
      return reply.statusCode === 503 && reply.json<ErrorBody>().error.code === 'overloaded'
        ? await call()
        : reply
    }
    const replies = await Promise.all(Array.from({ length: 1000 }, call))
    const ends = Object.groupBy(replies, (reply) =>
      reply.statusCode === 200 ? 'answered' : reply.json<ErrorBody>().error.code,
    )
    assert.deepEqual(
      Object.fromEntries(Object.entries(ends).map(([end, all]) => [end, all?.length])),
      { answered: 7, api_key_limit_exceeded: 993 },
    )
    const rows = (await bed.get('/api/v1/agents')).json<{
      data: { id: string; spent_micros: number; held_micros: number }[]
    }>().data
    const row = rows.find((one) => one.id === id)
    assert.deepEqual([row?.spent_micros, row?.held_micros], [70_000, 0])
    assert.equal((await verifyLedger(bed.database)).ok, true)
  })
})
