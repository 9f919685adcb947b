import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { openAppBed, type AppBed } from '../../../../../test/harness/beds/app.ts'
import { sendForm } from '../../../../../test/harness/clients/forms.ts'
import { mcpClient } from '../../../../../test/harness/clients/mcp.ts'

const TOKEN = 'scrape-me-if-you-can'
const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }
const SEARCH = '/api/run/semantic/search'

let bed: AppBed

beforeEach(async () => {
  bed = await openAppBed({ metricsToken: TOKEN, rateLimitPerMinute: 20 })
  bed.vendor.answerWith(({ path }) => ({
    body: path.includes('llm')
      ? {
          id: 'g',
          object: 'chat.completion',
          created: 1,
          model: 'test/model',
          choices: [
            { index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' },
          ],
          usage: { prompt_tokens: 3, completion_tokens: 4 },
        }
      : FOUND,
  }))
})

const get = (token = TOKEN) => bed.get('/metrics', { authorization: `Bearer ${token}` })
const ask = (body: unknown, headers: Record<string, string> = {}) => bed.post(SEARCH, body, headers)
const withTestKey = () => ({ authorization: `Bearer ${bed.testKey}` })

const FAMILY = /^# (HELP|TYPE) ([a-z0-9_]+) (.+)$/
const SAMPLE =
  /^([a-z0-9_]+)(\{[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\[\\"n])*")*\})? (-?\d+(?:\.\d+)?(?:e[+-]\d+)?|Na[nN]|\+Inf)$/

/** Parses all series. Fails for an invalid line, a duplicate family or series, or a family without a type. */
function parse(text: string): ReadonlyMap<string, number> {
  assert.ok(text.endsWith('\n'))
  const families = new Map<string, string>()
  const series = new Map<string, number>()
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const family = FAMILY.exec(line)
    if (family !== null) {
      const [, what = '', name = '', value = ''] = family
      assert.ok(!families.has(`${what} ${name}`), line)
      families.set(`${what} ${name}`, value)
      continue
    }
    const [, name = '', labels = '', value = ''] =
      SAMPLE.exec(line) ?? assert.fail(`not a sample: ${line}`)
    const owner =
      [name, name.replace(/_(bucket|sum|count)$/, '')].find((one) => families.has(`TYPE ${one}`)) ??
      assert.fail(`no type: ${line}`)
    assert.ok(
      families.has(`HELP ${owner}`) &&
        ['counter', 'gauge', 'histogram'].includes(families.get(`TYPE ${owner}`) ?? ''),
      line,
    )
    assert.ok(!series.has(`${name}${labels}`), line)
    series.set(`${name}${labels}`, Number(value))
  }
  return series
}

async function scrape(): Promise<ReadonlyMap<string, number>> {
  const reply = await get()
  assert.equal(reply.statusCode, 200)
  return parse(reply.body)
}

const OF_CALLS =
  /^tollgate_(calls_total|charged_micros_total|jobs_ended_total|http_errors_total|call_duration_seconds_count)/

/** Returns the changes of the call figures by `work`. */
async function changesBy(work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const before = await scrape()
  await work()
  const after = await scrape()
  for (const name of before.keys()) assert.ok(after.has(name), `${name} is gone`)
  const changes = [...after]
    .map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const)
    .filter(([name, by]) => OF_CALLS.test(name) && by !== 0)
  return Object.fromEntries(changes)
}

const call = (service: string, lane: string, code: string, mode = 'live') =>
  `tollgate_calls_total{service="${service}",lane="${lane}",code="${code}",mode="${mode}"}`
const charge = (service: string, mode = 'live') =>
  `tollgate_charged_micros_total{service="${service}",mode="${mode}"}`
const timed = (service: string, mode = 'live') =>
  `tollgate_call_duration_seconds_count{service="${service}",mode="${mode}"}`
const error = (code: string) => `tollgate_http_errors_total{code="${code}"}`

