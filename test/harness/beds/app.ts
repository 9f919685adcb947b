/** The HTTP surface over the bed of `calls.ts`, without a port: tests send requests with `inject`. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import type { Calls } from '../../../src/calls/call.ts'
import { createLoopWatch } from '../../../src/calls/loops/loop-watch.ts'
import type { Selling } from '../../../src/calls/selling/sell-call.ts'
import type { CardDesk } from '../../../src/accounts/card-desk.ts'
import { createAccount } from '../../../src/accounts/create-account.ts'
import { WELCOME_CREDITS_PER_DAY } from '../../../src/accounts/welcome-credit.ts'
import { createDiscover } from '../../../src/composites/discover/create-discover.ts'
import { createAuthenticator } from '../../../src/keys/authenticate.ts'
import type { AuthServices } from '../../../src/auth/auth-services.ts'
import type { Database } from '../../../src/db/database.ts'
import type { Clock } from '../../../src/lib/clock.ts'
import type { GitDeps } from '../../../src/resources/git/git-deps.ts'
import type { OwnBrowsers } from '../../../src/resources/browsers/in-house/own-browsers.ts'
import type { FileLimits } from '../../../src/resources/files/file-deps.ts'
import { fileHandlers } from '../../../src/resources/files/handlers.ts'
import { createOutputSaver } from '../../../src/resources/files/output-saver.ts'
import { CallTally } from '../../../src/lib/metrics/call-tally.ts'
import { createSimulatedSessions } from '../../../src/resources/sessions/simulated-sessions.ts'
import { openMetrics } from '../../../src/app/monitoring/metrics.ts'
import { createApp } from '../../../src/surfaces/http/app.ts'
import type { AppDeps } from '../../../src/surfaces/http/app-deps.ts'
import type { ClientLimits } from '../../../src/surfaces/http/connections/client-limits.ts'
import { cents } from '../../../src/lib/money.ts'
import { createEventWaiters, type EventWaiters } from '../../../src/events/event-waiters.ts'
import { createSecretBox } from '../../../src/events/webhooks/secrets.ts'
import { createClientDocuments } from '../../../src/auth/oauth/client-documents.ts'
import { createGuard, type Guard } from '../../../src/upstream/guard.ts'
import { openCallBed, type BedOptions, type CallBed } from './calls.ts'
import { cleanUp } from '../clean-up.ts'
import { openTestFiles, type TestFiles } from './files.ts'
import { TEST_PASSWORD_COST } from '../password-cost.ts'
import { STAND_IN_OPERATE } from '../operate.ts'
import { routerOf } from './router-of.ts'

export type AppBed = CallBed & {
  readonly app: FastifyInstance
  /** The surface of a second process on the same database. */
  another(): Promise<FastifyInstance>
  readonly waiters: EventWaiters
  /** The files of the bed's accounts, which the actions of `files` use. */
  readonly files: TestFiles
  readonly liveKey: string
  readonly testKey: string
  /** Another account's live key. */
  readonly strangerKey: string
  post(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>
  get(path: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
}

export async function openAppBed(
  options: BedOptions & {
    readonly rateLimitPerMinute?: number
    /** Watches for loops, as the product does. */
    readonly hasBreaker?: boolean
    readonly mcpConfirmAboveCents?: number
    readonly clientLimits?: ClientLimits
    readonly mostBodyBytes?: number
    readonly mostConnections?: number
    readonly fileLimits?: FileLimits
    readonly selling?: Selling
    readonly cards?: CardDesk
    readonly metricsToken?: string
    /** In-house repositories. None by default. */
    readonly git?: (database: Database, clock: Clock) => GitDeps
    /** In-house browsers. None by default. */
    readonly browsers?: OwnBrowsers
    readonly people?: Partial<AuthServices>
    readonly log?: (line: string) => void
    readonly trustedProxies?: readonly string[]
    /** Fetches the metadata of OAuth clients. By default it reaches this machine. */
    readonly clientGuard?: Guard
  } = {},
): Promise<AppBed> {
  const bed = await openCallBed(options)
  const { database, clock } = bed
  const files = await openTestFiles(
    database,
    clock,
    options.fileLimits ?? { maxFileBytes: 1_000_000, maxAccountBytes: 2_000_000 },
  )
  const guard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] })
  const storeOutput = createOutputSaver(files, { guard, userAgent: 'Tollgate-Test/1.0' })
  const { metricsToken = null } = options
  const calls: Calls = {
    ...bed.calls,
    ...(options.hasBreaker === true ? { loops: createLoopWatch(bed.clock) } : {}),
    ...(metricsToken === null ? {} : { tally: new CallTally() }),
    ...(options.browsers === undefined ? {} : { browsers: options.browsers }),
    storeOutput,
    local: new Map([
      ...fileHandlers(files, { guard, userAgent: 'Tollgate-Test/1.0' }),
      ...bed.calls.local,
    ]),
  }
  const authenticator = createAuthenticator({
    database,
    now: clock,
    cacheSize: 100,
    cacheMs: 30_000,
  })
  const laneOf = calls.lanes.statusOf
  const git = options.git?.(database, clock)
  const router = routerOf({ ...bed, calls })
  const metrics = openMetrics(
    { metricsToken, pay: { dailyCeiling: cents('1000') }, people: { welcomeCreditsPerDay: 100 } },
    database,
    {
      calls,
      router,
      browserUse: () => ({ places: 3, taken: 1, waiting: 0 }),
      openBreakers: () => [{ label: 'semantic', count: 0 }],
    },
    clock,
  )
  const waiters = createEventWaiters()
  const deps: AppDeps = {
    calls,
    authenticator,
    keys: { database, now: clock, forget: authenticator.forget },
    published: {
      catalog: calls.catalog,
      laneOf,
      publicUrl: 'https://gate.example',
      discover: createDiscover({ services: calls.catalog.services, laneOf }),
    },
    events: {
      webhooks: {
        database,
        now: clock,
        guard,
        secrets: createSecretBox(Buffer.alloc(32, 7)),
        sendsEmail: options.people?.mailer !== undefined,
      },
      waiters,
    },
    files,
    router,
    ...(metrics === null ? {} : { metrics }),
    ...(options.selling === undefined ? {} : { selling: options.selling }),
    ...(options.cards === undefined ? {} : { cards: options.cards }),
    ...(git === undefined ? {} : { git }),
    ...(options.browsers === undefined ? {} : { browsers: options.browsers }),
    fetching: { guard, userAgent: 'Tollgate-Test/1.0' },
    clientDocuments: createClientDocuments({
      guard: options.clientGuard ?? guard,
      userAgent: 'Tollgate-Test/1.0',
      now: clock,
      timeoutMs: 1_000,
    }),
    operate: STAND_IN_OPERATE,
    sessions: { live: null, test: createSimulatedSessions() },
    rateLimitPerMinute: options.rateLimitPerMinute ?? 1_000_000,
    mcpConfirmAboveCents: options.mcpConfirmAboveCents ?? 0,
    people: {
      signUp: false,
      welcomeCreditsPerDay: WELCOME_CREDITS_PER_DAY,
      passwordCost: TEST_PASSWORD_COST,
      mailer: null,
      provider: null,
      ...options.people,
    },
    logger:
      options.log === undefined
        ? pino({ level: 'silent' })
        : pino({ level: 'trace' }, { write: options.log }),
    ...(options.clientLimits === undefined ? {} : { clientLimits: options.clientLimits }),
    ...(options.mostBodyBytes === undefined ? {} : { mostBodyBytes: options.mostBodyBytes }),
    ...(options.mostConnections === undefined ? {} : { mostConnections: options.mostConnections }),
    ...(options.trustedProxies === undefined ? {} : { trustedProxies: options.trustedProxies }),
  }
  const app = await createApp(deps)
  cleanUp(async () => {
    await app.close()
    await Promise.all([authenticator.close(), guard.close()])
  })
  const mine = await createAccount(
    { database, now: clock },
    { email: 'mine@gate.example.com', tier: 'personal' },
  )
  const stranger = await createAccount(
    { database, now: clock },
    { email: 'stranger@gate.example.com', tier: 'personal' },
  )
  const bearer = { authorization: `Bearer ${mine.live.key}` }
  return {
    ...bed,
    calls,
    files,
    app,
    async another() {
      const beside = await createApp(deps)
      cleanUp(() => beside.close())
      return beside
    },
    waiters,
    liveKey: mine.live.key,
    testKey: mine.test.key,
    strangerKey: stranger.live.key,
    post: (path, body, headers = {}) =>
      app.inject({
        method: 'POST',
        url: path,
        headers: { ...bearer, 'content-type': 'application/json', ...headers },
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    get: (path, headers = {}) =>
      app.inject({ method: 'GET', url: path, headers: { ...bearer, ...headers } }),
  }
}
