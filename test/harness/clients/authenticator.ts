/** A phone or security key without a browser. Creates passkeys and signs with them as real devices do. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** Fields from the browser that an attacker may change. */
export type Circumstances = {
  readonly origin: string
  readonly rpId: string
  readonly challenge: string
  readonly counter?: number
  readonly userHandle?: string
}

export type Passkey = {
  readonly id: string
  readonly made: (at: Circumstances) => RegistrationResponseJSON
  readonly answer: (at: Circumstances) => AuthenticationResponseJSON
}

const [PRESENT, VERIFIED, WITH_KEY] = [0x01, 0x04, 0x40]
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/** `accountId` is the owner that the device stores. */
export function createPasskey(accountId: string): Passkey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const common = {
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
  } as const
  return {
    id: common.id,
    made({ origin, rpId, challenge, counter = 0 }) {
      const key = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseOf(publicKey),
      ])
      const authData = Buffer.concat([
        authenticatorData(rpId, PRESENT | VERIFIED | WITH_KEY, counter),
        key,
      ])
      const attestationObject = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, string>>([
          ['fmt', 'none'],
          ['attStmt', new Map<string, string>()],
          ['authData', new Uint8Array(authData)],
        ]),
      )
      return {
        ...common,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, origin),
          attestationObject: base64url(attestationObject),
          transports: ['internal'],
        },
      }
    },
    answer({ origin, rpId, challenge, counter = 0, userHandle = accountId }) {
      const authData = authenticatorData(rpId, PRESENT | VERIFIED, counter)
      const clientDataJSON = clientData('webauthn.get', challenge, origin)
      const signature = sign(
        'sha256',
        Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]),
        privateKey,
      )
      return {
        ...common,
        response: {
          clientDataJSON,
          authenticatorData: base64url(authData),
          signature: base64url(signature),
          userHandle: base64url(Buffer.from(userHandle, 'hex')),
        },
      }
    },
  }
}

function clientData(type: string, challenge: string, origin: string): string {
  return base64url(Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })))
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
}

/** The public key in COSE form (RFC 9053): key type 2 (1: 2), ES256 (3: -7), P-256 (-1: 1) and the coordinates. */
function coseOf(publicKey: KeyObject): Uint8Array {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  )
}
