/** Cassettes over HTTP: calls of a live key are recorded, and test keys replay them without a charge. */
import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import type { LocalHandler } from '../../src/catalog/vocabulary/handlers.ts'
import { resultHandler } from '../../src/calls/jobs/job-actions.ts'
import { runJob } from '../../src/calls/jobs/run-job.ts'
import { createJobWaiters } from '../../src/jobs/waiters.ts'
import { createWorker } from '../../src/jobs/worker.ts'
import type { KeyRecord } from '../../src/keys/key-record.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { services } from '../../src/vendors/index.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { work } from '../harness/beds/work-service.ts'
import { cleanUp } from '../harness/clean-up.ts'

type Reply = Awaited<ReturnType<AppBed['post']>>
type Failure = {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly param?: string
    readonly details: Readonly<Record<string, unknown>>
  }
}

const FOUND = {
  requestId: 'r',
  results: [{ id: 'https://a.example/', url: 'https://a.example/', title: 'Live' }],
}
const MODELS = { data: [{ id: 'test/model' }] }
const ANSWER = {
  id: 'c',
  object: 'chat.completion',
  model: 'test/model',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
}
const chunk = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'test/model', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`
const STREAM = `${chunk({ role: 'assistant', content: 'Hel' })}${chunk({ content: 'lo' })}${chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}${chunk({}, { choices: [], usage: ANSWER.usage })}data: [DONE]\n\n`

let bed: AppBed
let vendorAnswer: () => { status?: number; body: unknown }
const ends = createJobWaiters()
const local = new Map<string, LocalHandler>([
  ['core.result', (input, tools) => resultHandler(bed.database, ends)(input, tools)],
])

before(async () => {
  bed = await openAppBed({ services: [...services, work], local })
  bed.vendor.answerWith(({ path, body }) => {
    if (path.endsWith('/models')) return { body: MODELS }
    if (!path.endsWith('/chat/completions')) return vendorAnswer()
    return (body as { stream?: boolean }).stream === true
      ? { headers: { 'content-type': 'text/event-stream' }, body: STREAM }
      : { body: ANSWER }
  })
})
beforeEach(() => {
  vendorAnswer = () => ({ body: FOUND })
  bed.vendor.requests.length = 0
})

const by = (key: string, cassette?: string) => ({
  authorization: `Bearer ${key}`,
  ...(cassette === undefined ? {} : { 'x-tollgate-cassette': cassette }),
})
const search = (key: string, cassette: string, input: object = {}): Promise<Reply> =>
  bed.post('/api/run/semantic/search', { query: 'same', ...input }, by(key, cassette))
const chat = (key: string, cassette: string, input: object = {}): Promise<Reply> =>
  bed.post(
    '/api/llm/v1/chat/completions',
    { model: 'test/model', messages: [{ role: 'user', content: 'Hi' }], ...input },
    by(key, cassette),
  )
const api = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  key: string,
  payload?: object,
): Promise<Reply> =>
  bed.app.inject({
    method,
    url: `/api/v1/cassettes${path}`,
    headers: by(key),
    ...(payload === undefined ? {} : { payload }),
  })
const resultOf = ({ headers }: Reply): unknown => headers['x-tollgate-cassette']
const chargeOf = ({ headers }: Reply): number => Number(headers['x-charged-micros'])
const withoutId = (failure: Failure['error']): object => ({ ...failure, request_id: null })
const failureOf = (reply: Reply): Failure['error'] => reply.json<Failure>().error

async function balances(): Promise<unknown[]> {
  const { rows } = await bed.database.query(
    'select id, balance_micros, held_micros, spent_micros from wallets order by id',
  )
  return rows
}

async function makeKey(settings: object): Promise<string> {
  const made = await bed.post('/api/v1/agents', settings)
  assert.equal(made.statusCode, 201, made.body)
  return made.json<{ data: KeyRecord & { key: string } }>().data.key
}

describe('a recorded action', () => {
  it('is charged once, and a test key replays the live answer without a charge or a vendor', async () => {
    const recorded = await search(bed.liveKey, 'shop; mode=record')
    assert.equal(recorded.statusCode, 200, recorded.body)
    assert.equal(resultOf(recorded), 'shop; result=recorded')
    assert.ok(chargeOf(recorded) > 0)
    const [asked, money] = [bed.vendor.requests.length, await balances()]
    vendorAnswer = () => ({ body: { ...FOUND, results: [] } })
    for (const mode of ['replay', 'auto']) {
      const replayed = await search(bed.testKey, `shop; mode=${mode}`)
      assert.equal(replayed.body, recorded.body)
      assert.equal(chargeOf(replayed), 0)
      assert.equal(
        resultOf(replayed),
        `shop; result=replayed; charged_micros=${chargeOf(recorded)}`,
      )
    }
    assert.equal(bed.vendor.requests.length, asked)
    assert.deepEqual(await balances(), money)
  })

  it('matches by meaning: order, defaults, cost limits and idempotency keys do not count', async () => {
    await search(bed.liveKey, 'meaning; mode=record', { numResults: 3 })
    const payload = '{"max_cost_cents":50,"numResults":3,"query":"same"}'
    const replayed = await bed.post('/api/run/semantic/search', payload, {
      ...by(bed.testKey, 'meaning; mode=replay'),
      'idempotency-key': 'another',
    })
    assert.equal(replayed.statusCode, 200, replayed.body)
    const given = await search(bed.testKey, 'meaning; mode=replay', { numResults: 3, type: 'auto' })
    assert.equal(given.statusCode, 200, given.body)
  })

  it('misses with the nearest recording and the path that differs', async () => {
    await search(bed.liveKey, 'miss; mode=record', { query: 'far away', numResults: 9 })
    await search(bed.liveKey, 'miss; mode=record', { numResults: 3 })
    const missed = await search(bed.testKey, 'miss; mode=replay', { numResults: 4 })
    assert.equal(missed.statusCode, 404)
    const { code, message, param, details } = failureOf(missed)
    assert.equal(code, 'cassette_miss')
    assert.equal(param, 'numResults')
    assert.match(message, /differs at numResults: recorded 3, sent 4\.$/)
    const { differences } = details['nearest'] as { differences: unknown }
    assert.deepEqual(differences, [{ path: 'numResults', recorded: '3', sent: '4' }])
    assert.match(
      failureOf(await search(bed.testKey, 'none; mode=replay')).message,
      /There is no cassette "none"/,
    )
    const other = await bed.post(
      '/api/run/semantic/contents',
      { urls: ['https://a.example/'] },
      by(bed.testKey, 'miss; mode=replay'),
    )
    assert.equal(failureOf(other).code, 'cassette_miss', other.body)
    assert.match(failureOf(other).message, /no recording of run\/semantic\/contents/)
  })

  it('replays its error, but not one that is about money or may pass', async () => {
    vendorAnswer = () => ({ status: 400, body: { error: 'No such index.' } })
    const failed = await search(bed.liveKey, 'errors; mode=auto')
    assert.equal(failed.statusCode, 422, failed.body)
    assert.equal(resultOf(failed), 'errors; result=recorded')
    vendorAnswer = () => ({ body: FOUND })
    const replayed = await search(bed.testKey, 'errors; mode=replay')
    assert.equal(replayed.statusCode, 422)
    assert.deepEqual(withoutId(failureOf(replayed)), withoutId(failureOf(failed)))

    const dear = await search(bed.liveKey, 'errors; mode=record', {
      query: 'dear',
      max_cost_cents: 0,
    })
    assert.equal(failureOf(dear).code, 'max_cost_exceeded', dear.body)
    vendorAnswer = () => ({ status: 500, body: {} })
    assert.equal(
      (await search(bed.liveKey, 'errors; mode=auto', { query: 'down' })).statusCode,
      502,
    )
    for (const query of ['dear', 'down'])
      assert.equal(
        failureOf(await search(bed.testKey, 'errors; mode=replay', { query })).code,
        'cassette_miss',
      )
  })

  it('is not replaced by the simulated answer of a test key', async () => {
    const live = await search(bed.liveKey, 'precious; mode=record')
    vendorAnswer = () => ({ body: { ...FOUND, results: [] } })
    const simulated = await search(bed.testKey, 'precious; mode=record')
    assert.equal(resultOf(simulated), 'precious; result=not_recorded; reason=live_recording')
    assert.equal((await search(bed.testKey, 'precious')).body, live.body)
  })

  it('contains no secret, and calls that differ only in secrets match', async () => {
    const secret = 'tg_live_0123456789abcdefghijABCDEFGHIJ'
    vendorAnswer = () => ({
      body: {
        ...FOUND,
        results: [
          {
            ...FOUND.results[0],
            title: 'https://jo:hunter2@a.example/?token=0123456789abcdef',
            text: `{"password":"a\\"b\\\\","x":1} Authorization: Bearer ${secret}`,
          },
        ],
      },
    })
    const sent = { query: `use ${secret}` }
    await search(bed.liveKey, 'secrets; mode=record', sent)
    const { rows } = await bed.database.query<{ input: string; body: string }>(
      "select input, body from recordings join cassettes on cassettes.id = cassette_id where name = 'secrets'",
    )
    assert.equal(rows.length, 1)
    const text = `${rows[0]?.input}${rows[0]?.body}`
    for (const part of [secret, 'hunter2', '0123456789abcdef', 'a\\\\\\"b'])
      assert.ok(!text.includes(part), part)
    const replayed = await search(bed.testKey, 'secrets; mode=replay', {
      query: 'use tg_live_another0000000000000000000000000000',
    })
    assert.equal(replayed.statusCode, 200, replayed.body)
    assert.equal(replayed.json<{ ok: boolean }>().ok, true)
  })
})

