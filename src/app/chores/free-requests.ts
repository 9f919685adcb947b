import { get, post, type WireRequest } from '../../catalog/vocabulary/wire.ts'
import { fieldsOf } from '../../lib/json-fields.ts'

/** A request that a vendor answers free of charge, but only for a valid key. */
export type FreeRequest = {
  readonly wire: WireRequest
  /** Statuses outside 2xx that only a valid key gets, such as 404 for a missing item. */
  readonly accepts?: readonly number[]
  /** Set for a vendor that rejects a key with status 200. */
  readonly refuses?: (body: unknown) => boolean
}

/** By service. The other vendors document no request that is both free and requires the key. */
export const FREE_REQUESTS: Readonly<Record<string, FreeRequest>> = {
  rag: { wire: get('/usage') },
  cited: { wire: get('/credits/balance') },
  agentic: { wire: get('/v1/tasks/runs/trun_doctor'), accepts: [404, 422] },
  render: { wire: get('/team/credit-usage') },
  cheapunblock: { wire: get('/info') },
  unblock: { wire: get('/zone/get_active_zones') },
  proxy: { wire: get('/usage') },
  captcha: {
    wire: post('/getBalance', {}),
    refuses: (body) => Number(fieldsOf(body)['errorId'] ?? 0) > 0,
  },
  platform: { wire: get('/users/me') },
  emailintel: { wire: get('/account') },
  courts: { wire: get('/') },
  scholar: { wire: get('/rate-limit') },
  deepenrich: { wire: get('/account/usage') },
  hiringdata: { wire: get('/v0/billing/credit-balance') },
  companyfind: { wire: get('/api/v1/credits/balance') },
  socialread: { wire: get('/api/v1/tikhub/user/get_user_info') },
  trends: { wire: get('/account.json') },
  'llmnative-a': { wire: { ...get('/models'), headers: { 'anthropic-version': '2023-06-01' } } },
  'llmnative-b': { wire: get('/models') },
  router2: { wire: get('/key') },
  boxa: { wire: get('/v2/sandboxes', { limit: 1 }) },
  boxb: { wire: get('/sandbox', { limit: 1 }) },
  boxc: { wire: get('/v2/user') },
  boxd: { wire: get('/v1/devboxes', { limit: 1 }) },
  boxe: { wire: get('/v1/sprites', { max_results: 1 }) },
  browser: { wire: get('/v1/projects') },
  inbox: { wire: get('/v0/inboxes', { limit: 1 }) },
}
