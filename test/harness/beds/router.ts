/** The router on its own port, over a real database, with the simulators and an upstream that the test controls. */
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { Agent } from 'undici'
import { createAuthenticator } from '../../../src/keys/authenticate.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { newId } from '../../../src/lib/ids.ts'
import { createRouter, type Router, type RouterDeps } from '../../../src/llm/ask/create-router.ts'
import type { ModelUpstream } from '../../../src/llm/ask/upstream.ts'
import { WIRE_NAMES, type WireName } from '../../../src/llm/wires/wire.ts'
import { startSimulators } from '../../../src/simulators/start.ts'
import { requireCaller } from '../../../src/surfaces/http/guards/require-caller.ts'
import { acceptJsonBodies } from '../../../src/surfaces/http/bodies/json-body.ts'
import { pricingRoute, routerRoutes } from '../../../src/surfaces/router/router-routes.ts'
import { splitBaseUrl } from '../../../src/upstream/target.ts'
import { cleanUp } from '../clean-up.ts'
import { startModelServer, type ModelServer } from '../vendors/model-upstream.ts'
import { createWorld, type World } from './world.ts'
import { NO_CALL_LOGGER } from '../no-call-logger.ts'

export type Posted = {
  readonly id: string
  readonly status: string
  readonly action: string
  readonly charged: bigint
  readonly held: bigint
  readonly error_code: string | null
  readonly hops: readonly Hop[] | null
}
type Hop = {
  readonly provider: string
  readonly action: string
  readonly ok: boolean
  readonly charged_micros: number
  readonly metering?: string
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

export type RouterBed = {
  readonly world: World
  readonly upstream: ModelServer
  readonly router: Router
  /** The base URL for clients: …/api/llm/v1. */
  readonly url: string
  readonly key: string
  readonly testKey: string
  readonly walletId: number
  post(body: unknown, headers?: Record<string, string>, key?: string): Promise<Response>
  /** Like `post`, to another path below the base URL, such as "/messages". */
  postTo(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  wallet(walletId?: number): Promise<{ balance: bigint; held: bigint }>
  posted(walletId?: number): Promise<Posted[]>
  /** Resolves when `count` transactions of language models are posted. */
  postedCount(count: number, walletId?: number): Promise<Posted[]>
  isSound(): Promise<boolean>
  /** Closes the HTTP server, the first step of a gateway's stop. */
  stop(): Promise<void>
}

export type RouterBedOptions = Partial<
  Pick<RouterDeps, 'tiers' | 'models' | 'aliases' | 'times' | 'loops'>
> & {
  readonly upstreams?: (url: string, dispatcher: Agent) => readonly ModelUpstream[]
  readonly startMs?: number
  /** The APIs that the simulated upstream speaks; all by default. */
  readonly simulatedWires?: readonly WireName[]
}

/** Longer than any test needs, even on a busy machine. */
export const UPSTREAM_TIMES = {
  firstByteMs: 60_000,
  answerMs: 120_000,
  idleMs: 60_000,
  streamMs: 120_000,
  usageMs: 60_000,
  recordMs: 20_000,
  recordPauseMs: 1,
}

/** Call it at the top level of a test file. */
export async function openRouterBed(options: RouterBedOptions = {}): Promise<RouterBed> {
  const world = await createWorld(options.startMs)
  const { database, ledger, now } = world
  const upstream = await startModelServer()
  const simulators = await startSimulators({ now })
  const dispatcher = new Agent()
  const upstreams = options.upstreams?.(upstream.url, dispatcher) ?? [
    upstreamAt('llm', upstream.url, dispatcher),
  ]
  const router = createRouter({
    database,
    ledger,
    now,
    upstreams,
    simulator: {
      ...upstreamAt('llm', `${simulators.url}/llm`, dispatcher),
      wires: new Set(options.simulatedWires ?? WIRE_NAMES),
      remembersList: false,
    },
    tiers: options.tiers ?? new Map([['core/cheap', ['maker/small', 'maker/large']]]),
    models: options.models ?? new Map(),
    aliases: options.aliases ?? new Map(),
    ...(options.loops === undefined ? {} : { loops: options.loops }),
    times: options.times ?? UPSTREAM_TIMES,
  })
  const { url, stop, close } = await listen(world, router)
  cleanUp(async () => {
    await close()
    await simulators.close()
    await dispatcher.destroy()
  })
  const mine = await world.account()
  const walletId = mine.caller.walletId

  async function posted(wallet = walletId): Promise<Posted[]> {
    const { rows } = await database.query<Posted>(
      "select id, status, action, -amount_micros as charged, held_micros as held, error_code, hops from transactions where wallet_id = $1 and kind = 'llm' order by sequence",
      [wallet],
    )
    return rows
  }

  const postTo = (
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    key: string = mine.live.key,
  ): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  return {
    world,
    upstream,
    router,
    url,
    key: mine.live.key,
    testKey: mine.test.key,
    walletId,
    posted,
    post: (body, headers = {}, key = mine.live.key) =>
      postTo('/chat/completions', body, headers, key),
    postTo,
    async wallet(id = walletId) {
      const { rows } = await database.query<{ balance: bigint; held: bigint }>(
        'select balance_micros as balance, held_micros as held from wallets where id = $1',
        [id],
      )
      return rows[0] ?? { balance: -1n, held: -1n }
    },
    async postedCount(count, wallet = walletId) {
      for (;;) {
        const rows = await posted(wallet)
        if (rows.length >= count) return rows
        await new Promise((resume) => setImmediate(resume))
      }
    },
    isSound: async () => (await verifyLedger(database)).ok,
    stop,
  }
}

export function upstreamAt(
  name: string,
  url: string,
  dispatcher: Agent,
  more: Partial<ModelUpstream> = {},
): ModelUpstream {
  return {
    name,
    ...splitBaseUrl(url),
    key: 'upstream-secret-key',
    dispatcher,
    defaultRates: null,
    isAggregator: true,
    remembersList: true,
    ...more,
  }
}

async function listen(
  { database, now }: World,
  router: Router,
): Promise<{ url: string; stop(): Promise<void>; close(): Promise<void> }> {
  const authenticator = createAuthenticator({ database, now, cacheSize: 100, cacheMs: 30_000 })
  await authenticator.ready
  const app = Fastify({ genReqId: () => newId(now()), forceCloseConnections: true })
  acceptJsonBodies(app)
  app.decorateRequest('caller')
  await app.register(pricingRoute, { router })
  await app.register(async (paid) => {
    paid.addHook('onRequest', requireCaller(authenticator))
    await paid.register(routerRoutes, { router, callLogger: NO_CALL_LOGGER })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/api/llm/v1`,
    stop: () => app.close(),
    async close() {
      await app.close()
      await authenticator.close()
    },
  }
}
