import { Agent } from 'undici'
import { createRouter, type Router } from '../../../src/llm/ask/create-router.ts'
import { splitBaseUrl } from '../../../src/upstream/target.ts'
import type { CallBed } from './calls.ts'
import { cleanUp } from '../clean-up.ts'

/** The router of a bed. The bed's vendor offers one model, "test/model", at a dollar per million tokens. */
export function routerOf({
  database,
  calls,
  clock,
  vendor,
}: Pick<CallBed, 'database' | 'calls' | 'clock' | 'vendor'>): Router {
  const dispatcher = new Agent()
  cleanUp(() => dispatcher.close())
  const upstream = {
    name: 'llm',
    ...splitBaseUrl(`${vendor.url}/llm`),
    key: 'vendor-secret-key',
    dispatcher,
    defaultRates: null,
    isAggregator: false,
    remembersList: false,
  }
  const model = {
    upstream: 'llm',
    upstreamModel: 'test/model',
    rates: { prompt: 1_000_000n, completion: 1_000_000n, overrides: [] },
    contextLength: null,
  }
  return createRouter({
    database,
    ledger: calls.ledger,
    now: clock,
    tally: calls.tally,
    upstreams: [upstream],
    simulator: upstream,
    tiers: new Map([['core/cheap', ['test/model']]]),
    models: new Map([['test/model', model]]),
  })
}