describe('access', () => {
  it('answers 404 without METRICS_TOKEN', async () => {
    const without = await openAppBed()
    assert.deepEqual(
      [
        (await without.get('/metrics')).statusCode,
        (await without.get('/metrics', { authorization: `Bearer ${TOKEN}` })).statusCode,
      ],
      [404, 404],
    )
    assert.equal(without.calls.tally, undefined)
  })

  it('answers 401 to any other token or key', async () => {
    for (const token of ['', 'wrong', `${TOKEN}x`, TOKEN.slice(0, -1), bed.liveKey]) {
      const reply = await get(token)
      assert.deepEqual(
        [
          reply.statusCode,
          reply.headers['www-authenticate'],
          reply.json<{ error: { code: string } }>().error.code,
        ],
        [401, 'Bearer', 'invalid_token'],
      )
      assert.ok(!reply.body.includes('tollgate_'))
    }
    assert.equal(
      (await bed.app.inject({ method: 'GET', url: `/metrics?token=${TOKEN}` })).statusCode,
      401,
    )
  })

  it('answers the token with the text format and no-store', async () => {
    const { headers, statusCode } = await get()
    assert.deepEqual(
      [statusCode, headers['content-type'], headers['cache-control']],
      [200, 'text/plain; version=0.0.4; charset=utf-8', 'no-store'],
    )
  })
})

