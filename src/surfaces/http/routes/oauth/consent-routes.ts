/** The pages on which people grant clients access: /oauth/authorize and its form. Requires `acceptForms`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Attempts } from '../../../../auth/attempts.ts'
import { readAuthorizationRequest } from '../../../../auth/oauth/authorization-request.ts'
import { offersOAuth } from '../../../../auth/oauth/authorization-server.ts'
import type { ClientDocuments } from '../../../../auth/oauth/client-documents.ts'
import { issueCode } from '../../../../auth/oauth/codes.ts'
import {
  CONSENT_LIMITS,
  openConsent,
  takeConsent,
  type Consenter,
  type PendingConsent,
} from '../../../../auth/oauth/consent.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { Catalog } from '../../../../catalog/index.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { signInPage, type SignInMethods } from '../sign-in/sign-in-page.ts'
import { fieldOf } from '../visitor/forms.ts'
import { LONGEST_AUTHORIZE_QUERY } from '../visitor/next-page.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { describeError, sendErrorPage, sendPage } from '../visitor/send-page.ts'
import {
  CONSENT_FIELD_NAMES,
  readConsent,
  readConsentValues,
  valuesOfRequest,
  type ConsentValues,
} from './consent-form.ts'
import { consentPage } from './consent-page.ts'
import { fieldErrors } from '../visitor/field-errors.ts'
import { refusedPage } from './refused-page.ts'
import { allowRedirect, redirectToClient } from './redirect-to-client.ts'
import { requires } from '../../guards/requires.ts'

export type ConsentRouteDeps = {
  readonly pages: PageDeps
  readonly methods: SignInMethods
  readonly catalog: Pick<Catalog, 'allActions'>
  readonly documents: ClientDocuments
}

const CONSENT_LIMIT_BYTES = 32 * 1024

/** A visitor who may decide about clients. */
type Decider = Visitor & Consenter

export function consentRoutes(
  app: FastifyInstance,
  { pages, methods, catalog, documents }: ConsentRouteDeps,
): void {
  const { database, now, site, findVisitor, cookie } = pages
  const { publicUrl } = site
  if (!offersOAuth(publicUrl)) return
  const attempts = new Attempts(CONSENT_LIMITS, now)

  app.get('/oauth/authorize', requires('keys.own'), async (request, reply) => {
    const query = new URLSearchParams(request.url.slice(request.url.indexOf('?') + 1))
    try {
      if (query.toString().length > LONGEST_AUTHORIZE_QUERY)
        throw new AppError('bad_request', 'The request of the client is too long.', {
          fix: 'Report this to the maker of the app that you want to connect.',
        })
      const visitor = await findVisitor(request)
      // Strangers cause no lookups and no requests to other servers.
      if (visitor === null)
        return sendPage(
          reply,
          200,
          signInPage(site, methods, { next: `/oauth/authorize?${query.toString()}` }),
        )
      const decider = requireDecider(request, visitor)
      attempts.count({ account: decider.caller.accountId })
      const read = await readAuthorizationRequest(
        { database, now, publicUrl, documents, account: decider.caller.accountId },
        query,
      )
      if ('refused' in read)
        return redirectToClient(reply, {
          ...read,
          fields: { error: read.refused.code, error_description: read.refused.message },
          issuer: publicUrl,
        })
      return await showConsent(reply, decider, read, valuesOfRequest(read.request))
    } catch (error) {
      return showRefusal(reply, error)
    }
  })

  app.get('/oauth/consent', requires('public'), (_request, reply) => reply.redirect('/keys', 303))

  app.post(
    '/oauth/consent',
    { bodyLimit: CONSENT_LIMIT_BYTES, ...requires('keys.own') },
    async (request, reply) => {
      try {
        requireOwnForm(request, publicUrl)
        const visitor = await findVisitor(request)
        const decider = visitor === null ? null : requireDecider(request, visitor)
        const pending =
          decider === null
            ? null
            : await takeConsent({ database, now }, decider, fieldOf(request.body, 'token'))
        if (decider === null || pending === null) throw expiredForm()
        return await decide(request, reply, decider, pending)
      } catch (error) {
        return showRefusal(reply, error)
      }
    },
  )

  async function decide(
    { body }: FastifyRequest,
    reply: FastifyReply,
    decider: Decider,
    pending: PendingConsent,
  ): Promise<FastifyReply> {
    const back = { ...pending.request, issuer: publicUrl }
    if (fieldOf(body, 'decision') !== 'allow')
      return redirectToClient(reply, { ...back, fields: { error: 'access_denied' } })
    const typed = readConsentValues(body)
    try {
      const consent = readConsent(typed, catalog.allActions(), now())
      const code = await issueCode(
        { database, now },
        { ...pending, consent, minter: decider.caller },
      )
      return redirectToClient(reply, { ...back, fields: { code } })
    } catch (error) {
      if (error instanceof AppError && error.spec.status === 400)
        return showConsent(reply, decider, pending, typed, error)
      throw error
    }
  }

  async function showConsent(
    reply: FastifyReply,
    decider: Decider,
    pending: PendingConsent,
    typed: ConsentValues,
    error?: AppError,
  ): Promise<FastifyReply> {
    const token = await openConsent({ database, now }, decider, pending)
    allowRedirect(reply, pending.request.redirectUri)
    const view = { pending, token, email: decider.email, typed }
    if (error === undefined) return sendPage(reply, 200, consentPage(site, view))
    const errors = fieldErrors(error, CONSENT_FIELD_NAMES)
    const isOfField = Object.keys(errors).length > 0
    const rejected = { ...view, errors, ...(isOfField ? {} : { problem: describeError(error) }) }
    return sendErrorPage(reply, error, consentPage(site, rejected))
  }

  /** Only the holder and the primary key may create keys. */
  function requireDecider(request: FastifyRequest, visitor: Visitor): Decider {
    if (!visitor.caller.primary)
      throw new AppError('key_cannot_mint_keys', 'This key cannot connect clients.', {
        fix: 'Sign out, then sign in with the email address of the account or with its primary key.',
      })
    return { ...visitor, session: cookie.read(request) ?? '' }
  }

  function showRefusal(reply: FastifyReply, error: unknown): FastifyReply {
    if (!(error instanceof AppError)) throw error
    return sendErrorPage(reply, error, refusedPage(site, describeError(error)))
  }
}

function expiredForm(): AppError {
  return new AppError('bad_request', 'This page has expired, or its form was already sent.', {
    fix: 'Start again in the app that you want to connect.',
  })
}
