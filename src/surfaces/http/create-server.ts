import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import type { AppDeps } from './app-deps.ts'
import { acceptJsonBodies } from './bodies/json-body.ts'
import { limitLargeBodies } from './bodies/limit-large-bodies.ts'
import { collapseSlashes } from './collapse-slashes.ts'
import { answerClientErrors } from './connections/client-error.ts'
import { CLIENT_LIMITS } from './connections/client-limits.ts'
import { closeOnStop } from './connections/close-on-stop.ts'
import { dropStalledClients } from './connections/drop-stalled-clients.ts'
import { limitConnections } from './connections/limit-connections.ts'
import { KEEP_ALIVE_SECONDS } from './direct/direct-response.ts'
import { createCallStarts } from './direct/call-starts.ts'
import { groupCallers } from './direct/group-callers.ts'
import { HotRoutes } from './direct/hot-routes.ts'
import { serveDirectly } from './direct/serve-directly.ts'
import { createClientAddress } from './guards/client-address.ts'
import { forbidSniffing } from './guards/forbid-sniffing.ts'
import { removeForwardedPorts } from './guards/forwarded-addresses.ts'
import { rejectOverload } from './guards/reject-overload.ts'
import { rejectWhileStopping } from './guards/reject-while-stopping.ts'
import { requireOneHost } from './guards/require-one-host.ts'
import { recordRoutes, type KnownRoutes } from './record-routes.ts'
import { renderError } from './render-error.ts'
import { isBrowserSocket } from './routes/browsers/browser-sockets.ts'
import { purchaseUrl } from './routes/sell/sell-route.ts'
import { serverOptions } from './server-options.ts'

export const BODY_LIMIT_BYTES = 1024 * 1024
const MOST_BODY_BYTES = 512 * 1024 * 1024
const LONGEST_URL_PART = 2_048
const DIRECT_ADDRESSES = [
  '/api/run/',
  '/api/llm/v1/chat/completions',
  '/api/llm/v1/completions',
  '/api/llm/v1/messages',
  '/api/llm/v1/responses',
]

type CreatedServer = {
  readonly app: FastifyInstance
  /** Routes that are also served without Fastify. */
  readonly hot: HotRoutes
  readonly routes: KnownRoutes
  /** Connections whose request may arrive slowly. Their routes enforce a timeout of their own. */
  readonly slowUploads: WeakSet<Socket>
  /** How long a client may take to send its whole request. */
  readonly requestMs: number
  /** The hook of every route whose calls cost work. */
  readonly rejectOverload: ReturnType<typeof rejectOverload>
}

/** Creates a server without routes, with the hooks and limits that apply to every route. */
export function createServer(deps: AppDeps): CreatedServer {
  const { calls, clientLimits: limits = CLIENT_LIMITS, selling, trustedProxies = [] } = deps
  const slowUploads = new WeakSet<Socket>()
  // Runs before anything reads `request.ip`.
  const rewriteUrl = (request: IncomingMessage): string => {
    if (trustedProxies.length > 0) removeForwardedPorts(request)
    return selling === undefined ? collapseSlashes(request.url ?? '/') : purchaseUrl(request)
  }
  const options = serverOptions(deps.logger, calls.now, deps.newCallId)
  const app = Fastify({
    rewriteUrl,
    ...options,
    ...(trustedProxies.length === 0 ? {} : { trustProxy: [...trustedProxies] }),
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: LONGEST_URL_PART, ignoreTrailingSlash: true },
    return503OnClosing: false,
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      // `requireOneHost` rejects such requests with an error envelope.
      requireHostHeader: false,
      ...(deps.browsers === undefined ? {} : { shouldUpgradeCallback: isBrowserSocket }),
    },
    requestTimeout: limits.requestMs,
    keepAliveTimeout: KEEP_ALIVE_SECONDS * 1000,
    clientErrorHandler: answerClientErrors(calls.now, slowUploads),
  })
  const addressOf = createClientAddress(trustedProxies)
  const hot = new HotRoutes(app, { newId: options.genReqId, ipOf: addressOf })
  hot.guard(app, forbidSniffing)
  const routes = recordRoutes(app)
  limitLargeBodies(app, {
    mostBytes: deps.mostBodyBytes ?? MOST_BODY_BYTES,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    uncountedBytes: deps.uncountedBodyBytes,
  })
  app.setErrorHandler(renderError)
  app.decorateRequest('caller')
  requireOneHost(app)
  hot.guard(app, rejectWhileStopping(app))
  dropStalledClients(app.server, limits.stalledMs)
  const starts = createCallStarts({ load: calls.ledger.load })
  const groupOf = groupCallers(deps.authenticator, addressOf)
  const direct = serveDirectly(app.server, {
    addresses: DIRECT_ADDRESSES,
    now: calls.now,
    starts,
    groupOf,
    limits,
  })
  const connections = closeOnStop(app, slowUploads, direct)
  if (deps.mostConnections !== undefined)
    hot.guard(app, limitConnections(app, { most: deps.mostConnections, connections }))
  acceptJsonBodies(app)
  return {
    app,
    hot,
    routes,
    slowUploads,
    requestMs: limits.requestMs,
    rejectOverload: rejectOverload({ starts, groupOf }),
  }
}