describe('a recorded completion', () => {
  it('replays as JSON; fields that limit its cost or label the request do not count', async () => {
    const recorded = await chat(bed.liveKey, 'llm; mode=record')
    assert.equal(resultOf(recorded), 'llm; result=recorded', recorded.body)
    const asked = bed.vendor.requests.length
    const replayed = await chat(bed.testKey, 'llm; mode=replay', {
      stream: false,
      n: 1,
      user: 'u1',
      max_completion_tokens: 4096,
      max_cost_cents: 3,
      temperature: null,
    })
    assert.equal(replayed.body, recorded.body)
    assert.equal(replayed.headers['x-model'], 'test/model')
    assert.equal(chargeOf(replayed), 0)
    assert.equal(bed.vendor.requests.length, asked)
    const missed = await chat(bed.testKey, 'llm; mode=replay', {
      messages: [{ role: 'user', content: 'Ho' }],
    })
    assert.equal(missed.statusCode, 404)
    assert.match(missed.body, /differs at messages\[0\]\.content: recorded \\"Hi\\", sent \\"Ho\\"/)
  })

  it('replays a stream with its events in order, for free', async () => {
    const recorded = await chat(bed.liveKey, 'stream; mode=record', { stream: true })
    assert.equal(recorded.statusCode, 200)
    assert.match(recorded.body, /"Hel"[^]*"lo"[^]*\[DONE\]/)
    const money = await balances()
    const replayed = await chat(bed.testKey, 'stream; mode=replay', { stream: true })
    assert.equal(replayed.body, recorded.body)
    assert.match(String(replayed.headers['content-type']), /^text\/event-stream/)
    assert.match(String(resultOf(replayed)), /^stream; result=replayed; charged_micros=[1-9]\d*$/)
    assert.deepEqual(await balances(), money)
    // A stream and a whole answer are different recordings.
    assert.equal((await chat(bed.testKey, 'stream; mode=replay')).statusCode, 404)
  })

  it('covers embeddings, and no route whose answer is a file', async () => {
    const refused = await bed.post(
      '/api/llm/v1/images/generations',
      { prompt: 'a cat' },
      by(bed.testKey, 'llm; mode=replay'),
    )
    assert.equal(refused.statusCode, 400, refused.body)
    assert.match(refused.body, /Cassettes do not cover this route/)
    assert.equal((await bed.post('/api/fetch', {}, by(bed.testKey, 'llm'))).statusCode, 400)
    assert.equal((await bed.post('/mcp', {}, by(bed.testKey, 'llm'))).statusCode, 400)
  })
})

