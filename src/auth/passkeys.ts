import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { chooseAccount } from './records/choose-account.ts'
import type { Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import type { AuthDeps } from './auth-deps.ts'
import { lockPerson } from './lock-person.ts'
import {
  createPasskeyChallenge,
  PASSKEY_SECONDS,
  takePasskeyChallenge,
  type PasskeyUse,
} from './passkey-challenge.ts'
import type { PasskeySite } from './passkey-site.ts'

export const MOST_PASSKEYS = 20
export const MOST_LABEL_CHARACTERS = 60

// ES256, EdDSA and RS256. Every authenticator supports one of them, and the library verifies all of
// them.
const ALGORITHMS = [-7, -8, -257]
// 1023 bytes, the maximum of the standard.
const MOST_ID_CHARACTERS = 1364
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/** A signed-in person. */
export type Person = { readonly personId: Id; readonly email: string }

const useFor = (personId: Id): PasskeyUse => ({ purpose: 'add_passkey', ownerId: personId })

/**
 * The options with which a browser creates a passkey. Throws AppError bad_request at the limit of
 * 20.
 */
export async function createPasskeyOptions(
  deps: AuthDeps,
  site: PasskeySite,
  { personId, email }: Person,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { rows } = await deps.database.query<{
    credential_id: string
    transports: (typeof TRANSPORTS)[number][]
  }>('select credential_id, transports from passkeys where person_id = $1', [personId])
  requireFreePasskey(rows.length)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return generateRegistrationOptions({
    rpName: 'Tollgate',
    rpID: site.rpId,
    userName: email,
    userDisplayName: email,
    userID: new Uint8Array(Buffer.from(personId, 'hex')),
    challenge: new Uint8Array(
      Buffer.from(await createPasskeyChallenge(deps, useFor(personId)), 'base64url'),
    ),
    excludeCredentials: rows.map(({ credential_id: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: PASSKEY_SECONDS * 1000,
  })
}

export type NewPasskey = {
  readonly label: string
  /** The result of the browser's `toJSON`, not validated yet. */
  readonly credential: unknown
}

/** Stores a new passkey. Throws AppError invalid_params, bad_request, sign_in_refused. */
export async function addPasskey(
  deps: AuthDeps,
  site: PasskeySite,
  personId: Id,
  { label, credential }: NewPasskey,
): Promise<void> {
  const [name, made] = [readLabel(label), await readNewCredential(deps, site, personId, credential)]
  // The library does not validate this field.
  const transports: readonly unknown[] = Array.isArray(made.transports) ? made.transports : []
  await deps.database.transaction(async (tx) => {
    await lockPerson(tx, personId)
    // The accounts may have been closed since the options were created.
    await chooseAccount(tx, personId)
    requireFreePasskey(await countPasskeys(tx, personId))
    const { count } = await tx.query(
      'insert into passkeys (credential_id, person_id, public_key, counter, transports, label, created_at) values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing',
      [
        made.id,
        personId,
        Buffer.from(made.publicKey),
        made.counter,
        TRANSPORTS.filter((transport) => transports.includes(transport)),
        name,
        new Date(deps.now()),
      ],
    )
    if (count === 0) throw invalidPasskey()
  })
}

async function readNewCredential(
  deps: AuthDeps,
  { origin, rpId }: PasskeySite,
  personId: Id,
  credential: unknown,
) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: await withoutAttestation(credential as RegistrationResponseJSON),
      expectedChallenge: (challenge) => takePasskeyChallenge(deps, useFor(personId), challenge),
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (verified && registrationInfo.credential.id.length <= MOST_ID_CHARACTERS)
      return registrationInfo.credential
  } catch (error) {
    throw error instanceof AppError ? error : invalidPasskey(error)
  }
  throw invalidPasskey()
}

/**
 * Removes the attestation of the device, which is not needed. To verify it, the library would fetch
 * URLs from it.
 */
async function withoutAttestation(
  credential: RegistrationResponseJSON,
): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } =
    await import('@simplewebauthn/server/helpers')
  const authData = decodeAttestationObject(
    isoBase64URL.toBuffer(credential.response.attestationObject),
  ).get('authData')
  const attestationObject = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, never>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, never>()],
      ['authData', authData],
    ]),
  )
  return {
    ...credential,
    response: {
      ...credential.response,
      attestationObject: isoBase64URL.fromBuffer(attestationObject),
    },
  }
}

function readLabel(text: string): string {
  const label = text.trim()
  if (label !== '' && [...label].length <= MOST_LABEL_CHARACTERS && !/\p{Cc}/u.test(label))
    return label
  throw new AppError(
    'invalid_params',
    `The name must have 1 to ${MOST_LABEL_CHARACTERS} characters.`,
    {
      param: 'label',
      fix: 'Choose a name for the device, such as "My phone".',
    },
  )
}

async function countPasskeys(tx: Transaction, personId: Id): Promise<number> {
  const { rows } = await tx.query<{ count: bigint }>(
    'select count(*) from passkeys where person_id = $1',
    [personId],
  )
  return Number(rows[0]?.count)
}

function requireFreePasskey(count: number): void {
  if (count >= MOST_PASSKEYS)
    throw new AppError('bad_request', `You already have ${MOST_PASSKEYS} passkeys.`, {
      fix: 'Remove one that you no longer use.',
    })
}

function invalidPasskey(cause?: unknown): AppError {
  return new AppError('invalid_params', 'The passkey could not be verified and was not added.', {
    param: 'credential',
    fix: 'Try again within five minutes.',
    cause,
  })
}