describe('the figures', () => {
  it('cover build, process, ledger, database and open items', async () => {
    await ask({ query: 'x' })
    const series = await scrape()
    for (const name of [
      'process_resident_memory_bytes',
      'process_open_fds',
      'nodejs_eventloop_lag_p99_seconds',
      'tollgate_database_connections_limit',
    ])
      assert.ok((series.get(name) ?? -1) >= 0, name)
    assert.ok([...series.keys()].some((name) => name.startsWith('tollgate_build_info{version="')))
    assert.deepEqual(
      [
        series.get('tollgate_ledger_flushes_total'),
        series.get('tollgate_ledger_operations_total'),
        series.get('tollgate_ledger_waiting{kind="hold"}'),
      ],
      [2, 2, 0],
    )
    const standing = [
      'tollgate_database_up',
      'tollgate_open_holds{mode="live"}',
      'tollgate_held_micros{mode="test"}',
      'tollgate_jobs{status="queued",mode="live"}',
      'tollgate_oldest_queued_job_seconds{mode="live"}',
      'tollgate_open_sessions{mode="live"}',
      'tollgate_payments_waiting{of="buyers"}',
      'tollgate_paid_today_micros',
      'tollgate_pay_day_limit_micros',
      'tollgate_browser_pages',
      'tollgate_open_breakers{vendor="semantic"}',
    ]
    assert.deepEqual(
      standing.map((name) => series.get(name)),
      [1, 0, 0, 0, 0, 0, 0, 0, 10_000_000, 1, 0],
    )
  })

  it('change only for the service of a paid call', async () => {
    assert.deepEqual(await changesBy(() => ask({ query: 'x' })), {
      [call('semantic', 'vendor', 'ok')]: 1,
      [charge('semantic')]: 10_000,
      [timed('semantic')]: 1,
    })
  })

  it('count a failed call by its code, without a charge', async () => {
    bed.vendor.answerWith(() => ({ status: 402, body: { error: 'credit used up' } }))
    assert.deepEqual(await changesBy(() => ask({ query: 'x' })), {
      [call('semantic', 'vendor', 'upstream_payment')]: 1,
      [timed('semantic')]: 1,
      [error('upstream_payment')]: 1,
    })
  })

  it('export zero before the first occurrence, so that it is an increase', async () => {
    const series = await scrape()
    assert.deepEqual(
      [
        'upstream_payment',
        'upstream_not_configured',
        'payment_unknown',
        'price_unknown',
        'upstream_error',
      ].map((code) => series.get(call('semantic', 'vendor', code))),
      [0, 0, 0, 0, undefined],
    )
    assert.equal(series.get(call('llm', 'vendor', 'upstream_not_configured')), 0)
    assert.equal(series.get('tollgate_page_refusals_total{page="/sign-in",status="429"}'), 0)
    assert.deepEqual(
      ['invalid_token', 'internal'].map((code) => series.get(error(code))),
      [0, 0],
    )
    await ask({ quer: 'x' })
    assert.equal((await scrape()).get(call('semantic', 'none', 'upstream_payment')), undefined)
  })

  it('distinguish rejected calls from performed ones', async () => {
    assert.deepEqual(await changesBy(() => ask({ quer: 'x' })), {
      [call('semantic', 'none', 'invalid_params')]: 1,
      [timed('semantic')]: 1,
      [error('invalid_params')]: 1,
    })
    assert.deepEqual(await changesBy(() => ask({ query: 'x', max_cost_cents: 0 })), {
      [call('semantic', 'none', 'max_cost_exceeded')]: 1,
      [timed('semantic')]: 1,
      [error('max_cost_exceeded')]: 1,
    })
  })

  it('count a request that never becomes a call as an error only', async () => {
    assert.deepEqual(
      await changesBy(() => ask({ query: 'x' }, { authorization: 'Bearer tg_live_nonsense' })),
      { [error('invalid_token')]: 1 },
    )
    for (let count = 0; count < 20; count += 1) await bed.get('/api/v1/agents/me')
    assert.deepEqual(await changesBy(() => ask({ query: 'x' })), { [error('rate_limited')]: 1 })
  })

  it('count rejected forms by page and status, but not accepted ones or rejected calls', async () => {
    const send = (form: Record<string, string>, path: string) =>
      sendForm(bed.app, { url: path, fields: form })
    await send({ email: 'jo@example.com', password: 'not the one' }, '/sign-in')
    await send({ key: 'nonsense' }, '/balance/sign-in')
    await send({ key: bed.liveKey }, '/balance/sign-in')
    await ask({ query: 'x' }, { authorization: 'Bearer invalidSetting' })
    const refusals = [...(await scrape())].filter(
      ([name, value]) => name.startsWith('tollgate_page_refusals_total') && value > 0,
    )
    assert.deepEqual(refusals, [
      ['tollgate_page_refusals_total{page="/sign-in",status="401"}', 1],
      ['tollgate_page_refusals_total{page="/balance/sign-in",status="401"}', 1],
    ])
  })

  it('count calls of a test key in test mode only', async () => {
    assert.deepEqual(await changesBy(() => ask({ query: 'x' }, withTestKey())), {
      [call('semantic', 'simulator', 'ok', 'test')]: 1,
      [charge('semantic', 'test')]: 10_000,
      [timed('semantic', 'test')]: 1,
    })
  })

  it('count a replayed response in its own lane, without a charge', async () => {
    const once = () => ask({ query: 'x' }, { 'idempotency-key': 'one' })
    await once()
    assert.deepEqual(await changesBy(once), {
      [call('semantic', 'replayed', 'ok')]: 1,
      [timed('semantic')]: 1,
    })
  })

  it('count MCP calls, completions and fetches like HTTP calls', async () => {
    const client = mcpClient(bed)
    assert.deepEqual(
      await changesBy(() =>
        client.tool('run', { service: 'semantic', action: 'search', params: { query: 'x' } }),
      ),
      {
        [call('semantic', 'vendor', 'ok')]: 1,
        [charge('semantic')]: 10_000,
        [timed('semantic')]: 1,
      },
    )
    const chat = { model: 'test/model', messages: [{ role: 'user', content: 'Well?' }] }
    assert.deepEqual(await changesBy(() => bed.post('/api/llm/v1/chat/completions', chat)), {
      [call('llm', 'vendor', 'ok')]: 1,
      [charge('llm')]: 7,
      [timed('llm')]: 1,
    })
    assert.deepEqual(
      await changesBy(() =>
        bed.post('/api/llm/v1/chat/completions', { ...chat, model: 'no/price' }),
      ),
      {
        [call('llm', 'vendor', 'price_unknown')]: 1,
        [timed('llm')]: 1,
        [error('price_unknown')]: 1,
      },
    )
    assert.deepEqual(
      await changesBy(() =>
        bed.post('/api/fetch', { url: 'https://shop.example/', max_cost_cents: 5 }, withTestKey()),
      ),
      {
        [call('web', 'simulator', 'ok', 'test')]: 1,
        [charge('web', 'test')]: 10_000,
        [timed('web', 'test')]: 1,
      },
    )
  })

  it('count an interrupted stream as a failure and charge the delivered part', async () => {
    const words = `data: ${JSON.stringify({ id: 'g', object: 'chat.completion.chunk', created: 1, model: 'test/model', choices: [{ index: 0, delta: { content: 'Well, ' }, finish_reason: null }] })}\n\n`
    bed.vendor.answerWith(() => ({
      headers: { 'content-type': 'text/event-stream' },
      body: `${words}data: {"error":{"message":"out of memory","code":500}}\n\n`,
    }))
    const moved = await changesBy(() =>
      bed.post('/api/llm/v1/chat/completions', {
        model: 'test/model',
        stream: true,
        messages: [{ role: 'user', content: 'Well?' }],
      }),
    )
    assert.deepEqual(
      Object.keys(moved).filter((name) => name.startsWith('tollgate_calls_total')),
      [call('llm', 'vendor', 'upstream_error')],
    )
    assert.ok((moved[charge('llm')] ?? 0) > 0)
  })

  it('have cumulative duration buckets', async () => {
    bed.vendor.answerWith(() => {
      bed.clock.advance(300)
      return { body: FOUND }
    })
    await ask({ query: 'x' })
    const series = await scrape()
    const at = (le: string) =>
      series.get(`tollgate_call_duration_seconds_bucket{service="semantic",mode="live",le="${le}"}`)
    assert.deepEqual(
      ['0.005', '0.025', '0.1', '0.5', '2.5', '10', '60', '+Inf'].map(at),
      [0, 0, 0, 1, 1, 1, 1, 1],
    )
    assert.equal(
      series.get('tollgate_call_duration_seconds_sum{service="semantic",mode="live"}'),
      0.3,
    )
  })

  it('contain no account, no key and no text from a caller', async () => {
    const secret = 'what-the-caller-wrote'
    await ask({ query: secret }, { 'idempotency-key': secret })
    await bed.post(`/api/run/${secret}/search`, {})
    await bed.post(`/api/run/semantic/${secret}`, {})
    await bed.post('/api/llm/v1/chat/completions', {
      model: secret,
      messages: [{ role: 'user', content: secret }],
    })
    await bed.post(
      '/api/fetch',
      { url: `https://${secret}.example/`, max_cost_cents: 5 },
      withTestKey(),
    )
    await bed.get(`/${secret}`)
    const { body } = await get()
    for (const word of [
      secret,
      bed.liveKey,
      bed.testKey,
      bed.caller.accountId,
      bed.caller.keyId,
      'gate.example',
      TOKEN,
      'vendor-secret-key',
    ])
      assert.ok(!body.includes(word), word)
    const services = new Set(
      [...parse(body)].flatMap(([name, value]) =>
        value > 0 ? (/service="([^"]+)"/.exec(name)?.[1] ?? []) : [],
      ),
    )
    assert.deepEqual(services, new Set(['semantic', 'unknown', 'llm', 'web']))
  })

  it('start at zero with the process and only grow', async () => {
    assert.deepEqual(
      [...(await scrape())].filter(([name, value]) => OF_CALLS.test(name) && value > 0),
      [],
    )
    let before = new Map<string, number>() as ReadonlyMap<string, number>
    for (const body of [{ query: 'x' }, { quer: 'x' }, { query: 'y' }]) {
      await ask(body)
      const after = await scrape()
      for (const [name, value] of before)
        if (/_(?:total|bucket|count|sum)(?:\{|$)/.test(name))
          assert.ok((after.get(name) ?? -1) >= value, name)
      before = after
    }
  })
})
