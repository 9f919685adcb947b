/** A process that makes one purchase, for killing during it. */
import { Agent } from 'undici'
import { createLanes } from '../../src/calls/lanes/lanes.ts'
import { createIntents } from '../../src/calls/payments/intents.ts'
import { paidFetch } from '../../src/calls/fetch/paid-fetch.ts'
import type { CallRequest } from '../../src/calls/call.ts'
import { runCall } from '../../src/calls/run.ts'
import { once } from '../../src/calls/ways/once.ts'
import { createCatalog } from '../../src/catalog/index.ts'
import { createValidator } from '../../src/catalog/validate/validate.ts'
import { connectDatabase } from '../../src/db/database.ts'
import type { DatabaseAddress } from '../../src/db/embedded-postgres.ts'
import type { Caller } from '../../src/keys/caller.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { newId } from '../../src/lib/ids.ts'
import { cents, dollars } from '../../src/lib/money.ts'
import { createReplyCache } from '../../src/upstream/reply-cache.ts'
import { devledger } from '../../src/upstream/pay/testing/devledger.ts'
import { createGuard } from '../../src/upstream/guard.ts'
import { fetchInputOf, shopAt } from './shop.ts'

export type Errand = {
  readonly target: DatabaseAddress
  readonly merchantUrl: string
  readonly caller: Caller
  readonly nowMs: number
  readonly query: string
  /** Uses POST /api/fetch instead of a call to the shop. */ readonly fetches?: boolean
  readonly idempotency: CallRequest['idempotency']
}

const {
  target,
  merchantUrl,
  caller,
  nowMs,
  query,
  fetches = false,
  idempotency,
} = JSON.parse(process.argv[2] ?? '') as Errand
const now = (): number => nowMs
const database = connectDatabase(target, { poolSize: 2 })
const dispatcher = new Agent()
const catalog = createCatalog([shopAt(merchantUrl)])
const wallet = {
  methods: [devledger()],
  intents: createIntents({ database, now, dailyCeiling: dollars('100'), openCeiling: cents('5') }),
  now,
}
const lanes = createLanes({
  catalog,
  upstreams: new Map(),
  guardedDispatcher: dispatcher,
  operatorDispatcher: dispatcher,
  inHouse: new Set(),
  simulatorUrl: merchantUrl,
  userAgent: 'Tollgate-Test/1.0',
  payments: wallet.methods,
})
const ledger = createLedger({ database, now, topupUrl: '', pause: async () => {} })
const calls = {
  catalog,
  validator: createValidator(),
  lanes,
  inHouse: new Map(),
  local: new Map(),
  now,
  replyCache: createReplyCache(now),
  ledger,
  database,
  wallet,
  ways: [once],
}
const request = { id: newId(nowMs), caller, idempotency }
if (fetches)
  await paidFetch(
    calls,
    {
      guard: createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] }),
      userAgent: 'Tollgate-Test/1.0',
    },
    { ...request, input: fetchInputOf(merchantUrl, query) },
  )
else await runCall(calls, { ...request, service: 'shop', action: 'buy', body: { query } })
process.stdout.write('bought\n')
