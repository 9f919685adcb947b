/** Market data and crypto agents: paths, vendors, public sources and charges. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { prepared, refusal, wireOf, withSimulators } from '../../catalog/testing/run-call.ts'
import { examples } from './examples.ts'
import { openPaths } from './open-paths.ts'

const { run, runOpen } = withSimulators()
const ID = 'markets/fetch'
const SURF = '/api/v1/surf/'
const PM = '/api/v1/pm/'

function endpointsOf(id: string) {
  const { action } = prepared(
    id,
    id === ID
      ? { endpoint: `${SURF}market/ranking` }
      : { endpoint: '/x402/agents/UnifaiWeb3NewsAgent/get_web3_news' },
  )
  assert.ok(action.kind === 'endpoint')
  return action.endpoints
}

describe('markets', () => {
  test('has more than a hundred paths at 1, 2 or 4¢', () => {
    const endpoints = endpointsOf(ID)
    assert.ok(endpoints.length >= 103)
    for (const { endpoint, price } of endpoints)
      assert.ok(price === cents('1') || price === cents('2') || price === cents('4'), endpoint)
  })

  test('links every public source to a listed path with an example', () => {
    const listed = endpointsOf(ID).map(({ endpoint }) => endpoint)
    for (const path of Object.keys(openPaths)) assert.ok(listed.includes(path), path)
    assert.deepEqual(Object.keys(examples).toSorted(), Object.keys(openPaths).toSorted())
  })

  test('rejects a missing required parameter before a hold', () => {
    assert.equal(refusal(ID, { endpoint: `${SURF}exchange/price` }).param, 'pair')
    assert.equal(refusal(ID, { endpoint: `${SURF}no/such/path` }).param, 'endpoint')
    assert.equal(refusal(ID, { endpoint: `${PM}kalshi/orderbooks` }).param, 'ticker')
  })

  test("sends the path below the vendor's base, with its parameters filled in", () => {
    assert.deepEqual(
      wireOf(ID, { endpoint: `${SURF}exchange/klines`, pair: 'BTC-USDT', interval: '1d' }),
      { method: 'GET', path: '/exchange/klines', query: { pair: 'BTC-USDT', interval: '1d' } },
    )
    assert.equal(
      wireOf(ID, { endpoint: `${PM}polymarket/market-price/{token_id}`, token_id: 'a/b' }).path,
      '/polymarket/market-price/a%2Fb',
    )
    assert.deepEqual(wireOf(ID, { endpoint: `${SURF}onchain/sql`, sql: 'select 1' }).json, {
      sql: 'select 1',
    })
  })

  test('sends prediction markets to another vendor with another key', () => {
    for (const { endpoint, vendor } of endpointsOf(ID))
      assert.equal(vendor?.label, endpoint.startsWith(PM) ? 'predexon' : undefined, endpoint)
  })

  test('charges nothing for an empty answer of a vendor or a public source', async () => {
    const through = await run(ID, { endpoint: `${SURF}search/project`, q: 'sim:miss' })
    assert.ok('outcome' in through && through.outcome.kind === 'empty' && through.charged === 0n)
    for (const sent of [
      { endpoint: `${SURF}search/polymarket`, q: 'sim:miss' },
      { endpoint: `${PM}polymarket/positions`, user: 'nobody' },
    ]) {
      const result = await runOpen(ID, sent)
      assert.ok(
        'outcome' in result && result.outcome.kind === 'empty' && result.charged === 0n,
        sent.endpoint,
      )
    }
  })

  test('lists open prediction markets and events, and finds settled ones by name', async () => {
    for (const [endpoint, by, rows] of [
      [`${PM}polymarket/markets`, 'market_slug', 'markets'],
      [`${PM}polymarket/events`, 'event_slug', 'events'],
      [`${SURF}prediction-market/polymarket/markets`, 'market_slug', 'markets'],
      [`${SURF}prediction-market/polymarket/events`, 'event_slug', 'events'],
    ] as const) {
      const wire = openPaths[endpoint]?.request({ endpoint })
      assert.deepEqual([wire?.path, wire?.query?.['closed']], [`/${rows}/keyset`, false])
      const closedOf = async (slug: string): Promise<unknown> => {
        const result = await runOpen(ID, { endpoint, [by]: slug })
        assert.ok('outcome' in result && result.outcome.kind === 'done', endpoint)
        const [row] = result.outcome.data['data'] as { closed: boolean }[]
        return row?.closed
      }
      assert.deepEqual([await closedOf('any'), await closedOf('settled')], [false, true], endpoint)
    }
  })

  test("accepts a pair in any spelling, and reports an unknown one as the caller's mistake", async () => {
    const result = await runOpen(ID, { endpoint: `${SURF}exchange/price`, pair: 'btc/usdt' })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
    assert.deepEqual(result.outcome.data, {
      data: { symbol: 'BTCUSDT', price: '65000.00' },
      meta: { source: 'binance' },
    })
    const unknown = await runOpen(ID, { endpoint: `${SURF}exchange/price`, pair: 'NO-SUCH' })
    assert.ok('failure' in unknown && unknown.failure?.code === 'upstream_rejected')
  })

  test('reports an unknown coin as 404, and an unsupported ranking as not configured', async () => {
    await assert.rejects(
      runOpen(ID, { endpoint: `${SURF}market/price`, symbol: 'NOSUCH' }),
      (error) => error instanceof AppError && error.code === 'upstream_not_found',
    )
    await assert.rejects(
      runOpen(ID, { endpoint: `${SURF}project/defi/ranking`, metric: 'users' }),
      (error) => error instanceof AppError && error.code === 'upstream_not_configured',
    )
  })

  test('rejects a parameter that a public source does not support, without a charge', async () => {
    const price = { endpoint: `${SURF}exchange/price`, pair: 'BTC-USDT' }
    for (const [more, param] of [
      [{ exchange: 'okx' }, 'exchange'],
      [{ type: 'swap' }, 'type'],
    ] as const) {
      await assert.rejects(
        runOpen(ID, { ...price, ...more }),
        (error) =>
          error instanceof AppError &&
          error.code === 'upstream_not_configured' &&
          error.param === param,
      )
    }
    await assert.rejects(
      runOpen(ID, { endpoint: `${PM}polymarket/markets`, search: 'election' }),
      (error) => error instanceof AppError && error.param === 'search',
    )
    const same = await runOpen(ID, { ...price, exchange: 'Binance', type: 'spot' })
    assert.ok('outcome' in same && same.outcome.kind === 'done')
  })

  test("does not blame the caller for Binance's country block or rate limit", () => {
    const read = openPaths[`${SURF}exchange/perp`]?.vendor.readFailure
    const codeOf = (status: number) =>
      read?.({ status, headers: {}, body: { code: 0, msg: 'Told by the source.' } })?.code
    assert.deepEqual([451, 418, 429, 400].map(codeOf), [
      'upstream_not_configured',
      'upstream_busy',
      'upstream_busy',
      'upstream_rejected',
    ])
  })

  test("converts days and seconds to the source's milliseconds", () => {
    const wireTo = (more: Data) =>
      openPaths[`${SURF}exchange/klines`]?.request({ pair: 'BTC-USDT', ...more }).query
    assert.deepEqual(wireTo({ from: '2026-11-01', to: '1795334400' }), {
      symbol: 'BTCUSDT',
      interval: '1h',
      limit: undefined,
      startTime: Date.UTC(2026, 10, 1),
      endTime: 1_795_334_400_000,
    })
    for (const from of ['yesterday', '7', '2026-02-30'])
      assert.throws(
        () => wireTo({ from }),
        (error) =>
          error instanceof AppError && error.code === 'invalid_params' && error.param === 'from',
        from,
      )
  })

  test('ranks protocols by the requested metric, highest first', async () => {
    const ranking = async (metric: string) => {
      const result = await runOpen(ID, { endpoint: `${SURF}project/defi/ranking`, metric })
      assert.ok('outcome' in result && result.outcome.kind === 'done')
      return (result.outcome.data['data'] as Data[]).map(({ name, total24h }) => [name, total24h])
    }
    assert.deepEqual(await ranking('fees'), [
      ['Lido (simulated)', 20],
      ['Aave (simulated)', 10],
    ])
    assert.deepEqual(await ranking('revenue'), [
      ['Lido (simulated)', 2],
      ['Aave (simulated)', 1],
    ])
  })

  test('charges SQL queries most', () => {
    const { action, input } = prepared(ID, { endpoint: `${SURF}onchain/sql`, sql: 'select 1' })
    assert.equal(worstCase(action, input), cents('4'))
  })
})

describe('cryptoagent', () => {
  const tool = (name: string) => `/x402/agents/${name}`
  const AGENT = 'cryptoagent/agent'

  test('costs 2 to 5¢ for every tool', () => {
    const endpoints = endpointsOf(AGENT)
    assert.ok(endpoints.length >= 30)
    for (const { endpoint, price } of endpoints)
      assert.ok(price !== undefined && price >= cents('2') && price <= cents('5'), endpoint)
  })

  test('sends flat arguments to the tool by name', () => {
    assert.deepEqual(
      wireOf(AGENT, {
        endpoint: tool('EtherscanAgent/get_transaction_details'),
        chain: 'ethereum',
        txid: '0x1',
      }).json,
      {
        agent_id: 'EtherscanAgent',
        input: {
          tool: 'get_transaction_details',
          tool_arguments: { chain: 'ethereum', txid: '0x1' },
          raw_data_only: true,
        },
      },
    )
    assert.equal(
      refusal(AGENT, {
        endpoint: tool('EtherscanAgent/get_transaction_details'),
        chain: 'ethereum',
      }).param,
      'txid',
    )
  })

  test('charges nothing for a failed tool with status 200', async () => {
    const result = await run(AGENT, {
      endpoint: tool('UnifaiWeb3NewsAgent/get_web3_news'),
      limit: 1,
    })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
    const failing = await run(AGENT, {
      endpoint: tool('TokenResolverAgent/token_search'),
      query: 'sim:miss',
    })
    assert.ok(
      'outcome' in failing &&
        failing.outcome.kind === 'failed' &&
        failing.outcome.code === 'no_results' &&
        failing.charged === 0n,
    )
  })

  test("sends the name of a protocol, coin or chain in the source's form", async () => {
    const { action, input } = prepared(AGENT, {
      endpoint: tool('DefiLlamaAgent/get_protocol_metrics'),
      protocol: 'aave',
    })
    assert.ok(action.kind === 'endpoint')
    assert.equal(action.entryFor(input)?.openSource?.request(input).path, '/protocol/aave')
    const pools = await runOpen(AGENT, {
      endpoint: tool('DefiLlamaAgent/search_yield_pools'),
      chains: 'Base, Ethereum',
    })
    assert.ok(
      'outcome' in pools && pools.outcome.kind === 'done' && pools.outcome.data['total'] === 2,
    )
    const chain = await runOpen(AGENT, {
      endpoint: tool('DefiLlamaAgent/get_chain_metrics'),
      chain: 'base',
    })
    assert.ok(
      'outcome' in chain && chain.outcome.kind === 'done' && chain.outcome.data['total'] === 1,
    )
  })
})

test("reads Kalshi's order book in its current form", async () => {
  const book = { yes_dollars: [['0.4000', '10.00']], no_dollars: [['0.5800', '10.00']] }
  const { action, input } = prepared('markets/fetch', {
    endpoint: '/api/v1/pm/kalshi/orderbooks',
    ticker: 'SIM-26',
  })
  const source = action.kind === 'endpoint' ? action.entryFor(input)?.openSource : undefined
  const outcome = source?.outcome({ status: 200, headers: {}, body: { orderbook_fp: book } }, input)
  assert.ok(outcome?.kind === 'done')
  assert.deepEqual(outcome.data['data'], book)
})
