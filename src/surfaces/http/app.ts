import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { browserDepsOf } from '../../calls/ways/browser-time.ts'
import { wholeCents } from '../../lib/money.ts'
import { openHistories, type Histories } from '../../history/histories.ts'
import { createBodyLog } from '../../history/bodies/body-log.ts'
import { createCallWatch } from '../../history/calls/watch-calls.ts'
import { createCallLog, type CallLog } from '../../history/log/call-log.ts'
import { mcpRoutes } from '../mcp/mcp-routes.ts'
import { challengeOf, preflightRoutes, protectedResourceRoutes } from '../mcp/protected-resource.ts'
import { actionRoutes } from '../router/action-routes.ts'
import { pricingRoute, routerRoutes } from '../router/router-routes.ts'
import { resourceOf } from '../../auth/oauth/authorization-server.ts'
import { createMakerWatch } from '../../resources/makers/maker-watch.ts'
import { createInviteDeps } from '../../auth/members/invite-deps.ts'
import type { AppDeps } from './app-deps.ts'
import { limitRejectedBodies } from './bodies/limit-rejected-bodies.ts'
import { rejectCassette } from './cassette-of.ts'
import { BODY_LIMIT_BYTES, createServer } from './create-server.ts'
import type { HotRoutes } from './direct/hot-routes.ts'
import { limitRate } from './guards/rate-limit.ts'
import { requireCaller } from './guards/require-caller.ts'
import { createCallLogger, readCallLog, type CallLogger } from './log-calls.ts'
import { notFound } from './not-found.ts'
import { pagesPlugin } from './pages-plugin.ts'
import type { Guard } from './route-objects.ts'
import { accountRoutes } from './routes/account/account-routes.ts'
import { cardRoutes } from './routes/account/card-routes.ts'
import { requireKeyOrSession } from './routes/account/key-or-session.ts'
import { agentRoutes } from './routes/agents/agent-routes.ts'
import { changeRoutes } from './routes/audit/change-routes.ts'
import { nameAuthors } from './routes/audit/name-authors.ts'
import { cassetteRoutes } from './routes/cassettes/cassette-routes.ts'
import { inboxRoutes } from './routes/inboxes/inbox-routes.ts'
import { eventRoutes, type EventRouteDeps } from './routes/events/event-routes.ts'
import { webhookRoutes } from './routes/events/webhook-routes.ts'
import { liveViewRoutes } from './routes/browsers/live-view-routes.ts'
import { browserRoutes } from './routes/browsers/browser-routes.ts'
import { callRoutes } from './routes/calls/call-routes.ts'
import { fetchRoute } from './routes/fetch/fetch-route.ts'
import { fileRoutes } from './routes/files/file-routes.ts'
import { gitRoutes } from './routes/git/git-routes.ts'
import { repositoryRoutes } from './routes/git/repository-routes.ts'
import { healthRoutes } from './routes/health/health-routes.ts'
import { memberRoutes } from './routes/team/member-routes.ts'
import { keyRoutes } from './routes/openrouter/key-routes.ts'
import { publishedOf } from './routes/public/public-deps.ts'
import { playgroundRoutes } from './routes/playground/playground-routes.ts'
import { oauthRoutes } from './routes/oauth/oauth-routes.ts'
import { runRoute } from './routes/run/run-route.ts'
import { sellRoute } from './routes/sell/sell-route.ts'

// Sums and filters read the whole history of an account.
const HISTORY_TIMEOUT_MS = 15_000
// Between two reads of a request that waits for events.
const PAUSE_BETWEEN_READS_MS = 250

type LoggedDeps = AppDeps & {
  readonly histories: Histories
  readonly callLog: CallLog
  readonly callLogger: CallLogger
  readonly rejectOverload: Guard
}