it('a recorded job replays its id and its last state', async () => {
  const submit = (key: string, mode: string): Promise<Reply> =>
    bed.post('/api/run/work/deep', {}, by(key, `jobs; mode=${mode}`))
  const poll = (key: string, mode: string, jobId: string, more: object = {}): Promise<Reply> =>
    bed.post('/api/run/core/result', { job_id: jobId, ...more }, by(key, `jobs; mode=${mode}`))
  const submitted = await submit(bed.liveKey, 'record')
  assert.equal(submitted.statusCode, 200, submitted.body)
  const { job_id: jobId } = submitted.json<{ data: { job_id: string } }>().data
  const waiting = await poll(bed.liveKey, 'record', jobId)
  assert.equal(resultOf(waiting), 'jobs; result=not_recorded; reason=not_final', waiting.body)
  assert.equal((await poll(bed.testKey, 'replay', jobId)).statusCode, 404)
  const worker = createWorker({
    database: bed.database,
    now: bed.clock,
    concurrency: 1,
    run: (job, control) =>
      runJob(
        bed.calls,
        new Map([['work.deep', async () => ({ kind: 'done', data: { rows: 3 }, actual: 0n })]]),
        job,
        control,
      ),
    onError: () => {},
  })
  cleanUp(() => worker.stop(0))
  worker.wake()
  let ended: Reply
  do {
    ended = await poll(bed.liveKey, 'record', jobId)
    await new Promise((turn) => setImmediate(turn))
  } while (resultOf(ended) !== 'jobs; result=recorded')
  const again = await submit(bed.testKey, 'replay')
  assert.equal(again.json<{ data: { job_id: string } }>().data.job_id, jobId)
  const replayed = await poll(bed.testKey, 'replay', jobId, { wait_s: 60 })
  assert.equal(replayed.body, ended.body)
  assert.match(replayed.body, /"status":"succeeded"[^]*"rows":3/)
})

