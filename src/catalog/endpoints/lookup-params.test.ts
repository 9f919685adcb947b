/**
 * A path that looks something up requires a parameter that identifies it. Otherwise a call without
 * one would pay for the vendor's example.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import type { EndpointEntry } from '../vocabulary/define.ts'
import { createCatalog } from '../index.ts'
import type { Data } from '../vocabulary/outcome.ts'
import { endpointExample } from '../published/endpoint-example.ts'
import { requiredEndpointParams } from '../published/required-params.ts'
import { createValidator } from '../validate/validate.ts'

/** Parameters that identify something: ids, URLs, names, search words. */
const LOOKUP =
  /^(q|query|queries|search|keywords?|value|company|nickname|screen_name|custom|share_text|symbols?|address|wallet|user|market|ticker|path|src_content)$|(^|_)(u?ids?|uid|urls?|names?)$|[a-z](Id|Uid|Url|Name)s?$/i
/** Parameters of that kind which only page through or filter a list. */
const NARROWS =
  /^((max|min|since|last|search|group|category|industry|tab|app|user_unique|chain|first_industry|subtopic|first_ecom_category|subTab|board|region)_?(id|ids|name)|logid|containerid)$/i

/** Unfiltered lists and tools that need no parameter, each checked manually. */
const NEEDS_NOTHING: Readonly<Record<string, readonly string[]>> = {
  'whole lists that a word narrows': [
    '/cve/kev',
    '/defi/protocols',
    '/defi/chains',
    '/defi/yields',
    '/defi/stablecoins',
    '/defi/fees',
    '/crypto/markets',
    '/fx/latest',
    '/fx/history',
    '/x402/agents/AIXBTProjectInfoAgent/search_projects',
    '/x402/agents/DefiLlamaAgent/search_yield_pools',
    '/api/v1/surf/search/airdrop',
    '/api/v1/surf/search/kalshi',
    '/api/v1/surf/search/polymarket',
    '/api/v1/pm/polymarket/markets',
    '/api/v1/pm/polymarket/markets/keyset',
    '/api/v1/pm/polymarket/events',
    '/api/v1/pm/polymarket/events/keyset',
    '/api/v1/pm/kalshi/markets',
    '/api/v1/pm/limitless/markets',
    '/api/v1/pm/opinion/markets',
    '/api/v1/pm/predictfun/markets',
    '/api/v1/pm/polymarket/crypto-updown',
    '/api/v1/douyin/creator/fetch_mission_task_list',
    '/api/v1/douyin/xingtu_v2/get_demander_mcn_list',
    '/api/v1/douyin/index/fetch_report_search',
    '/api/v1/tiktok/ads/get_creator_list',
    '/api/v1/tiktok/ads/search_ads',
  ],
  'the latest trades and liquidations of all': [
    '/api/v1/surf/market/liquidation/exchange-list',
    '/api/v1/surf/market/liquidation/order',
    '/api/v1/surf/prediction-market/polymarket/trades',
    '/api/v1/pm/polymarket/trades',
    '/api/v1/pm/kalshi/trades',
  ],
  'rankings, trends and feeds': [
    '/api/v1/douyin/billboard/fetch_hot_category_list',
    '/api/v1/douyin/billboard/fetch_hot_challenge_list',
    '/api/v1/douyin/billboard/fetch_hot_city_list',
    '/api/v1/douyin/billboard/fetch_hot_rise_list',
    '/api/v1/douyin/billboard/fetch_hot_total_list',
    '/api/v1/douyin/xingtu_v2/get_playlet_actor_rank_list',
    '/api/v1/tiktok/ads/get_keyword_insights',
    '/api/v1/tiktok/web/fetch_live_gift_list',
  ],
  'looked up by a parameter of another name, which is demanded': [
    '/x402/slovenian-company-data',
    '/x402/domain-contact-extract',
  ],
  'made up by the vendor': ['/api/v1/tiktok/web/generate_webid'],
}
const needsNothing = new Set(Object.values(NEEDS_NOTHING).flat())

const listed = createCatalog()
  .allActions()
  .flatMap(({ service, name, action }) =>
    action.kind === 'endpoint'
      ? action.endpoints.map((entry) => ({
          id: `${service.id}/${name} ${entry.endpoint}`,
          action,
          entry,
        }))
      : [],
  )
const { validate } = createValidator()

function isLookup(name: string): boolean {
  return LOOKUP.test(name) && !NARROWS.test(name)
}

/** Whether the path has identifying parameters and requires no such parameter. */
function looksUpNothing({ params, oneOf }: EndpointEntry): boolean {
  const lookups = params.filter(({ name }) => isLookup(name))
  return oneOf === undefined && lookups.length > 0 && !lookups.some(({ required }) => required)
}

function refusalOf(action: (typeof listed)[number]['action'], input: Data): AppError {
  try {
    validate(action.input, input)
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error
  }
  return assert.fail(`${JSON.stringify(input)} is refused`)
}

describe('paths that look something up', () => {
  test('every path with an identifying parameter requires one, or is a known exception', () => {
    const undemanding = listed
      .filter(({ entry }) => looksUpNothing(entry) && !needsNothing.has(entry.endpoint))
      .map(({ id }) => id)
    assert.deepEqual(
      undemanding,
      [],
      'mark a required parameter of these rows with * or oneOf, or list them in NEEDS_NOTHING',
    )
  })

  test('every known exception is still listed and still requires no parameter', () => {
    const open = new Set(
      listed.filter(({ entry }) => looksUpNothing(entry)).map(({ entry }) => entry.endpoint),
    )
    assert.deepEqual(
      [...needsNothing].filter((endpoint) => !open.has(endpoint)),
      [],
    )
  })

  test('rejects a call without any alternative before a charge, and names all of them', () => {
    for (const { id, action, entry } of listed) {
      const { oneOf } = entry
      if (oneOf === undefined) continue
      const names = new Set(oneOf)
      const bare = Object.fromEntries(
        Object.entries(endpointExample(action, entry)).filter(([name]) => !names.has(name)),
      )
      const { code, message, fix } = refusalOf(action, bare)
      assert.equal(code, 'invalid_params', id)
      for (const name of oneOf)
        assert.ok(
          `${message} ${fix}`.includes(`${name}`),
          `${id}: "${message} ${fix}" names ${name}`,
        )
      assert.deepEqual(
        requiredEndpointParams(entry).required_one_of,
        oneOf.map((name) => [name]),
        id,
      )
      assert.ok(
        oneOf.every((name) => entry.params.some((param) => param.name === name)),
        `${id}: oneOf names its parameters`,
      )
    }
  })
})