/** Creates the HTTP server of a gateway, with all routes. It does not listen yet. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { calls, cards, metrics, router, selling } = deps
  const { app, hot, routes, slowUploads, requestMs, rejectOverload } = createServer(deps)
  const histories = openHistories(calls.database.withDeadline(HISTORY_TIMEOUT_MS))
  const countRequest = limitRate({
    perMinute: deps.rateLimitPerMinute,
    now: calls.now,
    database: calls.database,
  })

  const bodies = createBodyLog({ database: calls.database, now: calls.now })
  const callLog = createCallLog({
    alsoWrite: bodies.flush,
    database: calls.database,
    now: calls.now,
    onFailure: (error) => app.log.warn({ err: error }, 'the call log could not be written'),
  })
  app.addHook('onClose', () => callLog.close())
  const callWatch = createCallWatch({ database: calls.database, now: calls.now })
  app.addHook('preClose', async () => callWatch.close())
  const invites = createInviteDeps({
    database: calls.database,
    now: calls.now,
    publicUrl: publishedOf(deps.published).publicUrl,
    mailer: deps.people.mailer,
  })
  const logged = {
    ...deps,
    histories,
    callLog,
    callLogger: createCallLogger({ log: callLog, bodies }, calls.now),
    rejectOverload,
  }

  // The import stays lazy, because most gateways have no /metrics.
  if (metrics !== undefined)
    (await import('./routes/metrics/metrics-route.ts')).metricsRoute(
      app,
      { ...metrics, readings: [...metrics.readings, readCallLog(callLog)] },
      (failed) => hot.onError(app, failed),
    )
  await app.register(healthRoutes, { database: calls.database, ownActions: deps.ownActions })
  const makers = createMakerWatch({ database: calls.database, now: calls.now })
  app.addHook('onClose', async () => makers.close())
  await app.register(fileRoutes, { files: deps.files, makers, idleMs: requestMs, slowUploads })
  if (deps.git !== undefined)
    await app.register(gitRoutes, { git: deps.git, makers, idleMs: requestMs, slowUploads })
  if (deps.browsers !== undefined)
    await app.register(browserRoutes, { browsers: deps.browsers, busySockets: slowUploads })
  await app.register(pagesPlugin, { deps, histories, callLog, callWatch, invites })
  if (router !== undefined) await app.register(pricingRoute, { router })
  await registerMcp(app, logged, countRequest)
  await app.register(async (paid) => registerPaidRoutes(paid, hot, logged, countRequest))
  await app.register(playgroundRoutes, {
    calls,
    callLogger: logged.callLogger,
    rejectOverload,
    histories,
    router,
    publicUrl: publishedOf(deps.published).publicUrl,
    countRequest,
    bodyLimitBytes: BODY_LIMIT_BYTES,
  })
  await app.register(async (own) => {
    const identify = requireKeyOrSession({
      authenticator: deps.authenticator,
      database: calls.database,
      now: calls.now,
      publicUrl: publishedOf(deps.published).publicUrl,
    })
    own.addHook('onRequest', identify)
    own.addHook('onRequest', countRequest)
    nameAuthors(own)
    changeRoutes(own, { database: calls.database, validator: calls.validator })
    memberRoutes(own, { invites, keys: deps.keys, validator: calls.validator })
    const recheck = promisify(identify)
    callRoutes(own, { histories, callLog, callWatch, recheck, validator: calls.validator })
    liveViewRoutes(own, { browsers: browserDepsOf(calls), authenticate: recheck })
    repositoryRoutes(own, deps.git)
    cassetteRoutes(own, {
      database: calls.database,
      now: calls.now,
      validator: calls.validator,
    })
    inboxRoutes(own, { database: calls.database, now: calls.now, validator: calls.validator })
    await own.register(agentRoutes, {
      keys: deps.keys,
      validator: calls.validator,
      catalog: calls.catalog,
    })
    await own.register(accountRoutes, {
      database: calls.database,
      histories,
      now: calls.now,
      validator: calls.validator,
    })
    await registerEvents(own, deps, recheck)
  })
  if (cards !== undefined)
    await app.register(cardRoutes, { database: calls.database, now: calls.now, cards })
  if (selling !== undefined)
    await app.register(async (paid) =>
      sellRoute(paid, { calls, selling, bodyLimitBytes: BODY_LIMIT_BYTES }),
    )
  await app.register(notFound, { routes, publicUrl: deps.published.publicUrl })
  return app
}

async function registerEvents(
  own: FastifyInstance,
  { calls: { database, validator }, events }: AppDeps,
  recheck: EventRouteDeps['recheck'],
): Promise<void> {
  const { webhooks, waiters } = events
  const reading = { database, waiters, pause: () => delay(PAUSE_BETWEEN_READS_MS) }
  await own.register(eventRoutes, { database, reading, recheck, validator })
  await own.register(webhookRoutes, { webhooks, validator })
}

async function registerMcp(
  app: FastifyInstance,
  {
    calls,
    callLogger,
    authenticator,
    published,
    sessions,
    keys,
    files,
    mcpConfirmAboveCents = 0,
    rejectOverload,
  }: LoggedDeps,
  countRequest: Guard,
): Promise<void> {
  const { publicUrl } = publishedOf(published)
  await app.register(protectedResourceRoutes, { publicUrl })
  await app.register(preflightRoutes, { publicUrl })
  await app.register(oauthRoutes, {
    database: calls.database,
    now: calls.now,
    keys,
    publicUrl,
  })
  await app.register(mcpRoutes, {
    calls,
    callLogger,
    published: publishedOf(published),
    sessions,
    keys,
    files,
    confirmAbove: mcpConfirmAboveCents === 0 ? null : wholeCents(mcpConfirmAboveCents),
    guards: [
      rejectOverload,
      requireCaller(authenticator, challengeOf(publicUrl), resourceOf(publicUrl)),
      countRequest,
      rejectCassette,
    ],
    bodyLimitBytes: BODY_LIMIT_BYTES,
  })
}

async function registerPaidRoutes(
  paid: FastifyInstance,
  hot: HotRoutes,
  {
    calls,
    callLogger,
    files,
    authenticator,
    fetching,
    router,
    rateLimitPerMinute,
    histories,
    rejectOverload,
  }: LoggedDeps,
  countRequest: Guard,
): Promise<void> {
  hot.guard(paid, rejectOverload)
  hot.guard(paid, requireCaller(authenticator))
  hot.guard(paid, countRequest)
  // The bodies of hot routes are small.
  limitRejectedBodies(paid, calls.now)
  hot.onError(paid, callLogger.failed)
  if (router !== undefined) await paid.register(routerRoutes, { router, callLogger })
  await paid.register(actionRoutes, { calls, callLogger, files })
  await paid.register(keyRoutes, {
    database: calls.database,
    now: calls.now,
    histories,
    validator: calls.validator,
    ratePerMinute: rateLimitPerMinute,
  })
  fetchRoute(paid, { calls, callLogger, fetching })
  runRoute(paid, { calls, callLogger, bodyLimitBytes: BODY_LIMIT_BYTES })
}
