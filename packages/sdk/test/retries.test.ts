/** Retries, deadlines and errors, against prepared answers. */
import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { describe, test } from 'node:test'
import { Tollgate, TollgateError } from '../src/index.ts'
import { manualTime, type ManualTime } from './manual-time.ts'
import {
  GOOD,
  refusal,
  startScriptedGateway,
  type Answer,
  type ScriptedGateway,
} from './scripted-gateway.ts'

type Bed = {
  readonly gateway: ScriptedGateway
  readonly clock: ManualTime
  readonly client: Tollgate
}

async function open(
  answers: readonly Answer[],
  onRequest?: (clock: ManualTime) => void,
): Promise<Bed> {
  const clock = manualTime()
  const gateway = await startScriptedGateway(answers, () => onRequest?.(clock))
  return { gateway, clock, client: new Tollgate({ key: 'tg_test_x', url: gateway.url, clock }) }
}

const keysOf = ({ requests }: ScriptedGateway): Set<unknown> =>
  new Set(requests.map(({ headers }) => headers['idempotency-key']))
const caught = async (call: Promise<unknown>): Promise<TollgateError> => {
  const error = await call.then(
    () => assert.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof TollgateError)
  return error
}

describe('a retry', () => {
  test('follows a lost connection and a cut answer, always with the same key', async () => {
    const { gateway, client, clock } = await open(['cut', 'cut in the body', GOOD])
    const { idempotencyKey } = await client.run('core/onescrape')
    assert.equal(gateway.requests.length, 3)
    assert.deepEqual(keysOf(gateway), new Set([idempotencyKey]))
    assert.match(idempotencyKey, /^[0-9a-f-]{36}$/)
    assert.ok(clock.waits.every((ms) => ms >= 125 && ms <= 500))
  })

  test('waits as long as Retry-After demands after 429 and 503', async () => {
    const { clock, client } = await open([
      refusal(429, { code: 'rate_limited', retryable: true }, { 'retry-after': '7' }),
      refusal(503, { code: 'overloaded', retryable: true }, { 'retry-after': '2' }),
      GOOD,
    ])
    await client.run('core/onescrape')
    assert.deepEqual(clock.waits, [7_000, 2_000])
  })

  test('waits for a call in progress beyond the number of retries', async () => {
    const inProgress = refusal(
      409,
      { code: 'idempotency_in_progress', retryable: true },
      { 'retry-after': '1' },
    )
    const { gateway, client } = await open([...Array.from({ length: 20 }, () => inProgress), GOOD])
    await client.run('core/onescrape')
    assert.equal(gateway.requests.length, 21)
    assert.equal(keysOf(gateway).size, 1)
  })

  test('never follows a loop, a rejection, a failed vendor or missing money', async () => {
    for (const [status, code, retryable] of [
      [400, 'invalid_params', false],
      [402, 'credits_required', false],
      [409, 'loop_suspected', true],
      [409, 'upstream_conflict', true],
      [502, 'upstream_error', true],
      [503, 'upstream_not_configured', false],
    ] as const) {
      const { gateway, client } = await open([
        refusal(status, { code, retryable }, { 'retry-after': '0' }),
      ])
      const error = await caught(client.run('core/onescrape'))
      assert.deepEqual(
        [error.code, error.status, error.retryable, gateway.requests.length],
        [code, status, retryable, 1],
      )
    }
  })

  test('ends after four, and sooner when the wait is longer than the deadline', async () => {
    const busy = refusal(503, { code: 'overloaded', retryable: true }, { 'retry-after': '1' })
    const { gateway, client } = await open([busy])
    assert.equal((await caught(client.run('core/onescrape'))).code, 'overloaded')
    assert.equal(gateway.requests.length, 5)
    const far = await open([
      refusal(
        429,
        { code: 'inference_daily_cap', retryable: true },
        { 'retry-after': String(6 * 60) },
      ),
    ])
    assert.equal((await caught(far.client.run('core/onescrape'))).code, 'inference_daily_cap')
    assert.equal(far.gateway.requests.length, 1)
  })
})

