import type { Socket } from 'node:net'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { CardDesk } from '../../accounts/card-desk.ts'
import { openHistories } from '../../history/histories.ts'
import type { Fetching } from '../../calls/fetch/paid-fetch.ts'
import type { Calls } from '../../calls/call.ts'
import type { Selling } from '../../calls/selling/sell-call.ts'
import type { Authenticator } from '../../keys/authenticate.ts'
import type { KeyContext } from '../../keys/context.ts'
import type { PeopleParts } from '../../auth/parts.ts'
import type { FileContext } from '../../resources/files/context.ts'
import type { SessionDrivers } from '../../resources/sessions/session-driver.ts'
import { requireCaller } from './auth.ts'
import { boundBodies } from './bound-bodies.ts'
import { boundConnections } from './bound-connections.ts'
import { boundRejectedBodies } from './bound-rejected-bodies.ts'
import { answerClientErrors } from './client-error.ts'
import { KEEP_ALIVE_SECONDS } from './direct/direct-response.ts'
import { serveDirectly } from './direct/serve-directly.ts'
import { dropUnread } from './drop-unread.ts'
import { endConnections } from './end-connections.ts'
import { forbidSniffing } from './forbid-sniffing.ts'
import { acceptJsonBodies } from './json-body.ts'
import { knownRoutes } from './known-routes.ts'
import { notFound } from './not-found.ts'
import { limitRate } from './rate-limit.ts'
import { refuseUnclearHost } from './refuse-unclear-host.ts'
import { refuseWhileStopping } from './refuse-while-stopping.ts'
import { renderError } from './render-error.ts'
import { accountRoutes } from './routes/account/account-routes.ts'
import { balancePageRoutes } from './routes/account/balance-page-routes.ts'
import { cardRoutes } from './routes/account/card-routes.ts'
import { requireKeyOrSession } from './routes/account/key-or-session.ts'
import { agentRoutes } from './routes/agents/agent-routes.ts'
import { fetchRoute } from './routes/fetch/fetch-route.ts'
import { fileRoutes } from './routes/files/file-routes.ts'
import { healthRoutes } from './routes/health.ts'
import { keyPageRoutes } from './routes/keys/key-page-routes.ts'
import type { MetricsParts } from './routes/metrics/metrics-route.ts'
import { peopleRoutes } from './routes/people/people-routes.ts'
import { publishedOf, type PublicOptions } from './routes/public/public-options.ts'
import { publicRoutes } from './routes/public/public-routes.ts'
import type { Id } from '../../lib/ids.ts'
import type { Router } from '../../llm/ask/create-router.ts'
import { mcpRoutes } from '../mcp/mcp-routes.ts'
import { metadataUrl, protectedResourceRoutes } from '../mcp/protected-resource.ts'
import { pricingRoute, routerRoutes } from '../router/router-routes.ts'
import { purchaseUrl, sellRoute } from './routes/sell/sell-route.ts'
import { runRoute } from './routes/run/run.ts'
import { showErrors } from './routes/visitor/error-page.ts'
import { acceptForms } from './routes/visitor/forms.ts'
import { openPageParts } from './routes/visitor/page-parts.ts'
import { rejectOverload } from './reject-overload.ts'
import { serverSettings } from './server-settings.ts'

export type AppParts = {
  readonly calls: Calls
  readonly authenticator: Authenticator
  readonly keys: KeyContext
  readonly published: PublicOptions
  readonly files: FileContext
  readonly sessions: SessionDrivers
  /** The way out of POST /api/fetch. */
  readonly fetching: Fetching
  /** Calls are sold to callers without a key; left out: they are not. */
  readonly selling?: Selling
  /** Sells credit by card; left out: the operator alone adds credit. */
  readonly cards?: CardDesk
  /** How people sign in to the pages. */
  readonly people: PeopleParts
  /** Networks whose X-Forwarded-For tells where a request comes from, by `request.ip` alone; left out: none. */
  readonly trustedProxies?: readonly string[]
  readonly rateLimitPerMinute: number
  /** The language-model router; without it its addresses are not there. */
  readonly router?: Router
  /** GET /metrics; left out: there is none. */
  readonly metrics?: MetricsParts
  /** Ids of requests, and so of calls, that name the lease of their process; left out: plain ones. */
  readonly newCallId?: () => Id
  readonly logger: FastifyBaseLogger
  /** CLIENT_LIMITS when left out. */
  readonly clientLimits?: ClientLimits
  /** How much the large bodies of all requests in progress may come to; MOST_BODY_BYTES when left out. */
  readonly mostBodyBytes?: number
  /** Bodies up to this do not count; as `boundBodies` has it when left out. */
  readonly uncountedBodyBytes?: number
  /** How many connections are served at once; left out: as many as come. */
  readonly mostConnections?: number
}

/**
 * How long a client may take to send its headers, and its whole request; those past it are found every `checkEveryMs`.
 * And how long it may take nothing of an answer that lies ready for it.
 */
export type ClientLimits = {
  readonly headersMs: number
  readonly requestMs: number
  readonly checkEveryMs: number
  readonly stalledMs: number
}
export const CLIENT_LIMITS: ClientLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkEveryMs: 2_000,
  stalledMs: 120_000,
}

const BODY_LIMIT_BYTES = 1024 * 1024
const MOST_BODY_BYTES = 512 * 1024 * 1024
const LONGEST_URL_PART = 2_048
// Sums and filters run over all that an account ever did.
const HISTORY_WITHIN_MS = 15_000
const DIRECT_ADDRESSES = ['/api/run/', '/api/llm/v1/chat/completions']