describe('cassettes of other keys and accounts', () => {
  it('are invisible: an ordinary key sees its own, an account key all of its account', async () => {
    const [maker, sibling] = [
      await makeKey({ label: 'maker' }),
      await makeKey({ label: 'sibling', mode: 'test' }),
    ]
    await search(maker, 'own; mode=record')
    assert.equal((await search(maker, 'own; mode=replay')).statusCode, 200)
    for (const key of [sibling, bed.strangerKey, bed.testKey])
      assert.equal(failureOf(await search(key, 'own; mode=replay')).code, 'cassette_miss')
    const listed = (await api('GET', '', maker)).json<{ data: { id: string; name: string }[] }>()
    assert.deepEqual(
      listed.data.map(({ name }) => name),
      ['own'],
    )
    const id = listed.data[0]?.id ?? ''
    for (const key of [sibling, bed.strangerKey])
      for (const [method, path] of [
        ['GET', '/own'],
        ['GET', `/${id}`],
        ['GET', '/own/recordings'],
        ['DELETE', `/${id}`],
      ] as const)
        assert.equal(failureOf(await api(method, path, key)).code, 'unknown_cassette')
    const all = (await api('GET', '', bed.testKey)).json<{ data: { name: string }[] }>().data
    assert.ok(all.some(({ name }) => name === 'own'))
    assert.equal((await api('GET', `/${id}/recordings`, bed.liveKey)).statusCode, 200)
    assert.equal((await api('DELETE', `/${id}`, bed.testKey)).statusCode, 403)
    assert.equal((await api('DELETE', `/${id}`, bed.liveKey)).statusCode, 200)
    assert.equal((await search(maker, 'own; mode=replay')).statusCode, 404)
  })
})

describe('an exported cassette', () => {
  it('imports elsewhere and replays there, with its errors and streams', async () => {
    await search(bed.liveKey, 'trip; mode=record')
    await chat(bed.liveKey, 'trip; mode=record', { stream: true })
    vendorAnswer = () => ({ status: 400, body: { error: 'No.' } })
    await search(bed.liveKey, 'trip; mode=record', { query: 'bad' })
    const exported = (await api('GET', '/trip/recordings', bed.liveKey)).json<{
      data: object[]
      next_cursor: null
    }>()
    assert.equal(exported.data.length, 3)
    assert.equal(exported.next_cursor, null)
    const imported = await api('POST', '/copy/recordings', bed.strangerKey, {
      recordings: exported.data,
    })
    assert.equal(imported.statusCode, 201, imported.body)
    assert.equal((await search(bed.strangerKey, 'copy; mode=replay')).statusCode, 200)
    const stream = await chat(bed.strangerKey, 'copy; mode=replay', { stream: true })
    assert.match(stream.body, /"Hel"[^]*\[DONE\]/)
    assert.equal(
      (await search(bed.strangerKey, 'copy; mode=replay', { query: 'bad' })).statusCode,
      422,
    )
    const again = (await api('GET', '/copy/recordings', bed.strangerKey)).json<{ data: object[] }>()
    assert.deepEqual(again.data, exported.data)
  })

  it('is rejected with the field at fault', async () => {
    const recording = {
      route: 'run/semantic/search',
      input: { query: 'x' },
      status: 200,
      answer: { ok: true },
      model: null,
      charged_micros: 1,
      live: true,
      recorded_at: '2026-01-01T00:00:00Z',
    }
    for (const [change, param] of [
      [{ route: 'elsewhere' }, 'recordings[0].route'],
      [{ status: 503 }, 'recordings[0].answer'],
      [{ events: ['x'] }, 'recordings[0].answer'],
      [{ model: 'a\r\nb' }, 'recordings[0].model'],
      [{ charged_micros: -1 }, 'recordings[0].charged_micros'],
    ] as const) {
      const refused = await api('POST', '/bad/recordings', bed.testKey, {
        recordings: [{ ...recording, ...change }],
      })
      assert.deepEqual([refused.statusCode, failureOf(refused).param], [400, param], refused.body)
    }
    assert.equal((await api('GET', '/bad', bed.testKey)).statusCode, 404)
  })
})

