import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newSecret } from '../../src/keys/format.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { dataFolder, startGateway } from '../harness/clients/gateway-process.ts'
import { startVendor } from '../harness/vendors/vendor.ts'
import { HOUR_MS } from '../../src/lib/clock.ts'
import { idTimeMs, parsePublicId } from '../../src/lib/ids.ts'

const METRICS_TOKEN = 'a-token-of-this-test'

/** NODE_OPTIONS for a machine whose clock is ahead. */
const aheadBy = (ms: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(`const now = Date.now; Date.now = () => now() + ${ms}; Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + ${ms} })`)}`

it('a worker with WORK_PORT serves health and token-protected metrics, and no calls', async () => {
  const vendor = await startVendor()
  vendor.answerWith(() => ({
    body: {
      requestId: 'r',
      results: [{ id: 'https://a.example/', url: 'https://a.example/', title: 'A' }],
    },
  }))
  const key = newSecret('live')
  const environment = {
    DATA_DIR: dataFolder(),
    METRICS_TOKEN,
    TOLLGATE_OWNER_KEY: key,
    UPSTREAM_SEMANTIC_URL: vendor.url,
    UPSTREAM_SEMANTIC_KEY: 'k',
  }
  const gateway = await startGateway(environment, 'serve')
  const worker = await startGateway({ ...environment, WORK_PORT: '0' }, 'work')
  cleanUp(() => worker.end('SIGTERM'))
  async function run(action: string, body: object) {
    const reply = await fetch(`${gateway.url}/api/run/core/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await reply.json()) as {
      readonly data: {
        readonly job_id: string
        readonly status: string
        readonly charged_micros: number
      }
    }
  }
  const figures = async (url: string, token = METRICS_TOKEN) =>
    fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })

  const {
    data: { job_id },
  } = await run('onesearch-deep', { query: 'x', read_pages: 0 })
  const { data: ended } = await run('result', { job_id, wait_s: 60 })
  assert.equal(ended.status, 'succeeded')

  const told = await (await figures(worker.url)).text()
  assert.match(told, /^tollgate_jobs_ended_total\{service="core",code="ok",mode="live"\} 1$/m)
  assert.ok(
    told.includes(
      `tollgate_charged_micros_total{service="core",mode="live"} ${ended.charged_micros}\n`,
    ),
  )
  assert.match(told, /^process_resident_memory_bytes \d+$/m)
  assert.doesNotMatch(await (await figures(gateway.url)).text(), /tollgate_jobs_ended_total\{/)

  assert.deepEqual(
    await Promise.all(
      ['healthz', 'readyz'].map(async (path) => (await fetch(`${worker.url}/${path}`)).status),
    ),
    [200, 200],
  )
  assert.equal((await figures(worker.url, 'wrong')).status, 401)
  const call = await fetch(`${worker.url}/api/run/core/onesearch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"query":"x"}',
  })
  assert.deepEqual(
    [call.status, ((await call.json()) as { error: { code: string } }).error.code],
    [404, 'not_found'],
  )
  assert.equal(await worker.end('SIGTERM'), 0)
  await gateway.end('SIGTERM')
})

it('a gateway and a worker with clocks two hours apart share the database’s time', async () => {
  const vendor = await startVendor()
  vendor.answerWith(() => ({
    body: {
      requestId: 'r',
      results: [{ id: 'https://a.example/', url: 'https://a.example/', title: 'A' }],
    },
  }))
  const key = newSecret('live')
  const environment = {
    DATA_DIR: dataFolder(),
    TOLLGATE_OWNER_KEY: key,
    UPSTREAM_SEMANTIC_URL: vendor.url,
    UPSTREAM_SEMANTIC_KEY: 'k',
  }
  const gateway = await startGateway({ ...environment, NODE_OPTIONS: aheadBy(HOUR_MS) }, 'serve')
  const worker = await startGateway(
    { ...environment, WORK_PORT: '0', NODE_OPTIONS: aheadBy(-HOUR_MS) },
    'work',
  )
  const run = async (action: string, body: object) => {
    const reply = await fetch(`${gateway.url}/api/run/core/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return ((await reply.json()) as { readonly data: Readonly<Record<string, string>> }).data
  }
  const { job_id } = await run('onesearch-deep', { query: 'x', read_pages: 0 })
  const {
    status,
    created_at = '',
    started_at = '',
    finished_at = '',
    deadline_at = '',
  } = await run('result', { job_id, wait_s: 60 })
  assert.equal(status, 'succeeded')
  for (const [name, moment] of Object.entries({ created_at, started_at, finished_at, deadline_at }))
    assert.ok(Math.abs(Date.parse(moment) - Date.now()) < HOUR_MS / 2, `${name} is ${moment}`)
  assert.ok(
    Math.abs(idTimeMs(parsePublicId('job', job_id ?? '') ?? '') - Date.now()) < HOUR_MS / 2,
    `the id is ${job_id}`,
  )
  assert.match(gateway.output(), /"ahead_ms":3[56]\d{5},.*the clocks of this machine/)
  assert.match(worker.output(), /"ahead_ms":-3[56]\d{5},/)
  await worker.end('SIGTERM')
  await gateway.end('SIGTERM')
})

it('a worker without WORK_PORT does not listen; a taken port names the setting', async () => {
  const environment = { DATA_DIR: dataFolder(), METRICS_TOKEN }
  const gateway = await startGateway(environment)
  await assert.rejects(
    startGateway({ ...environment, WORK_PORT: new URL(gateway.url).port }, 'work'),
    /is used by another program\. Stop it, or set WORK_PORT to another number/,
  )
  await gateway.end('SIGTERM')
})
