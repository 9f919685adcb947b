/** The searching composites with a test key: from the body of the call to the charge. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { runCall } from '../../src/calls/run.ts'
import { createOnesearch } from '../../src/core/onesearch/onesearch.ts'
import type { CallLine } from '../../src/core/onesearch/ask-services.ts'
import type { SearchRow } from '../../src/core/onesearch/fuse.ts'
import { AppError } from '../../src/errors/app-error.ts'
import { startSimulators } from '../../src/simulators/start.ts'
import { openCallBed, START_MS, type CallBed } from '../harness/calls.ts'
import { cleanUp } from '../harness/clean-up.ts'

let bed: CallBed

before(async () => {
  const simulators = await startSimulators({ now: () => START_MS })
  cleanUp(() => simulators.close())
  bed = await openCallBed({ local: new Map([['core.onesearch', createOnesearch()]]), simulatorUrl: simulators.url, configured: false })
})

async function call<Answer>(action: string, body: object): Promise<{ data: Answer; charged: bigint }> {
  const answer = await runCall(bed.calls, bed.request('core', action, body, { caller: bed.testCaller }))
  return { data: (JSON.parse(answer.body) as { data: Answer }).data, charged: answer.charged }
}

async function refusal(action: string, body: object): Promise<AppError> {
  return call(action, body).then(
    () => assert.fail('expected a refusal'),
    (error: unknown) => {
      assert.ok(error instanceof AppError, String(error))
      return error
    },
  )
}

describe('core/onesearch with a test key', () => {
  type Answer = { row_count: number; rows: SearchRow[]; calls: CallLine[]; content_trust: string }

  it('fuses what all services find, for 5 cents', async () => {
    const { data, charged } = await call<Answer>('onesearch', { query: 'heat pumps in winter' })
    assert.deepEqual([charged, data.row_count, data.content_trust], [50_000n, 10, 'untrusted'])
    assert.deepEqual(data.calls.map(({ service, ok }) => [service, ok]), [['semantic', true], ['indep', true], ['rag', true], ['cited', true], ['render2', true], ['render', true]])
    assert.ok((data.rows[0]?.sources.length ?? 0) >= 3, 'the first row was found by several services')
  })

  for (const topic of ['news', 'papers', 'code']) {
    it(`finds ${topic}, within a week and outside a domain`, async () => {
      const { data } = await call<Answer>('onesearch', { query: 'heat pumps', topic, freshness: 'week', country: 'de', exclude_domains: ['example.org'] })
      assert.ok(data.row_count > 0)
      for (const { url, published_at: published } of data.rows) {
        assert.ok(!url.includes('example.org'))
        assert.ok(published === null || Date.parse(published) > START_MS - 8 * 86_400_000)
      }
    })
  }

  it('finds only what lies in the domains that were named', async () => {
    const { data } = await call<Answer>('onesearch', { query: 'heat pumps', include_domains: ['docs.example'] })
    assert.ok(data.rows.length > 0 && data.rows.every(({ url }) => new URL(url).hostname === 'docs.example'))
  })

  it('charges nothing when no service finds anything, or none of them works', async () => {
    for (const fault of ['sim:miss', 'sim:503', 'sim:badjson']) {
      assert.deepEqual((await refusal('onesearch', { query: `heat pumps ${fault}` })).code, 'no_results', fault)
    }
  })

  it('says with a live key and no vendor that no search service is set up', async () => {
    await assert.rejects(runCall(bed.calls, bed.request('core', 'onesearch', { query: 'x' })), (error) => error instanceof AppError && error.code === 'upstream_not_configured')
  })
})
