import endpoints from './endpoints.json' with { type: 'json' }
import ended from './ended.json' with { type: 'json' }
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { EndpointAction } from '../../catalog/vocabulary/define.ts'
import { createCatalog } from '../../catalog/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf } = withSimulators()

const catalog = createCatalog()

function passthrough(id: string): EndpointAction {
  const [service = '', name = ''] = id.split('/')
  const { action } = catalog.findAction(service, name)
  assert.ok(action.kind === 'endpoint')
  return action
}

function wireOf(id: string, sent: Data) {
  const { action, input } = prepared(id, sent)
  const { method, path, query, json } = action.request(input)
  return { method, path, query, json }
}

/** The resources that the vendor's client dropped in version 2.2.0. */
const FORMER_FAMILIES = [
  'linkedin/web/',
  'wechat_channels/fetch',
  'wechat_mp/web/',
  'weibo/web/',
  'xiaohongshu/app/',
  'xiaohongshu/web/',
  'xiaohongshu/web_v2/',
].map((family) => `/api/v1/${family}`)

describe('socialread', () => {
  test('counts the platforms in its summary: WeChat once, mixed paths not at all', () => {
    const { action } = catalog.findAction('socialread', 'fetch')
    const families = new Set(
      passthrough('socialread/fetch').endpoints.map(({ endpoint }) => endpoint.split('/')[3] ?? ''),
    )
    const platforms = new Set(
      [...families]
        .filter((family) => family !== 'hybrid')
        .map((family) => family.replace(/^wechat_.*/, 'wechat')),
    )
    for (const text of [action.title, action.summary])
      assert.match(text, new RegExp(`\\b${platforms.size} social platforms`))
  })

  test('lists 913 or more paths of 21 platforms; none writes or needs a cookie', () => {
    const reading = passthrough('socialread/fetch').endpoints
    const all = [...reading, ...passthrough('socialread/submit').endpoints]
    assert.ok(all.length >= 913)
    const platforms = new Set(all.map(({ endpoint }) => endpoint.split('/')[3]))
    platforms.delete('hybrid')
    assert.equal(platforms.size, 21)
    for (const entry of all) {
      assert.doesNotMatch(entry.endpoint, /add_video_play_count/)
      // These return the account of a cookie and need one.
      assert.doesNotMatch(entry.endpoint, /\/tiktok\/creator\//)
      assert.ok(entry.params.every(({ name }) => name !== 'cookie'))
    }
  })

  test('charges 1¢ per call, 38¢ for the URL of a video file, and nothing without a result', async () => {
    const profile = { endpoint: '/api/v1/tiktok/web/fetch_user_profile', uniqueId: 'example' }
    const hit = await run('socialread/fetch', profile)
    assert.ok('outcome' in hit && hit.outcome.kind === 'done')
    assert.equal(hit.charged, cents('1'))
    assert.equal(
      await failureOf('socialread/fetch', { ...profile, uniqueId: 'nobody' }),
      'no_results',
    )
    assert.equal(
      await failureOf('socialread/fetch', { ...profile, uniqueId: 'sim:quota' }),
      'upstream_payment',
    )
    const { action, input } = prepared('socialread/fetch', {
      endpoint: '/api/v1/youtube/web_v2/get_video_streams',
      video_id: 'x',
    })
    assert.equal(worstCase(action, input), cents('38'))
  })

  test('retries an answer that asks for it, despite its client error status', () => {
    const { vendor } = catalog.findAction('socialread', 'fetch').service
    const codeOf = (message: string) =>
      vendor?.readFailure?.({ status: 400, headers: {}, body: { detail: { code: 400, message } } })
        ?.code
    assert.equal(codeOf('Request failed. Please retry.'), 'upstream_error')
    assert.equal(codeOf('user_id is malformed'), 'upstream_rejected')
  })

  test('treats a failing code as a failure, and a success without data as empty', () => {
    const { action, input } = prepared('socialread/fetch', {
      endpoint: '/api/v1/tiktok/web/fetch_user_profile',
      uniqueId: 'example',
    })
    const outcome = (body: unknown) => {
      const result = action.outcome({ status: 200, headers: {}, body }, input)
      return result.kind === 'failed' ? result.code : result.kind
    }
    assert.equal(outcome({ code: 404, message: 'gone' }), 'no_results')
    assert.equal(outcome({ code: 400, message: 'user_id is malformed' }), 'upstream_rejected')
    assert.equal(outcome({ code: 400, message: 'Request failed. Please retry.' }), 'upstream_error')
    assert.equal(outcome({ code: 500 }), 'upstream_error')
    for (const data of [null, {}, [], '']) assert.equal(outcome({ code: 200, data }), 'empty')
    assert.equal(outcome({ code: 0, data: { a: 1 } }), 'done')
  })

  test('treats a page without rows as empty, but not a record without some lists', () => {
    const { action, input } = prepared('socialread/fetch', {
      endpoint: '/api/v1/tiktok/web/fetch_user_profile',
      uniqueId: 'example',
    })
    const kindOf = (data: unknown) =>
      action.outcome({ status: 200, headers: {}, body: { code: 200, data } }, input).kind
    for (const page of [
      { aweme_list: [], has_more: 0, max_cursor: 0, status_code: 0, log_pb: { impr_id: '2026' } },
      { items: [], pagination_token: 'abc', user_id: '1' },
      { comments: [{}], total: 0 },
      [],
      [{}],
      [null],
      { list: null },
    ])
      assert.equal(kindOf(page), 'empty', JSON.stringify(page))
    for (const record of [
      { nickname: 'ana', bio_links: [] },
      { user: { id: '1' }, videos: [] },
      { user_id: '1' },
      { comments: [], notes: ['x'] },
      'text',
      5,
    ])
      assert.equal(kindOf(record), 'done', JSON.stringify(record))
  })

  test('sends parameters as query, as body fields, or as the whole body', () => {
    assert.deepEqual(
      wireOf('socialread/submit', { endpoint: '/api/v1/tiktok/web/get_all_aweme_id', items: ['a'] })
        .json,
      ['a'],
    )
    assert.equal(
      wireOf('socialread/submit', {
        endpoint: '/api/v1/douyin/web/fetch_query_user',
        value: 'ttwid',
      }).json,
      'ttwid',
    )
    const mixed = wireOf('socialread/submit', {
      endpoint: '/api/v1/zhihu/web/fetch_scholar_search_v3',
      keyword: 'x',
      value: { a: 1 },
    })
    assert.deepEqual([mixed.query, mixed.json], [{ keyword: 'x' }, { a: 1 }])
    assert.deepEqual(
      wireOf('socialread/submit', {
        endpoint: '/api/v1/douyin/billboard/fetch_hot_account_list',
        page_num: 2,
      }).json,
      { page_num: 2 },
    )
  })

  test('sends an empty object if the vendor requires a body, and no body otherwise', () => {
    assert.deepEqual(
      wireOf('socialread/submit', { endpoint: '/api/v1/tiktok/app/v3/fetch_home_feed' }).json,
      {},
    )
    assert.deepEqual(
      wireOf('socialread/submit', { endpoint: '/api/v1/tiktok/web/fetch_home_feed' }).json,
      {},
    )
    assert.equal(
      wireOf('socialread/submit', { endpoint: '/api/v1/douyin/web/fetch_home_feed' }).json,
      undefined,
    )
  })

  test('accepts unlisted parameters only for a partly documented path', () => {
    const { query } = wireOf('socialread/fetch', {
      endpoint: '/api/v1/kuaishou/app/search_user_v2',
      keyword: 'x',
      more: 1,
    })
    assert.deepEqual(query, { keyword: 'x', more: 1 })
    assert.equal(
      refusal('socialread/fetch', { endpoint: '/api/v1/tiktok/web/fetch_user_profile', more: 1 })
        .param,
      'more',
    )
    assert.equal(
      refusal('socialread/fetch', { endpoint: '/api/v1/instagram/v3/get_post_info' }).code,
      'invalid_params',
    )
  })

  test('rejects a path that the vendor removed, with the successor, and lists no such path', () => {
    const rejected = (action: string, endpoint: string): string | undefined => {
      const { code, param, message, fix } = refusal(`socialread/${action}`, { endpoint })
      assert.deepEqual([code, param], ['invalid_params', 'endpoint'])
      assert.match(message, /^The vendor (?:replaced|ended) "/)
      return fix
    }
    assert.equal(
      rejected('fetch', '/api/v1/linkedin/web/get_user_profile'),
      'Use "/api/v1/linkedin/web_v2/get_user_profile".',
    )
    assert.equal(
      rejected('fetch', '/api/v1/wechat_mp/web/fetch_mp_article_list'),
      'Use "/api/v1/wechat_mp/v2/fetch_account_articles (socialread/submit)".',
    )
    assert.match(rejected('fetch', '/api/v1/linkedin/web/get_group_info') ?? '', /core\/discover/)
    const listed = new Set(endpoints.map(({ endpoint }) => endpoint))
    for (const [path, successors] of Object.entries(ended)) {
      assert.ok(!listed.has(path), path)
      rejected('fetch', path)
      rejected('submit', path)
      for (const successor of successors) assert.ok(listed.has(successor), successor)
    }
    for (const family of FORMER_FAMILIES)
      assert.ok(![...listed].some((path) => path.startsWith(family)), family)
  })
})
