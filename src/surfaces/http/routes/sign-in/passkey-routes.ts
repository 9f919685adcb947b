import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import { Attempts } from '../../../../auth/attempts.ts'
import { PASSKEY_LIMITS } from '../../../../auth/passkey-challenge.ts'
import { readPasskeySite, type PasskeySite } from '../../../../auth/passkey-site.ts'
import { requireRecentOperator } from '../../../../auth/records/recent-sign-in.ts'
import { addPasskey, createPasskeyOptions } from '../../../../auth/passkeys.ts'
import { createSignInOptions, signInByPasskey } from '../../../../auth/sign-in-by-passkey.ts'
import { requires } from '../../guards/requires.ts'
import { fieldOf } from '../visitor/forms.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { startSession } from './start-session.ts'
import { findSignedIn, type SignedInPerson } from './find-signed-in.ts'

// Larger than any credential with an RSA key.
const BODY_LIMIT_BYTES = 16 * 1024

/** The JSON routes of the passkey script. */
export function passkeyRoutes(app: FastifyInstance, pages: PageDeps): void {
  const { database, now, site } = pages
  const context = { database, now }
  const attempts = new Attempts(PASSKEY_LIMITS, now)
  const options = { bodyLimit: BODY_LIMIT_BYTES }

  app.post(
    '/sign-in/passkey/options',
    { ...options, ...requires('public') },
    async (request, reply) => {
      const passkeys = begin(request)
      attempts.count({ address: request.ip })
      return reply
        .header('cache-control', 'no-store')
        .send({ ok: true, options: await createSignInOptions(context, passkeys) })
    },
  )

  app.post('/sign-in/passkey', { ...options, ...requires('public') }, async (request, reply) => {
    const passkeys = begin(request)
    startSession(reply, pages, await signInByPasskey(context, passkeys, credentialOf(request)))
    return { ok: true }
  })

  app.post(
    '/account/passkeys/options',
    { ...options, ...requires('member') },
    async (request, reply) => {
      const passkeys = begin(request)
      const person = await requireSignedIn(request)
      attempts.count({ address: request.ip })
      return reply
        .header('cache-control', 'no-store')
        .send({ ok: true, options: await createPasskeyOptions(context, passkeys, person) })
    },
  )

  app.post('/account/passkeys', { ...options, ...requires('member') }, async (request) => {
    const passkeys = begin(request)
    const { personId } = await requireSignedIn(request)
    await addPasskey(context, passkeys, personId, {
      label: fieldOf(request.body, 'label'),
      credential: credentialOf(request),
    })
    return { ok: true }
  })

  function begin(request: FastifyRequest): PasskeySite {
    requireOwnForm(request, site.publicUrl)
    const passkeys = readPasskeySite(site.publicUrl)
    if (passkeys === null)
      throw new AppError(
        'bad_request',
        'Passkeys are not available at the address of this gateway.',
        { fix: 'Sign in with another method.' },
      )
    return passkeys
  }

  async function requireSignedIn(request: FastifyRequest): Promise<SignedInPerson> {
    const person = await findSignedIn(pages, request)
    if (person === null)
      throw new AppError('sign_in_refused', 'Your session has expired.', {
        fix: 'Open /sign-in and sign in with your email address.',
      })
    // A passkey signs in later, so a stolen old session must not add one.
    await requireRecentOperator(context, person)
    return person
  }
}

function credentialOf({ body }: FastifyRequest): unknown {
  return (body as { credential?: unknown } | null | undefined)?.credential
}
