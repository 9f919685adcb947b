/** The cassette commands against a gateway whose vendor the test controls. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { resultHandler } from '../../../src/calls/jobs/job-actions.ts'
import { runJob } from '../../../src/calls/jobs/run-job.ts'
import type { LocalHandler } from '../../../src/catalog/vocabulary/handlers.ts'
import { createJobWaiters } from '../../../src/jobs/waiters.ts'
import { createWorker } from '../../../src/jobs/worker.ts'
import { services } from '../../../src/vendors/index.ts'
import { openAppBed } from '../../../test/harness/beds/app.ts'
import { work } from '../../../test/harness/beds/work-service.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { Tollgate } from '../../sdk/src/index.ts'
import { homeFolder, runLine, type Run } from './testing/run-line.ts'

const ends = createJobWaiters()
const read: LocalHandler = (input, tools) =>
  resultHandler(bed.database, ends)({ ...input, wait_s: 0 }, tools)
const bed = await openAppBed({
  services: [...services, work],
  local: new Map([
    [
      'core.result',
      async (input, tools) => {
        worker.wake()
        for (;;) {
          const outcome = await read(input, tools)
          if (!/"status":"(queued|running)"/.test(JSON.stringify(outcome))) return outcome
          await new Promise((turn) => setImmediate(turn))
        }
      },
    ],
  ]),
})
let rows = 1
const worker = createWorker({
  database: bed.database,
  now: bed.clock,
  concurrency: 1,
  run: (job, control) => {
    const handler = async () => ({ kind: 'done', data: { rows }, actual: 0n }) as const
    return runJob(bed.calls, new Map([['work.deep', handler]]), job, control)
  },
  onError: () => {},
})
cleanUp(() => worker.stop(0))
const url = await bed.app.listen({ port: 0, host: '127.0.0.1' })
const home = homeFolder()

let title = 'First'
let extra: object = {}
bed.vendor.answerWith(({ path, body }) => {
  if (path.endsWith('/models')) return { body: { data: [{ id: 'test/model' }] } }
  if (!path.endsWith('/chat/completions')) {
    const found = { id: 'https://a.example/', url: 'https://a.example/', title, ...extra }
    return { body: { requestId: 'r', results: [found] } }
  }
  const choice = { index: 0, delta: { content: title }, finish_reason: 'stop' }
  const usage = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 }
  assert.equal((body as { stream: boolean }).stream, true)
  const event = { id: 'c', object: 'chat.completion.chunk', model: 'test/model' }
  return {
    headers: { 'content-type': 'text/event-stream' },
    body: `data: ${JSON.stringify({ ...event, choices: [choice] })}\n\ndata: ${JSON.stringify({ ...event, choices: [], usage })}\n\ndata: [DONE]\n\n`,
  }
})

const run = (words: readonly string[], key = bed.liveKey, columns: number | null = 120) =>
  runLine(words, { environment: { HOME: home, TOLLGATE_URL: url, TOLLGATE_KEY: key }, columns })
async function json<Data>(words: readonly string[], key = bed.liveKey): Promise<Data> {
  const { code, out, err } = await run([...words, '--json'], key)
  assert.equal(code, 0, `${out}${err}`)
  return (JSON.parse(out) as { data: Data }).data
}
const client = (name: string, mode: 'record' | 'replay', key = bed.liveKey): Tollgate =>
  new Tollgate({ url, key, cassette: { name, mode } })
const question = { model: 'test/model', messages: [{ role: 'user', content: 'Hi' }] } as const

async function record(name: string): Promise<void> {
  const live = client(name, 'record')
  await live.run('semantic/search', { query: 'x' })
  assert.equal(await live.chat.stream(question).text(), title)
  await live.waitFor((await live.run<{ job_id: string }>('work/deep')).data.job_id)
}

type Compared = {
  readonly route: string
  readonly verdict: string
  readonly reason?: string
  readonly differences: readonly { readonly path: string }[]
}
const verdicts = (compared: readonly Compared[]): string[] =>
  compared.map(({ route, verdict, differences }) =>
    [route, verdict, ...differences.map(({ path }) => path)].join(' '),
  )

describe('cassette diff', () => {
  test('compares values, shape and errors with live answers, also of streams and jobs', async () => {
    await record('trip')
    assert.deepEqual(verdicts(await json(['cassette', 'diff', 'trip', '--max-cents', '100'])), [
      'run/semantic/search same',
      'llm/chat/completions same',
      'run/work/deep same',
      'run/core/result same',
    ])
    title = 'Second'
    rows = 2
    assert.deepEqual(verdicts(await json(['cassette', 'diff', 'trip', '--max-cents', '100'])), [
      'run/semantic/search values results[0].title',
      'llm/chat/completions values text',
      'run/work/deep same',
      'run/core/result values result.rows',
    ])
    extra = { title: undefined, score: 0.5 }
    const [shape] = await json<Compared[]>(['cassette', 'diff', 'trip', '--max-cents', '100'])
    assert.equal(shape?.verdict, 'shape')
    extra = {}
    const { out, err } = await run(['cassette', 'diff', 'trip', '--max-cents', '100'])
    assert.match(out, /results\[0\]\.title: recorded "First", live "Second"/)
    assert.match(err, /Charged \$\d/)
  })

  test('makes no paid call beyond the limit, and none with a test key', async () => {
    await client('dear', 'record').run('semantic/search', { query: 'a' })
    await client('dear', 'record').run('semantic/search', { query: 'b' })
    const asked = bed.vendor.requests.length
    const compared = await json<Compared[]>(['cassette', 'diff', 'dear', '--max-cents', '1'])
    const paid = compared.filter(({ verdict }) => verdict !== 'skipped').length
    assert.equal(bed.vendor.requests.length - asked, paid)
    assert.equal(paid, 1)
    assert.equal(compared[1]?.reason, 'limit')
    const refused = await run(['cassette', 'diff', 'dear'], bed.testKey)
    assert.equal(refused.code, 2)
    assert.match(refused.err, /need a live key/)
  })
})

test('cassette record replaces simulated answers by live ones', async () => {
  title = 'Simulated'
  await client('upgrade', 'record', bed.testKey).run('semantic/search', { query: 'x' })
  title = 'Real'
  const made = await run(['cassette', 'record', 'upgrade', '--max-cents', '10'])
  assert.equal(made.code, 0, made.err)
  assert.match(made.out, /Recorded 1 of 1 calls/)
  const { data, recorded } = await client('upgrade', 'replay', bed.testKey).run('semantic/search', {
    query: 'x',
  })
  assert.match(JSON.stringify(data), /"Real"/)
  assert.equal(recorded, true)
})

describe('cassette list, show, export, import and delete', () => {
  test('move a cassette to another account', async () => {
    title = 'Moved'
    await record('move')
    const path = join(home, 'move.cassette.json')
    const exported = await run(['cassette', 'export', 'move', '--output', path])
    assert.equal(exported.code, 0, exported.err)
    const other = (words: readonly string[]): Promise<Run> => run(words, bed.strangerKey)
    const imported = await other(['cassette', 'import', path, '--name', 'moved'])
    assert.match(imported.out, /Imported 4 recordings into moved/, imported.err)
    assert.match((await other(['cassette', 'list'])).out, /^NAME[^\n]*\nmoved +4 /)
    const shown = await other(['cassette', 'show', 'moved'])
    assert.match(shown.out, /run\/semantic\/search +200 +\$0\.\d+ +live +answer/)
    assert.match(shown.out, /llm\/chat\/completions +200 .* \d events/)
    const taped = client('moved', 'replay', bed.strangerKey)
    assert.equal(await taped.chat.stream(question).text(), 'Moved')
    assert.equal((await other(['cassette', 'delete', 'moved'])).code, 0)
    assert.match((await other(['cassette', 'list'])).out, /No cassettes/)
    const missing = await other(['cassette', 'show', 'moved'])
    assert.notEqual(missing.code, 0)
    assert.match(missing.err, /Unknown cassette/)
    assert.equal(JSON.parse(readFileSync(path, 'utf8')).recordings.length, 4)
  })

  test('reject a file that is no cassette', async () => {
    const path = join(home, 'other.json')
    for (const text of ['{', '{"name":"x"}', 'null']) {
      writeFileSync(path, text)
      assert.equal((await run(['cassette', 'import', path])).code, 2)
    }
  })
})
