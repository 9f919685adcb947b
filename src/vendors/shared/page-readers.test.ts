/**
 * `render`, `render2` and `cheapunblock`: three vendors that report the same misses differently.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Agent } from 'undici'
import { cents } from '../../lib/money.ts'
import { refusalOf } from '../../upstream/reply-failure.ts'
import { createCatalog } from '../../catalog/index.ts'
import { page, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const catalog = createCatalog()

const { run, missOf, failureOf } = withSimulators()

describe('readers of single pages', () => {
  const readers = ['render/scrape', 'render2/scrape', 'cheapunblock/scrape']

  for (const id of readers) {
    test(`${id}: charges one cent for a page`, async () => {
      const result = await run(id, { url: page('fine') })
      assert.ok('outcome' in result && result.outcome.kind === 'done')
      assert.equal(result.charged, cents('1'))
    })

    test(`${id}: treats a wall as a free miss, although the vendor reports success`, async () => {
      const miss = await missOf(id, { url: page('wall') })
      assert.equal(miss.code, 'no_results')
      assert.equal(miss.details?.['blocked'], true)
    })

    test(`${id}: rejects an invalid URL before a hold`, () => {
      for (const url of ['not a url', 'ftp://example.com/', 'https://user:word@example.com/'])
        assert.equal(refusal(id, { url }).code, 'bad_url')
    })

    test(`${id}: maps vendor errors to the code with the right advice`, async () => {
      assert.equal(await failureOf(id, { url: page('status-429') }), 'upstream_busy')
      assert.equal(await failureOf(id, { url: page('status-503') }), 'upstream_error')
      assert.equal(await failureOf(id, { url: page('status-400') }), 'upstream_rejected')
      assert.equal(await failureOf(id, { url: page('status-408') }), 'upstream_timeout')
    })
  }

  test("treats a page's own 404 as a miss for every reader", async () => {
    assert.equal(
      (await missOf('render/scrape', { url: page('page-404') })).details?.['page_status'],
      404,
    )
    assert.equal((await missOf('render2/scrape', { url: page('page-404') })).code, 'no_results')
    assert.equal(await failureOf('cheapunblock/scrape', { url: page('page-404') }), 'no_results')
  })

  for (const [id, header] of [
    ['cheapunblock', 'scrape.do-initial-status-code'],
    ['proxy', 'ant-page-status-code'],
  ] as const) {
    test(`${id}: pauses other calls for the vendor's own status, not for the page's`, () => {
      const vendor = catalog.services.find((service) => service.id === id)?.vendor
      assert.ok(vendor)
      const target = {
        service: id,
        vendor,
        origin: 'https://vendor.example',
        basePath: '',
        credentials: {},
        dispatcher: new Agent(),
      }
      const mapStatus = (status: number, headers: Record<string, string>) => {
        const { failure, waitMs } = refusalOf(
          target,
          { status, headers: { 'retry-after': '600', ...headers }, body: {} },
          0,
        )
        return [failure.code, waitMs]
      }
      for (const status of [429, 503, 401])
        assert.deepEqual(mapStatus(status, { [header]: String(status) }), ['no_results', undefined])
      assert.deepEqual(mapStatus(429, {}), ['upstream_busy', 600_000])
      assert.deepEqual(mapStatus(429, { [header]: '200' }), ['upstream_busy', 600_000])
      assert.deepEqual(mapStatus(503, {}), ['upstream_error', 600_000])
    })
  }

  test('treats an unreadable page as a miss, not as a vendor failure', async () => {
    assert.equal(await failureOf('render/scrape', { url: page('miss') }), 'no_results')
    assert.equal((await missOf('render2/scrape', { url: page('miss') })).code, 'no_results')
    assert.equal(await failureOf('cheapunblock/scrape', { url: page('miss') }), 'no_results')
  })
})
