import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { openPersonSession, type PersonSession } from './records/browser-session.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import { lockPerson } from './lock-person.ts'
import type { AuthDeps } from './auth-deps.ts'
import {
  createPasskeyChallenge,
  PASSKEY_SECONDS,
  takePasskeyChallenge,
  type PasskeyUse,
} from './passkey-challenge.ts'
import type { PasskeySite } from './passkey-site.ts'

const USE: PasskeyUse = { purpose: 'sign_in_by_passkey', ownerId: null }

const BASE64URL = /^[\w-]+$/

type Passkey = { credential_id: string; person_id: Id; public_key: Buffer; counter: bigint }

/** The options with which a browser signs in. The user chooses the passkey, and so the person. */
export async function createSignInOptions(
  deps: AuthDeps,
  { rpId }: PasskeySite,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return {
    challenge: await createPasskeyChallenge(deps, USE),
    rpId,
    userVerification: 'preferred',
    timeout: PASSKEY_SECONDS * 1000,
  }
}

/**
 * Signs the holder of a passkey in. `credential` is the result of the browser's `toJSON`, not
 * validated yet. Throws AppError sign_in_refused.
 */
export async function signInByPasskey(
  deps: AuthDeps,
  site: PasskeySite,
  credential: unknown,
): Promise<PersonSession> {
  const { database, now } = deps
  const id: unknown = (credential as Partial<AuthenticationResponseJSON> | null | undefined)?.id
  const { rows } = await database.query<Passkey>(
    'select credential_id, person_id, public_key, counter from passkeys where credential_id = $1',
    [typeof id === 'string' && BASE64URL.test(id) ? id : null],
  )
  const [passkey] = rows
  if (passkey === undefined) throw refused()
  const counter = await verifyResponse(
    deps,
    site,
    passkey,
    credential as AuthenticationResponseJSON,
  )
  return database.transaction(async (tx) => {
    await lockPerson(tx, passkey.person_id)
    // A repeated counter means a copied passkey. A passkey may also have been removed meanwhile.
    const { count } = await tx.query(
      'update passkeys set counter = $2, last_used_at = $3 where credential_id = $1 and (counter < $2 or (counter = 0 and $2 = 0))',
      [passkey.credential_id, counter, new Date(now())],
    )
    if (count === 0) throw refused()
    return openPersonSession({ database: tx, now }, passkey.person_id)
  })
}

/** Verifies the response and returns the passkey's use counter. */
async function verifyResponse(
  deps: AuthDeps,
  { origin, rpId }: PasskeySite,
  passkey: Passkey,
  response: AuthenticationResponseJSON,
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => takePasskeyChallenge(deps, USE, challenge),
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
      },
      requireUserVerification: false,
    })
    const isHolders =
      Buffer.from(response.response.userHandle ?? '', 'base64url').toString('hex') ===
      passkey.person_id
    if (verified && isHolders) return authenticationInfo.newCounter
  } catch (error) {
    throw error instanceof AppError ? error : refused(error)
  }
  throw refused()
}

function refused(cause?: unknown): AppError {
  return new AppError(
    'sign_in_refused',
    'This passkey is unknown, or the response came too late.',
    {
      fix: 'Try again, or sign in another way. If you removed this passkey from your account, delete it on your device as well.',
      cause,
    },
  )
}