describe('a call', () => {
  test('ends at its deadline with the key that gets its result', async () => {
    const { gateway, client } = await open(['silence'], (clock) => clock.advance(60_000))
    const error = await caught(client.run('core/onescrape', {}, { timeoutMs: 50_000 }))
    assert.equal(error.code, 'deadline_exceeded')
    assert.match(error.fix, /idempotencyKey/)
    assert.equal(error.idempotencyKey, gateway.requests[0]?.headers['idempotency-key'])
  })

  test('rejects with the reason of its signal, during a request and during a wait', async () => {
    const stop = new AbortController()
    const first = await open(['silence'], () => stop.abort(new RangeError('no longer needed')))
    await assert.rejects(first.client.run('a/b', {}, { signal: stop.signal }), /no longer needed/)
    assert.equal(first.gateway.requests.length, 1)
    const waiting = new AbortController()
    const busy = refusal(503, { code: 'overloaded', retryable: true }, { 'retry-after': '60' })
    const second = await open([busy], () => setImmediate(() => waiting.abort(new RangeError('no'))))
    const client = new Tollgate({ key: 'tg_test_x', url: second.gateway.url })
    await assert.rejects(client.run('a/b', {}, { signal: waiting.signal }), /^RangeError: no$/)
    assert.equal(second.gateway.requests.length, 1)
  })

  test('is not sent with an aborted signal', async () => {
    const { gateway, client } = await open([GOOD])
    await assert.rejects(client.run('a/b', {}, { signal: AbortSignal.abort() }), {
      name: 'AbortError',
    })
    assert.equal(gateway.requests.length, 0)
  })

  test('does not follow a redirect', async () => {
    const { gateway, client } = await open([
      { status: 302, headers: { location: 'https://other.example/' }, body: '' },
    ])
    const error = await caught(client.run('a/b'))
    assert.deepEqual([error.code, gateway.requests.length], ['redirected', 1])
    assert.match(error.message, /other\.example/)
  })

  test('reports a server that is no gateway', async () => {
    for (const body of ['<html>', '{}', 'null'])
      assert.equal(
        (await caught((await open([{ body }])).client.run('a/b'))).code,
        'invalid_response',
      )
    const page = await open([{ status: 404, body: '<html>' }])
    assert.equal((await caught(page.client.run('a/b'))).status, 404)
  })

  test('repeats a 502 of a proxy, because the call may have run', async () => {
    const { gateway, client } = await open([{ status: 502, body: 'Bad gateway' }, GOOD])
    await client.run('a/b')
    assert.equal(keysOf(gateway).size, 1)
    assert.equal(gateway.requests.length, 2)
  })
})

describe('a client', () => {
  test('calls the service and action of its members, in code names and catalog names', async () => {
    const { gateway, client } = await open([GOOD])
    await client.core.onescrapeDeep({ urls: ['https://example.com'] })
    await client['llmnative-a'].messages({ model: 'claude-x', max_tokens: 1, messages: [] })
    await client.proxy.scrape_residential({ url: 'https://example.com' })
    const newer = client as unknown as { next: { someAction(): Promise<unknown> } }
    await newer.next.someAction()
    assert.deepEqual(
      gateway.requests.map(({ url }) => url),
      [
        '/api/run/core/onescrape-deep',
        '/api/run/llmnative-a/messages',
        '/api/run/proxy/scrape_residential',
        '/api/run/next/some-action',
      ],
    )
    assert.equal(gateway.requests[0]?.body, '{"urls":["https://example.com"]}')
  })

  test('can be awaited, printed and inspected, and does not show its key', async () => {
    const { client, gateway } = await open([GOOD])
    const same = await Promise.resolve(client)
    assert.ok(same instanceof Tollgate)
    assert.ok(!JSON.stringify(client).includes('tg_test_x'))
    assert.ok(!inspect(client, { depth: 10, showHidden: true }).includes('tg_test_x'))
    assert.equal(gateway.requests.length, 0)
  })

  test('names the missing setting', () => {
    assert.throws(() => new Tollgate({ url: 'http://127.0.0.1:1' }), {
      code: 'invalid_settings',
      fix: /TOLLGATE_KEY/,
    })
    assert.throws(() => new Tollgate({ key: 'k' }), { fix: /TOLLGATE_URL/ })
    assert.throws(() => new Tollgate({ key: 'k', url: 'gateway.example' }), { fix: /https/ })
  })
})

describe('a cassette', () => {
  test('is named in calls that it covers, and in no other request', async () => {
    const { gateway } = await open([GOOD])
    const settings = { key: 'tg_test_x', url: gateway.url }
    const client = new Tollgate({ ...settings, cassette: { name: 'trip', mode: 'replay' } })
    await client.run('core/onescrape')
    await client.run('files/list')
    await new Tollgate({ ...settings, cassette: 'trip' }).run('core/onescrape')
    assert.deepEqual(
      gateway.requests.map(({ headers }) => headers['x-tollgate-cassette']),
      ['trip; mode=replay', undefined, 'trip; mode=auto'],
    )
  })

  test('shows that an answer was recorded', async () => {
    const header = 'trip; result=replayed; charged_micros=31'
    const { client } = await open([
      { headers: { 'x-tollgate-cassette': header }, body: { choices: [] } },
    ])
    const { recorded, charged } = await client.chat.create({ model: 'a/b', messages: [] })
    assert.deepEqual([recorded, charged], [true, { micros: 31, cents: 1 }])
  })
})
