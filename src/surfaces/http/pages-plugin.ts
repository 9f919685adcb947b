import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { browserDepsOf } from '../../calls/ways/browser-time.ts'
import type { Histories } from '../../history/histories.ts'
import type { CallWatch } from '../../history/calls/watch-calls.ts'
import type { CallLog } from '../../history/log/call-log.ts'
import { CALL_LOG_DAYS } from '../../history/log/log-partitions.ts'
import type { InviteDeps } from '../../auth/members/invite-deps.ts'
import type { AppDeps } from './app-deps.ts'
import { browserPageRoutes } from './routes/browsers/browser-page-routes.ts'
import { changesPageRoutes } from './routes/audit/changes-page-routes.ts'
import { nameAuthors } from './routes/audit/name-authors.ts'
import { balancePageRoutes } from './routes/home/balance-page-routes.ts'
import { callPageRoutes } from './routes/calls/call-page-routes.ts'
import { creditRoutes } from './routes/credit/credit-routes.ts'
import { keyPageRoutes } from './routes/keys/key-page-routes.ts'
import { consentRoutes } from './routes/oauth/consent-routes.ts'
import { pageHeaders } from './page-headers.ts'
import { publishedOf } from './routes/public/public-deps.ts'
import { publicRoutes } from './routes/public/public-routes.ts'
import { operateRoutes } from './routes/operate/operate-routes.ts'
import { signInRoutes } from './routes/sign-in/sign-in-routes.ts'
import { invitationRoutes } from './routes/team/invitation-routes.ts'
import { teamPageRoutes } from './routes/team/team-page-routes.ts'
import { createHealthReader } from '../../history/health-reader.ts'
import { statusRoutes } from './routes/status/status-routes.ts'
import { webhookPageRoutes } from './routes/webhooks/webhook-page-routes.ts'
import { showErrors } from './routes/visitor/error-page.ts'
import { acceptForms } from './routes/visitor/forms.ts'
import { createPageDeps } from './routes/visitor/page-deps.ts'

const STATUS_TIMEOUT_MS = 10_000

/** Registers the public documents and all pages, with their security headers. */
export async function pagesPlugin(
  app: FastifyInstance,
  {
    deps,
    histories,
    callLog,
    callWatch,
    invites,
  }: {
    readonly deps: AppDeps
    readonly histories: Histories
    readonly callLog: CallLog
    readonly callWatch: CallWatch
    readonly invites: InviteDeps
  },
): Promise<void> {
  const { calls, cards, people, published } = deps
  await app.register(helmet, pageHeaders(published.publicUrl))
  const readHealth = createHealthReader(calls.database.withDeadline(STATUS_TIMEOUT_MS), calls.now)
  await app.register(publicRoutes, {
    ...published,
    directory: deps.router?.directory,
    now: calls.now,
    readHealth,
  })
  const pages = await createPageDeps({
    database: calls.database,
    now: calls.now,
    publicUrl: published.publicUrl,
  })
  await app.register(statusRoutes, {
    readHealth,
    site: pages.site,
    published: publishedOf(published),
    routerIsLive: deps.router?.directory.isConfigured ?? false,
  })
  const methods = {
    signUp: people.signUp && people.mailer !== null,
    mail: people.mailer !== null,
    provider: people.provider?.name ?? null,
    issuer: people.provider?.issuer ?? null,
  }
  const { validator } = calls
  await app.register(async (own) => {
    showErrors(own, pages.site)
    acceptForms(own)
    nameAuthors(own)
    await own.register(signInRoutes, { pages, people, methods })
    await own.register(balancePageRoutes, {
      pages,
      histories,
      methods,
      validator,
      catalog: calls.catalog,
      authenticator: deps.authenticator,
      callLog,
      sellsCredit: cards !== undefined,
    })
    await own.register(creditRoutes, {
      pages,
      methods,
      webhooks: deps.events.webhooks,
      cards: cards ?? null,
    })
    await own.register(callPageRoutes, {
      pages,
      histories,
      callLog,
      callWatch,
      methods,
      validator,
      catalog: calls.catalog,
      days: deps.callLogDays ?? CALL_LOG_DAYS,
    })
    consentRoutes(own, { pages, methods, catalog: calls.catalog, documents: deps.clientDocuments })
    teamPageRoutes(own, { pages, methods, invites, keys: deps.keys, validator })
    invitationRoutes(own, { pages, people, methods })
    changesPageRoutes(own, { pages, methods })
    browserPageRoutes(own, {
      pages,
      methods,
      browsers: browserDepsOf(calls),
      files: deps.files,
    })
    await own.register(webhookPageRoutes, {
      pages,
      methods,
      webhooks: deps.events.webhooks,
      validator,
    })
    await own.register(operateRoutes, {
      pages,
      webhooks: deps.events.webhooks,
      operate: deps.operate,
    })
    await own.register(keyPageRoutes, {
      pages,
      methods,
      keys: deps.keys,
      validator,
      catalog: deps.calls.catalog,
    })
  })
}
