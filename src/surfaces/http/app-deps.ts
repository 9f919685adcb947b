import type { OwnActions } from './routes/health/health-routes.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { CardDesk } from '../../accounts/card-desk.ts'
import type { AuthServices } from '../../auth/auth-services.ts'
import type { ClientDocuments } from '../../auth/oauth/client-documents.ts'
import type { EventWaiters } from '../../events/event-waiters.ts'
import type { WebhookDeps } from '../../events/webhooks/webhook-deps.ts'
import type { FetchDeps } from '../../calls/fetch/fetch-and-pay.ts'
import type { Calls } from '../../calls/call.ts'
import type { Selling } from '../../calls/selling/sell-call.ts'
import type { Authenticator } from '../../keys/authenticate.ts'
import type { KeyDeps } from '../../keys/key-deps.ts'
import type { Id } from '../../lib/ids.ts'
import type { Router } from '../../llm/ask/create-router.ts'
import type { FileDeps } from '../../resources/files/file-deps.ts'
import type { OperateDeps } from '../../operate/operate-deps.ts'
import type { OwnBrowsers } from '../../resources/browsers/in-house/own-browsers.ts'
import type { GitDeps } from '../../resources/git/git-deps.ts'
import type { SessionDrivers } from '../../resources/sessions/session-driver.ts'
import type { ClientLimits } from './connections/client-limits.ts'
import type { MetricsDeps } from './routes/metrics/metrics-route.ts'
import type { PublicDeps } from './routes/public/public-deps.ts'

/** The services behind the routes. The gateway does not register the routes of an absent optional service. */
export type AppDeps = {
  readonly calls: Calls
  readonly authenticator: Authenticator
  readonly keys: KeyDeps
  readonly published: PublicDeps
  readonly files: FileDeps
  readonly sessions: SessionDrivers
  /** Events and webhooks. */
  readonly events: { readonly webhooks: WebhookDeps; readonly waiters: EventWaiters }
  /** Sends the requests of POST /api/fetch. */
  readonly fetching: FetchDeps
  /** Reads the metadata of OAuth clients. */
  readonly clientDocuments: ClientDocuments
  /** Sells calls to callers without a key. */
  readonly selling?: Selling
  /** Sells credit by card. Without it only the operator adds credit. */
  readonly cards?: CardDesk
  /** Signs people in to the pages. */
  readonly people: AuthServices
  /** Networks whose X-Forwarded-For header sets `request.ip`. None by default. */
  readonly trustedProxies?: readonly string[]
  readonly rateLimitPerMinute: number
  /** Days for which calls without a charge are logged. CALL_LOG_DAYS by default. */
  readonly callLogDays?: number
  /** Calls over MCP that may cost more ask the person first, if the client can. 0, the default, asks never. */
  readonly mcpConfirmAboveCents?: number
  /** The language-model router. */
  readonly router?: Router
  /** In-house repositories. */
  readonly git?: GitDeps
  /** In-house browser sessions. */
  readonly browsers?: OwnBrowsers
  /** The vendors and settings of the operator console. */
  readonly operate?: OperateDeps
  /** Figures for GET /metrics. */
  readonly metrics?: MetricsDeps
  /** Creates the ids of requests and calls. Ids from `lease.newCallId` name the lease of their process. */
  readonly newCallId?: () => Id
  /** For /readyz. */
  readonly ownActions?: () => OwnActions
  readonly logger: FastifyBaseLogger
  /** CLIENT_LIMITS by default. */
  readonly clientLimits?: ClientLimits
  /** Limit for the large bodies of all requests in progress, together. 512 MiB by default. */
  readonly mostBodyBytes?: number
  /** Bodies of at most this size do not count towards `mostBodyBytes`. */
  readonly uncountedBodyBytes?: number
  /** Most connections at the same time. Unlimited by default. */
  readonly mostConnections?: number
}
