/** The call path over a real database. A local vendor serves `semantic`; no other lane is configured. */
import { createAccount } from '../../../src/accounts/create-account.ts'
import { openGoneRoutes } from '../../../src/calls/lanes/gone-routes.ts'
import { createLanes } from '../../../src/calls/lanes/lanes.ts'
import { findLostPurchases } from '../../../src/calls/payments/lost-purchases.ts'
import type { CallRequest, Calls } from '../../../src/calls/call.ts'
import type { Service } from '../../../src/catalog/vocabulary/define.ts'
import type { InHouseHandler, LocalHandler } from '../../../src/catalog/vocabulary/handlers.ts'
import { createCatalog } from '../../../src/catalog/index.ts'
import { createValidator } from '../../../src/catalog/validate/validate.ts'
import type { Database } from '../../../src/db/database.ts'
import { createAuthenticator } from '../../../src/keys/authenticate.ts'
import type { Caller } from '../../../src/keys/caller.ts'
import { createPlainDispatcher } from '../../../src/upstream/http1/plain-dispatcher.ts'
import { createReplyCache } from '../../../src/upstream/reply-cache.ts'
import { createLedger } from '../../../src/ledger/ledger.ts'
import { newId } from '../../../src/lib/ids.ts'
import { createWays } from '../../../src/app/wiring/ways.ts'
import type { SessionDeps } from '../../../src/resources/sessions/session-deps.ts'
import { createReadyBoxes } from '../../../src/resources/sessions/ready-boxes.ts'
import type { Wallet } from '../../../src/upstream/pay/purchase.ts'
import { cleanUp } from '../clean-up.ts'
import { manualClock, type ManualClock } from '../manual-clock.ts'
import { cloneDatabase, type TestDatabase } from '../postgres.ts'
import { startVendor, type TestVendor } from '../vendors/vendor.ts'

export const START_MS = Date.UTC(2026, 9, 14, 12)

export type CallBed = TestDatabase & {
  readonly calls: Calls
  readonly sessions: SessionDeps
  readonly vendor: TestVendor
  readonly clock: ManualClock
  readonly caller: Caller
  readonly testCaller: Caller
  /** A call with the live key of the bed's account. */
  request(service: string, action: string, body: unknown, extra?: Partial<CallRequest>): CallRequest
  balance(): Promise<{ balance: bigint; held: bigint }>
  transactions(): Promise<
    {
      status: string
      amount_micros: bigint
      held_micros: bigint
      error_code: string | null
      hops: unknown
    }[]
  >
}

export type BedOptions = {
  readonly services?: readonly Service[]
  readonly local?: ReadonlyMap<string, LocalHandler>
  readonly inHouse?: ReadonlyMap<string, InHouseHandler>
  readonly simulatorUrl?: string
  /** False configures no vendor, so live calls are served in-house or rejected. */
  readonly configured?: boolean
  /** The operator's wallets. None by default. */
  readonly wallet?: (database: Database, clock: ManualClock) => Wallet
  /** The operator's wallets on test networks. None by default. */
  readonly testWallet?: (database: Database, clock: ManualClock) => Wallet
}

/** The caller of another account. */
export async function anotherCaller({
  database,
  clock,
}: Pick<CallBed, 'database' | 'clock'>): Promise<Caller> {
  const parts = { database, now: clock }
  const { live } = await createAccount(parts, {
    email: `${newId(clock())}@gate.example.com`,
    tier: 'personal',
  })
  const authenticator = createAuthenticator({ ...parts, cacheSize: 10, cacheMs: 1000 })
  const caller = await authenticator.authenticate(live.key)
  await authenticator.close()
  return caller
}

/** Replaces the sessions of the bed. */
export function withSessions(calls: Calls, sessions: SessionDeps): Calls {
  return { ...calls, ways: createWays(sessions) }
}

export async function openCallBed(options: BedOptions = {}): Promise<CallBed> {
  const cloned = await cloneDatabase()
  const { database } = cloned
  const clock = manualClock(START_MS)
  const vendor = await startVendor()
  const dispatcher = createPlainDispatcher()
  const catalog = createCatalog(options.services)
  const inHouse = options.inHouse ?? new Map<string, InHouseHandler>()
  const vendors =
    options.configured === false
      ? []
      : catalog.services.filter(({ vendor: its }) => its !== undefined)
  const upstreams = new Map(
    vendors.map(({ id }) => [id, { url: vendor.url, credentials: { KEY: 'vendor-secret-key' } }]),
  )
  const [wallet, testWallet] = [
    options.wallet?.(database, clock),
    options.testWallet?.(database, clock),
  ]
  const gone = await openGoneRoutes(database, clock)
  cleanUp(() => gone.close())
  const lanes = createLanes({
    catalog,
    upstreams,
    guardedDispatcher: dispatcher,
    operatorDispatcher: dispatcher,
    inHouse: new Set(inHouse.keys()),
    simulatorUrl: options.simulatorUrl ?? vendor.url,
    userAgent: 'Tollgate-Test/1.0',
    payments: wallet?.methods ?? [],
    gone,
  })
  const ledger = createLedger({
    database,
    now: clock,
    topupUrl: 'https://gate.example/balance',
    pause: () => Promise.resolve(),
    answersOfExpired: findLostPurchases(database),
  })
  const sessions: SessionDeps = {
    database,
    now: clock,
    boxFor: createReadyBoxes(lanes.targetOf, clock),
  }
  const calls: Calls = {
    catalog,
    validator: createValidator(),
    lanes,
    inHouse,
    local: options.local ?? new Map<string, LocalHandler>(),
    now: clock,
    replyCache: createReplyCache(clock),
    ledger,
    database,
    ways: createWays(sessions),
    ...(wallet === undefined ? {} : { wallet }),
    ...(testWallet === undefined ? {} : { testWallet }),
  }
  cleanUp(async () => {
    await ledger.close()
    await dispatcher.close()
  })

  const created = await createAccount(
    { database, now: clock },
    { email: 'caller@gate.example.com', tier: 'personal' },
  )
  const authenticator = createAuthenticator({ database, now: clock, cacheSize: 100, cacheMs: 1000 })
  const caller = await authenticator.authenticate(created.live.key)
  const testCaller = await authenticator.authenticate(created.test.key)
  await authenticator.close()

  return {
    ...cloned,
    calls,
    sessions,
    vendor,
    clock,
    caller,
    testCaller,
    request: (service, action, body, extra = {}) => ({
      id: newId(clock()),
      caller,
      service,
      action,
      body,
      idempotency: null,
      ...extra,
    }),
    async balance() {
      const { rows } = await database.query<{ balance: bigint; held: bigint }>(
        'select balance_micros as balance, held_micros as held from wallets where id = $1',
        [caller.walletId],
      )
      return rows[0] ?? { balance: -1n, held: -1n }
    },
    async transactions() {
      const { rows } = await database.query<{
        status: string
        amount_micros: bigint
        held_micros: bigint
        error_code: string | null
        hops: unknown
      }>(
        "select status, amount_micros, held_micros, error_code, hops from transactions where wallet_id = $1 and kind = 'call' order by sequence",
        [caller.walletId],
      )
      return rows
    },
  }
}
