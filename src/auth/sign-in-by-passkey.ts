import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { openHolderSession } from './records/browser-session.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import type { AuthDeps } from './auth-deps.ts'
import {
  createPasskeyChallenge,
  PASSKEY_SECONDS,
  takePasskeyChallenge,
  type PasskeyUse,
} from './passkey-challenge.ts'
import type { PasskeySite } from './passkey-site.ts'
import type { HolderSession } from './holder-session.ts'

const USE: PasskeyUse = { purpose: 'sign_in_by_passkey', accountId: null }

const BASE64URL = /^[\w-]+$/

type Passkey = { credential_id: string; account_id: Id; public_key: Buffer; counter: bigint }

/** What any browser is asked for in order to sign its user in; which passkey, and of whom, is theirs to choose. */
export async function createSignInOptions(
  context: AuthDeps,
  { rpId }: PasskeySite,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return {
    challenge: await createPasskeyChallenge(context, USE),
    rpId,
    userVerification: 'preferred',
    timeout: PASSKEY_SECONDS * 1000,
  }
}

/** Signs the holder of an account in, whose passkey answered. `credential` is as the browser's `toJSON` gives it, yet unread. Throws AppError sign_in_refused. */
export async function signInByPasskey(
  context: AuthDeps,
  site: PasskeySite,
  credential: unknown,
): Promise<HolderSession> {
  const { database, now } = context
  const id: unknown = (credential as Partial<AuthenticationResponseJSON> | null | undefined)?.id
  const { rows } = await database.query<Passkey>(
    'select credential_id, account_id, public_key, counter from passkeys where credential_id = $1',
    [typeof id === 'string' && BASE64URL.test(id) ? id : null],
  )
  const [kept] = rows
  if (kept === undefined) throw refused()
  const counter = await checkAnswer(context, site, kept, credential as AuthenticationResponseJSON)
  const session = await database.transaction(async (tx) => {
    // Of two answers with the same count one is a copy's, and a passkey that was removed meanwhile signs nobody in.
    const { count } = await tx.query(
      'update passkeys set counter = $2, last_used_at = $3 where credential_id = $1 and (counter < $2 or (counter = 0 and $2 = 0))',
      [kept.credential_id, counter, new Date(now())],
    )
    if (count === 0) throw refused()
    return openHolderSession({ database: tx, now }, kept.account_id)
  })
  return { accountId: kept.account_id, session }
}

/** How often the passkey was used, as it says itself. */
async function checkAnswer(
  context: AuthDeps,
  { origin, rpId }: PasskeySite,
  kept: Passkey,
  response: AuthenticationResponseJSON,
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => takePasskeyChallenge(context, USE, challenge),
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: {
        id: kept.credential_id,
        publicKey: new Uint8Array(kept.public_key),
        counter: Number(kept.counter),
      },
      requireUserVerification: false,
    })
    const isHolders =
      Buffer.from(response.response.userHandle ?? '', 'base64url').toString('hex') ===
      kept.account_id
    if (verified && isHolders) return authenticationInfo.newCounter
  } catch (error) {
    throw error instanceof AppError ? error : refused(error)
  }
  throw refused()
}

function refused(cause?: unknown): AppError {
  return new AppError(
    'sign_in_refused',
    'This passkey is not known here, or its answer came too late.',
    {
      fix: 'Try again, or sign in another way. A passkey that was removed from an account can be deleted on your device too.',
      cause,
    },
  )
}