describe('the limits', () => {
  const recording = (query: string) => ({
    route: 'run/semantic/search',
    input: { query },
    status: 200,
    answer: { ok: true },
    model: null,
    charged_micros: 1,
    live: true,
    recorded_at: '2026-01-01T00:00:00Z',
  })

  it('reject a recording before it costs anything when the account is full, and are exact', async () => {
    const key = bed.strangerKey
    await api('POST', '/full/recordings', key, { recordings: [recording('a')] })
    await bed.database.query("update cassettes set bytes = bytes + 67108864 where name = 'full'")
    const asked = bed.vendor.requests.length
    const refused = await search(key, 'full; mode=record')
    assert.deepEqual(
      [refused.statusCode, failureOf(refused).code],
      [403, 'cassette_quota_exceeded'],
    )
    assert.equal(bed.vendor.requests.length, asked)
    const imported = await api('POST', '/full/recordings', key, { recordings: [recording('b')] })
    assert.equal(failureOf(imported).code, 'cassette_quota_exceeded')
    assert.equal((await search(key, 'full; mode=replay', { query: 'a' })).statusCode, 404)
    await bed.database.query("update cassettes set bytes = bytes - 67108864 where name = 'full'")

    const list = async (): Promise<{ name: string }[]> =>
      (await api('GET', '', key)).json<{ data: { name: string }[] }>().data
    await bed.database.query(
      `insert into cassettes (id, account_id, name, created_ms, recorded_ms, expires_ms)
       select gen_random_uuid(), account_id, 'filler-' || place, created_ms, recorded_ms, expires_ms
       from cassettes, generate_series(1, 95) as place where name = 'full'`,
    )
    const left = 100 - (await list()).length
    const made = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) =>
        api('POST', `/${name}/recordings`, key, { recordings: [recording('c')] }),
      ),
    )
    const statuses = made.map(({ statusCode }) => statusCode)
    assert.ok(left > 0 && left < made.length)
    assert.equal(statuses.filter((status) => status === 201).length, left)
    assert.equal(statuses.filter((status) => status === 403).length, made.length - left)
    const listed = await list()
    assert.equal(listed.length, 100)
    for (const { name } of listed) await api('DELETE', `/${name}`, key)
  })

  it('return an answer that is too large to be recorded', async () => {
    vendorAnswer = () => ({
      body: { ...FOUND, results: [{ ...FOUND.results[0], text: 'x'.repeat(2_100_000) }] },
    })
    const large = await search(bed.liveKey, 'large; mode=record')
    assert.equal(large.statusCode, 200)
    assert.equal(resultOf(large), 'large; result=not_recorded; reason=too_large')
    assert.ok(chargeOf(large) > 0)
  })

  it('end a cassette 90 days after its last recording', async () => {
    await search(bed.liveKey, 'old; mode=record')
    bed.clock.advance(91 * DAY_MS)
    assert.equal((await search(bed.testKey, 'old; mode=replay')).statusCode, 404)
    assert.equal((await api('GET', '/old', bed.testKey)).statusCode, 404)
    assert.equal((await search(bed.liveKey, 'old; mode=auto')).statusCode, 200)
    assert.equal((await search(bed.testKey, 'old; mode=replay')).statusCode, 200)
  })
})

it('rejects a header that names no cassette or mode', async () => {
  for (const header of ['', 'a b', '../x', 'shop; mode=play', 'shop; speed=2', 'x'.repeat(65)]) {
    const refused = await search(bed.testKey, header)
    assert.deepEqual(
      [refused.statusCode, failureOf(refused).param],
      [400, 'X-Tollgate-Cassette'],
      header,
    )
  }
})
