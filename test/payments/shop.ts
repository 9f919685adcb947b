import { Type } from '../../src/lib/schema.ts'
import type { PaidFetchInput } from '../../src/calls/fetch/paid-fetch-input.ts'
import { call, defineService, params, type Service } from '../../src/catalog/vocabulary/define.ts'
import { done, type Data } from '../../src/catalog/vocabulary/outcome.ts'
import { bearer, post } from '../../src/catalog/vocabulary/wire.ts'
import { cents } from '../../src/lib/money.ts'
import { DEV_ASSET } from '../../src/upstream/pay/testing/devledger.ts'

/** A service with one action, "buy", which a merchant at this URL sells for up to 2¢. */
export function shopAt(url: string): Service {
  const input = params({ query: Type.String() })
  const record = {
    summary: 'Sells.',
    input,
    example: { query: '0' },
    timeoutMs: 60_000,
    price: { kind: 'actual', cap: cents('2') } as const,
    request: (asked: { query: string }) => post('/buy', asked),
    reply: Type.Object({ results: Type.Array(Type.Unknown()) }),
  }
  const at = { baseUrl: url, method: 'devledger.charge', asset: DEV_ASSET }
  return defineService({
    id: 'shop',
    title: 'Shop',
    category: 'x',
    vendor: { baseUrl: 'https://shop.example', auth: bearer(), docsUrl: 'https://shop.example' },
    actions: {
      buy: call({ ...record, outcome: ({ body }) => done(body as Data), merchant: { at } }),
    },
  })
}

/** The same purchase through POST /api/fetch. */
export function fetchInputOf(url: string, query: string): PaidFetchInput {
  return { url: `${url}/buy`, method: 'POST', headers: {}, body: { query }, max_cost_cents: 2 }
}
