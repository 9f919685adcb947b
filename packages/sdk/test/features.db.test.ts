/** Jobs, events, files, streams and budgets against a gateway. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Tollgate, TollgateError, type ChatChunk, type TollgateEvent } from '../src/index.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import { openGateway } from './open-gateway.ts'

const gateway = await openGateway()
const tollgate = new Tollgate({ key: gateway.testKey, url: gateway.url })
const PAGES = { urls: ['https://example.com/'] }
const CHAT = {
  model: 'core/cheap',
  messages: [{ role: 'user', content: 'What is a ledger?' }],
}

describe('a job', () => {
  test('returns its typed result, and reports its states until the end', async () => {
    const started = await tollgate.core.onescrapeDeep(PAGES)
    const states: string[] = []
    for await (const { status } of tollgate.watch(started, { everyS: 1 })) states.push(status)
    assert.equal(states.at(-1), 'succeeded')
    const job = await tollgate.waitFor(started)
    assert.equal(job.result.rows[0]?.url, PAGES.urls[0])
    assert.equal(job.job_id, started.data.job_id)
    assert.equal((await tollgate.waitFor(started.data.job_id)).status, 'succeeded')
  })

  test('rejects with its code when it fails, and with the reason of a signal', async () => {
    const failing = await tollgate.core.onefindDeep({ rows: ['none'] })
    const error = await tollgate.waitFor(failing).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof TollgateError)
    assert.notEqual(error.code, 'job_failed')
    assert.equal(error.details['job_id'], failing.data.job_id)
    await assert.rejects(
      tollgate.waitFor(failing, { signal: AbortSignal.abort(new RangeError('enough')) }),
      /enough/,
    )
  })
})

describe('events', () => {
  test('arrive in order, continue after an id, and wait for later ones', async () => {
    const first = await tollgate.waitFor(await tollgate.core.onescrapeDeep(PAGES))
    const second = await tollgate.waitFor(await tollgate.core.onescrapeDeep(PAGES))
    const seen: TollgateEvent[] = []
    for await (const event of tollgate.events({ types: ['job.*'], follow: false })) seen.push(event)
    const ids = seen.map(({ data }) => data['job_id'])
    assert.ok(ids.includes(first.job_id) && ids.includes(second.job_id))
    const sequences = seen.map(({ data }) => data.sequence)
    assert.deepEqual(
      sequences,
      sequences.toSorted((one, other) => one - other),
    )
    const after = seen[ids.indexOf(first.job_id)]?.id ?? ''
    const rest: unknown[] = []
    for await (const { data } of tollgate.events({ after, follow: false }))
      rest.push(data['job_id'])
    assert.ok(rest.includes(second.job_id) && !rest.includes(first.job_id))

    const next = tollgate.events({ after: 'latest', types: ['job.succeeded'] }).next()
    const third = await tollgate.core.onescrapeDeep(PAGES)
    assert.equal((await next).value?.data['job_id'], third.data.job_id)
  })
})

describe('files', () => {
  test('are uploaded, listed, downloaded and deleted', async () => {
    const content = new TextEncoder().encode('a,b\n1,2\n')
    const { data: file, charged } = await tollgate.files.upload(content, {
      filename: 'table.csv',
      tags: ['sdk'],
    })
    assert.deepEqual([file.size, charged.micros], [content.length, 10_000])
    const { data } = await tollgate.files.list({ tags: ['sdk'] })
    assert.deepEqual(
      data.files.map(({ file_id: id }) => id),
      [file.file_id],
    )
    assert.equal(await (await tollgate.files.download(file.file_id)).text(), 'a,b\n1,2\n')
    await tollgate.files.delete({ file_id: file.file_id })
    await assert.rejects(tollgate.files.download(file.file_id), { code: 'unknown_file' })
  })

  test('exist once after an upload that is repeated with its key', async () => {
    const facts = { filename: 'once.txt', tags: ['once'] }
    const first = await tollgate.files.upload('once', facts)
    const again = await tollgate.files.upload('once', facts, {
      idempotencyKey: first.idempotencyKey,
    })
    assert.equal(again.data.file_id, first.data.file_id)
    assert.equal(again.replayed, true)
  })
})

describe('chat', () => {
  const textOf = (chunks: readonly ChatChunk[]): string =>
    chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')

  test('returns a response with its charge, and the same text as a stream', async () => {
    const whole = await tollgate.chat.create(CHAT)
    const text = whole.data.choices[0]?.message.content ?? ''
    assert.match(text, /simulated/)
    assert.ok(whole.charged.micros > 0 && whole.simulated)
    const stream = tollgate.chat.stream(CHAT)
    assert.equal(await stream.text(), text)
    assert.equal(stream.usage?.completion_tokens, whole.data.usage?.completion_tokens)
    assert.equal(Math.round((stream.usage?.cost ?? 0) * 1_000_000), whole.charged.micros)
  })

  test('continues a stream whose connection is lost, charged once', async () => {
    const expected = await tollgate.chat.stream(CHAT).text()
    const before = (await gateway.chargesOf('core/cheap')).length
    const proxy = await startCuttingProxy(gateway.url, [300, 700])
    const client = new Tollgate({ key: gateway.testKey, url: proxy.url })
    const chunks: ChatChunk[] = []
    for await (const chunk of client.chat.stream(CHAT)) chunks.push(chunk)
    assert.equal(textOf(chunks), expected)
    assert.deepEqual([proxy.cuts(), new Set(proxy.keys).size], [2, 1])
    assert.equal((await gateway.chargesOf('core/cheap')).length, before + 1)
  })

  test('reports a lost stream without a key, and does not send it again', async () => {
    const proxy = await startCuttingProxy(gateway.url, [300])
    const client = new Tollgate({ key: gateway.testKey, url: proxy.url })
    await assert.rejects(client.chat.stream(CHAT, { resumable: false }).text(), {
      code: 'stream_failed',
      idempotencyKey: null,
    })
    assert.deepEqual(proxy.keys, [undefined])
  })

  test('names the field that the router rejects', async () => {
    await assert.rejects(tollgate.chat.create({ ...CHAT, plugins: [] }), (error) => {
      assert.ok(error instanceof TollgateError)
      assert.deepEqual([error.status, error.fields[0]?.field], [400, 'plugins'])
      return true
    })
  })
})

describe('a budget', () => {
  test('bounds the work, and its key ends with it', async () => {
    let secret: Tollgate | undefined
    const error = await tollgate
      .withBudget(3, async (child) => {
        secret = child
        await child.core.onescrape(PAGES)
        await child.core.onescrape(PAGES)
      })
      .catch((thrown: unknown) => thrown)
    assert.ok(error instanceof TollgateError)
    assert.equal(error.code, 'api_key_limit_exceeded')
    await assert.rejects(async () => secret?.core.onescrape(PAGES), { status: 401 })
  })

  test('returns the outcome of the work, with the settings of the key', async () => {
    const code = await tollgate.withBudget(
      50,
      (child) => child.semantic.search({ query: 'x' }).catch(({ code: its }) => its as string),
      { allow: ['core/*'], label: 'reader' },
    )
    assert.equal(code, 'action_not_allowed')
  })
})
