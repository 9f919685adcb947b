/** socialread and seodata: hundreds of upstream paths as data. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../lib/money.ts'
import { createDiscover } from '../composites/discover/create-discover.ts'
import type { EndpointAction } from '../catalog/vocabulary/define.ts'
import { createCatalog } from '../catalog/index.ts'
import type { Data } from '../catalog/vocabulary/outcome.ts'
import { worstCase } from '../catalog/prices/price.ts'
import { endpointExample } from '../catalog/published/endpoint-example.ts'
import { requiredEndpointParams } from '../catalog/published/required-params.ts'
import { prepared, refusal, withSimulators } from '../catalog/testing/run-call.ts'
import { createValidator } from '../catalog/validate/validate.ts'

const { run, failureOf } = withSimulators()
const catalog = createCatalog()
const validator = createValidator()

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

describe('every endpoint', () => {
  test('of every passthrough is shown with an example of its own, which is accepted', () => {
    for (const { action } of catalog.allActions()) {
      if (action.kind !== 'endpoint') continue
      for (const [index, entry] of action.endpoints.entries()) {
        const example = endpointExample(action, entry)
        assert.equal(example['endpoint'], entry.endpoint)
        // Each schema takes milliseconds to compile.
        if (index % 8 === 0) validator.validate(action.input, example)
      }
    }
  })

  for (const id of ['socialread/fetch', 'socialread/submit', 'seodata/query']) {
    test(`${id}: what is published as required is what validation demands, and the call can be sent`, () => {
      const action = passthrough(id)
      const { validate } = validator
      // Each schema takes milliseconds to compile, so every eighth, and all with a choice or a body of their own.
      for (const entry of action.endpoints.filter(
        ({ oneOf, method }, index) =>
          index % 8 === 0 || oneOf !== undefined || (method === 'POST' && index % 3 === 0),
      )) {
        const { required_params: required, required_one_of: choice } = requiredEndpointParams(entry)
        const valueOf = (name: string): unknown => {
          const param = entry.params.find((one) => one.name === name)
          const values = param?.limits?.['enum']
          if (Array.isArray(values)) return values[0]
          return { string: 'x', integer: 1, number: 1, boolean: true, array: ['x'], object: {} }[
            param?.type ?? 'string'
          ]
        }
        const names = [...required, ...(choice[0] ?? [])]
        const full = Object.fromEntries(
          names.map((name) => [name, name === 'endpoint' ? entry.endpoint : valueOf(name)]),
        )
        const input = validate(action.input, full)
        assert.equal(action.request(input).path, entry.endpoint)
        for (const name of required)
          assert.throws(
            () =>
              validate(
                action.input,
                Object.fromEntries(Object.entries(full).filter(([field]) => field !== name)),
              ),
            `${entry.endpoint} without ${name}`,
          )
        if (choice.length > 0)
          assert.throws(() => validate(action.input, { endpoint: entry.endpoint }))
      }
    })
  }

  test('tells a parameter that every call must carry as required, and not as the only one of a choice', () => {
    for (const { action } of catalog.allActions()) {
      if (action.kind !== 'endpoint') continue
      for (const entry of action.endpoints)
        assert.notEqual(requiredEndpointParams(entry).required_one_of.length, 1, entry.endpoint)
    }
  })

  test('can be found by its own path', () => {
    const { services } = catalog
    const discover = createDiscover({
      services: services.filter(({ id }) => id === 'socialread' || id === 'seodata'),
      laneOf: () => ({ live: 'vendor', lanes: ['vendor'] }),
    })
    const paths = ['socialread/fetch', 'socialread/submit', 'seodata/query'].flatMap((id) =>
      passthrough(id).endpoints.map(({ endpoint }) => endpoint),
    )
    assert.equal(discover.size, paths.length)
    const sample = paths.filter((_, index) => index % 25 === 0)
    const lost = sample.filter(
      (path) => !discover.search(path, 30).hits.some(({ endpoint }) => endpoint === path),
    )
    assert.deepEqual(lost, [])
  })

  test('a path that is not listed is refused before any charge', () => {
    for (const id of ['socialread/fetch', 'seodata/query'])
      assert.equal(refusal(id, { endpoint: '/api/v1/tikhub/user/get_user_info' }).param, 'endpoint')
  })
})

describe('socialread', () => {
  test('the summary counts the platforms: the three families of WeChat are one, and the mixed one is none', () => {
    const { action } = catalog.findAction('socialread', 'fetch')
    const families = new Set(
      passthrough('socialread/fetch').endpoints.map(({ endpoint }) => endpoint.split('/')[3] ?? ''),
    )
    const platforms = new Set(
      [...families]
        .filter((family) => family !== 'hybrid')
        .map((family) => family.replace(/^wechat_.*/, 'wechat')),
    )
    assert.match(action.summary, new RegExp(`\\b${platforms.size} social platforms`))
  })

  test('there are at least 913 endpoints to read, over 21 families of paths, and none that writes or wants a user’s cookie', () => {
    const reading = passthrough('socialread/fetch').endpoints
    const all = [...reading, ...passthrough('socialread/submit').endpoints]
    assert.ok(reading.length >= 913)
    assert.equal(new Set(all.map(({ endpoint }) => endpoint.split('/')[3])).size, 21)
    for (const entry of all) {
      assert.doesNotMatch(entry.endpoint, /add_video_play_count/)
      // These tell of the account that a cookie signs in, and of nobody without one.
      assert.doesNotMatch(entry.endpoint, /\/tiktok\/creator\//)
      assert.ok(entry.params.every(({ name }) => name !== 'cookie'))
    }
  })

  test('a call costs 1¢, the address of a video file 38¢, and nothing when it fails or is empty', async () => {
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

  test('what the vendor asks to send again, with the status of a mistake in the parameters, is worth another try', () => {
    const { vendor } = catalog.findAction('socialread', 'fetch').service
    const codeOf = (message: string) =>
      vendor?.readFailure?.({ status: 400, headers: {}, body: { detail: { code: 400, message } } })
        ?.code
    assert.equal(codeOf('Request failed. Please retry.'), 'upstream_error')
    assert.equal(codeOf('user_id is malformed'), 'upstream_rejected')
  })

  test('a successful status with a failing code is a failure, and one without data is empty', () => {
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

  test('a page without rows is empty, whatever stands beside them, and a record without some of its lists is not', () => {
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

  test('parameters stand where the vendor wants them: query, body, or the body as a whole', () => {
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

  test('a path whose vendor wants an object as its body is sent one without any parameter too, and one without a body none', () => {
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

  test('a path that the vendor documents in part takes further parameters, any other does not', () => {
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
})

describe('seodata', () => {
  test('a query costs 1, 2 or 3¢ by its group, and nothing without rows', async () => {
    for (const [endpoint, price] of [
      ['domain_stats_api/v2/getLatestDomainStats', '1'],
      ['cloud_ad_history_api/v2/domain/getDomainAdHistory', '3'],
    ] as const) {
      const hit = await run('seodata/query', {
        endpoint: `/apis/${endpoint}`,
        domain: 'example.com',
      })
      assert.ok('outcome' in hit && hit.outcome.kind === 'done')
      assert.equal(hit.charged, cents(price))
    }
    const miss = await run('seodata/query', {
      endpoint: '/apis/keyword_api/v2/related/getRelatedKeywords',
      query: 'nobody',
    })
    assert.ok('outcome' in miss && miss.outcome.kind === 'empty')
    assert.equal(miss.charged, 0n)
  })

  test('a page holds at most 100 rows, and ranges are two parameters with a dot', () => {
    const endpoint = '/apis/keyword_api/v2/related/getRelatedKeywords'
    assert.equal(
      refusal('seodata/query', { endpoint, query: 'x', pageSize: 101 }).param,
      'pageSize',
    )
    assert.equal(
      refusal('seodata/query', { endpoint, query: 'x', countryCode: 'XX' }).param,
      'countryCode',
    )
    const { query } = wireOf('seodata/query', { endpoint, query: 'x', 'searchVolume.min': 10 })
    assert.deepEqual(query, { query: 'x', 'searchVolume.min': 10 })
  })

  test('an answer without a count is charged when it holds rows or totals, and not when it holds neither', () => {
    const { action, input } = prepared('seodata/query', {
      endpoint: '/apis/competitors_api/v2/combined/getCombinedTopCompetitors',
      domain: 'example.com',
    })
    const kindOf = (body: Data) => action.outcome({ status: 200, headers: {}, body }, input).kind
    assert.equal(
      kindOf({
        combinedCompetitors: [],
        ppcCompetitors: [{ domain: 'example.org' }],
        seoCompetitors: [],
      }),
      'done',
    )
    assert.equal(
      kindOf({ domain: 'example.com', totalOrganicResults: 15_132, monthlyOrganicClicks: 0 }),
      'done',
    )
    assert.equal(
      kindOf({ combinedCompetitors: [], ppcCompetitors: [], seoCompetitors: [] }),
      'empty',
    )
    assert.equal(
      kindOf({ domain: 'nobody.example', totalOrganicResults: 0, monthlyOrganicClicks: 0 }),
      'empty',
    )
    assert.equal(kindOf({ message: 'an answer in an unexpected form' }), 'empty')
  })

  test('every path is sold by the call without the vendor’s key, at its own price as the cap', () => {
    const { action, input } = prepared('seodata/query', {
      endpoint: '/apis/serp_api/v2/ppc/getPaidSerps',
      query: 'example.com',
    })
    const { path, query } = action.merchant?.request(input) ?? {}
    assert.deepEqual(
      [action.merchant?.at.baseUrl, path, query],
      [
        'https://spyfu.mpp.tempo.xyz',
        '/apis/serp_api/v2/ppc/getPaidSerps',
        { query: 'example.com' },
      ],
    )
    assert.equal(worstCase(action, input), cents('2'))
  })

  test('every path has an example of its own that is accepted', () => {
    for (const { endpoint, example } of passthrough('seodata/query').endpoints) {
      assert.ok(
        Object.values(example ?? {}).every((value) => value !== undefined),
        endpoint,
      )
      prepared('seodata/query', { endpoint, ...example })
    }
  })

  test('parameters that hold several values say how they are written', () => {
    const { fix } = refusal('seodata/query', {
      endpoint: '/apis/domain_stats_api/v2/getBulkDomainStats',
      showOnlyLatest: true,
    })
    assert.match(fix, /"domains".*commas/)
  })
})

describe('trends', () => {
  const KINDS = {
    '/trend': 'TIMESERIES',
    '/interest-by-region': 'GEO_MAP_0',
    '/related-queries': 'RELATED_QUERIES',
    '/related-topics': 'RELATED_TOPICS',
  }

  test('each endpoint asks the vendor for its kind of data and costs what a search costs, below the cap of 5¢', async () => {
    for (const [endpoint, type] of Object.entries(KINDS)) {
      assert.equal(wireOf('trends/fetch', { endpoint, keyword: 'tea' }).query?.['data_type'], type)
      const result = await run('trends/fetch', { endpoint, keyword: 'tea' })
      assert.ok('outcome' in result && result.outcome.kind === 'done')
      assert.equal(result.charged, cents('1.5'))
      const { action, input } = prepared('trends/fetch', { endpoint, keyword: 'tea' })
      assert.equal(worstCase(action, input), cents('5'))
    }
  })

  test('nothing known of a term is free, also as empty lists', async () => {
    const miss = await run('trends/fetch', { endpoint: '/trend', keyword: 'nobody' })
    assert.ok('outcome' in miss && miss.outcome.kind === 'empty')
    assert.equal(miss.charged, 0n)
    const { action, input } = prepared('trends/fetch', {
      endpoint: '/related-topics',
      keyword: 'tea',
    })
    assert.equal(
      action.outcome(
        { status: 200, headers: {}, body: { related_topics: { rising: [], top: [] } } },
        input,
      ).kind,
      'empty',
    )
    assert.equal(
      action.outcome({ status: 200, headers: {}, body: { error: 'Something broke.' } }, input).kind,
      'failed',
    )
  })

  test('up to five terms are compared, and what is related is told of one', () => {
    assert.equal(
      wireOf('trends/fetch', { endpoint: '/interest-by-region', keyword: 'tea,coffee' }).query?.[
        'data_type'
      ],
      'GEO_MAP',
    )
    assert.equal(
      refusal('trends/fetch', { endpoint: '/trend', keyword: 'a,b,c,d,e,f' }).param,
      'keyword',
    )
    assert.equal(
      refusal('trends/fetch', { endpoint: '/related-queries', keyword: 'tea,coffee' }).param,
      'keyword',
    )
    assert.equal(refusal('trends/fetch', { endpoint: '/trend' }).param, 'keyword')
  })
})