/** The HTTP surface: plugins in order, then routes. Whatever a route does is a verb of another folder. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const {
    calls,
    published,
    clientLimits: limits = CLIENT_LIMITS,
    mostBodyBytes: mostBytes = MOST_BODY_BYTES,
  } = parts
  const unhurried = new WeakSet<Socket>()
  const { selling, cards, metrics, trustedProxies = [] } = parts
  const app = Fastify({
    ...(selling === undefined ? {} : { rewriteUrl: purchaseUrl }),
    ...serverSettings(parts.logger, calls.now, parts.newCallId),
    ...(trustedProxies.length === 0 ? {} : { trustProxy: [...trustedProxies] }),
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: LONGEST_URL_PART, ignoreTrailingSlash: true },
    return503OnClosing: false,
    // Refused in the form of every other error, see below.
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      requireHostHeader: false,
    },
    requestTimeout: limits.requestMs,
    keepAliveTimeout: KEEP_ALIVE_SECONDS * 1000,
    clientErrorHandler: answerClientErrors(calls.now, unhurried),
  })
  forbidSniffing(app)
  const routes = knownRoutes(app)
  const histories = openHistories(calls.database.withDeadline(HISTORY_WITHIN_MS))
  boundBodies(app, {
    mostBytes,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    uncountedBytes: parts.uncountedBodyBytes,
  })
  app.setErrorHandler(renderError)
  app.decorateRequest('caller')
  refuseUnclearHost(app)
  refuseWhileStopping(app)
  dropUnread(app.server, limits.stalledMs)
  const direct = serveDirectly(app.server, {
    addresses: DIRECT_ADDRESSES,
    now: calls.now,
    load: calls.ledger.load,
    limits,
  })
  const connections = endConnections(app, unhurried, direct)
  if (parts.mostConnections !== undefined)
    boundConnections(app, { most: parts.mostConnections, connections })
  acceptJsonBodies(app)

  // Loaded only where it is wanted.
  if (metrics !== undefined)
    (await import('./routes/metrics/metrics-route.ts')).metricsRoute(app, metrics)
  await app.register(healthRoutes, { database: calls.database })
  await app.register(fileRoutes, { files: parts.files, idleMs: limits.requestMs, unhurried })
  await app.register(async (pages) => {
    await pages.register(helmet, {
      contentSecurityPolicy: { useDefaults: false, directives: CONTENT_SECURITY_POLICY },
      hsts: published.publicUrl.startsWith('https:'),
    })
    await pages.register(publicRoutes, published)
    const shared = await openPageParts({
      database: calls.database,
      now: calls.now,
      publicUrl: published.publicUrl,
    })
    const { people } = parts
    const ways = {
      signUp: people.signUp && people.mailer !== null,
      mail: people.mailer !== null,
      provider: people.provider?.name ?? null,
    }
    await pages.register(async (own) => {
      showErrors(own, shared.site)
      acceptForms(own)
      await own.register(peopleRoutes, { parts: shared, people, ways })
      await own.register(balancePageRoutes, {
        parts: shared,
        histories,
        ways,
        validator: calls.validator,
        catalog: calls.catalog,
        authenticator: parts.authenticator,
        ...(cards === undefined ? {} : { cards }),
      })
      await own.register(keyPageRoutes, {
        parts: shared,
        ways,
        keys: parts.keys,
        validator: calls.validator,
      })
    })
  })
  if (parts.router !== undefined) await app.register(pricingRoute, { router: parts.router })
  const countRequest = limitRate({ perMinute: parts.rateLimitPerMinute, now: calls.now })
  const { publicUrl } = publishedOf(published)
  await app.register(protectedResourceRoutes, { publicUrl })
  await app.register(mcpRoutes, {
    calls,
    published: publishedOf(published),
    sessions: parts.sessions,
    guards: [
      rejectOverload(calls.ledger.load),
      requireCaller(parts.authenticator, [`resource_metadata="${metadataUrl(publicUrl)}"`]),
      countRequest,
    ],
    bodyLimitBytes: BODY_LIMIT_BYTES,
  })
  await app.register(async (paid) => {
    paid.addHook('onRequest', rejectOverload(calls.ledger.load))
    paid.addHook('onRequest', requireCaller(parts.authenticator))
    paid.addHook('onRequest', countRequest)
    boundRejectedBodies(paid, calls.now)
    if (parts.router !== undefined) await paid.register(routerRoutes, { router: parts.router })
    fetchRoute(paid, { calls, fetching: parts.fetching })
    runRoute(paid, { calls, bodyLimitBytes: BODY_LIMIT_BYTES })
  })
  await app.register(async (own) => {
    own.addHook(
      'onRequest',
      requireKeyOrSession({
        authenticator: parts.authenticator,
        database: calls.database,
        now: calls.now,
        publicUrl,
      }),
    )
    own.addHook('onRequest', countRequest)
    await own.register(agentRoutes, { keys: parts.keys, validator: calls.validator })
    await own.register(accountRoutes, {
      database: calls.database,
      histories,
      now: calls.now,
      validator: calls.validator,
    })
  })

  if (cards !== undefined)
    await app.register(cardRoutes, { database: calls.database, now: calls.now, cards })
  if (selling !== undefined)
    await app.register(async (paid) =>
      sellRoute(paid, { calls, selling, bodyLimitBytes: BODY_LIMIT_BYTES }),
    )

  await app.register(notFound, { routes, publicUrl: published.publicUrl })
  return app
}

const CONTENT_SECURITY_POLICY = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'object-src': ["'none'"],
}
