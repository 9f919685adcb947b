/** `render`, `render2` and `cheapunblock`: three vendors that report the same misses in three ways. */
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
    test(`${id}: a page that was read costs one cent`, async () => {
      const result = await run(id, { url: page('fine') })
      assert.ok('outcome' in result && result.outcome.kind === 'done')
      assert.equal(result.charged, cents('1'))
    })

    test(`${id}: a wall is a miss and free, although the vendor reports success`, async () => {
      const miss = await missOf(id, { url: page('wall') })
      assert.equal(miss.code, 'no_results')
      assert.equal(miss.details?.['blocked'], true)
    })

    test(`${id}: what is no address is refused before anything is held`, () => {
      for (const url of ['not a url', 'ftp://example.com/', 'https://user:word@example.com/'])
        assert.equal(refusal(id, { url }).code, 'bad_url')
    })

    test(`${id}: a vendor in trouble gives the code that says what to do`, async () => {
      assert.equal(await failureOf(id, { url: page('status-429') }), 'upstream_busy')
      assert.equal(await failureOf(id, { url: page('status-503') }), 'upstream_error')
      assert.equal(await failureOf(id, { url: page('status-400') }), 'upstream_rejected')
      assert.equal(await failureOf(id, { url: page('status-408') }), 'upstream_timeout')
    })
  }

  test('a target’s own 404 is a miss with every reader, however the vendor reports it', async () => {
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
    test(`${id}: a status that is the page’s own, handed on, is a miss and asks no pause of others; the vendor’s own does`, () => {
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
      const told = (status: number, headers: Record<string, string>) => {
        const { failure, waitMs } = refusalOf(
          target,
          { status, headers: { 'retry-after': '600', ...headers }, body: {} },
          0,
        )
        return [failure.code, waitMs]
      }
      for (const status of [429, 503, 401])
        assert.deepEqual(told(status, { [header]: String(status) }), ['no_results', undefined])
      assert.deepEqual(told(429, {}), ['upstream_busy', 600_000])
      assert.deepEqual(told(429, { [header]: '200' }), ['upstream_busy', 600_000])
      assert.deepEqual(told(503, {}), ['upstream_error', 600_000])
    })
  }

  test('a page that no engine could read is a miss and no vendor failure', async () => {
    assert.equal(await failureOf('render/scrape', { url: page('miss') }), 'no_results')
    assert.equal((await missOf('render2/scrape', { url: page('miss') })).code, 'no_results')
    assert.equal(await failureOf('cheapunblock/scrape', { url: page('miss') }), 'no_results')
  })
})
