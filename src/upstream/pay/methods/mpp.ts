/**
 * MPP, the HTTP authentication scheme "Payment": challenges in WWW-Authenticate, credentials in
 * Authorization.
 */
import { createHash } from 'node:crypto'
import type { Challenge } from 'mppx'
import type { Asset } from '../../../catalog/vocabulary/merchant.ts'
import type { Outgoing } from '../../exchange.ts'
import type { Offer, PaymentMethod } from '../offer.ts'

type AnyChallenge = Challenge.Challenge
/** Signs challenges: a method of mppx or a compatible one. */
export type CredentialMaker = {
  readonly createCredential: (parameters: { challenge: AnyChallenge }) => Promise<string>
}

export type MppOptions = {
  /** Method and intent, such as "tempo.charge". */
  readonly name: string
  readonly assets: readonly Asset[]
  /** Loads the signing code on first use. */
  readonly maker: () => Promise<CredentialMaker>
}

const CREDENTIAL_HEADERS = new Set(['authorization', 'payment-authorization'])

export function mppMethod({ name, assets, maker }: MppOptions): PaymentMethod {
  return {
    name,
    assets,
    async offersIn(answer, request) {
      const header = answer.headers['www-authenticate']
      if (header === undefined || !/(^|[\s,])Payment\s/i.test(header)) return []
      const { Challenge } = await import('mppx')
      const challenges: AnyChallenge[] = Challenge.deserializeList(header)
      return challenges
        .filter(({ method, intent }) => `${method}.${intent}` === name)
        .map((challenge) => offerOf(challenge))

      function offerOf(challenge: AnyChallenge): Offer {
        return {
          method: name,
          challengeId: challenge.id,
          ...readChallenge(challenge, request),
          async sign() {
            return {
              [Challenge.credentialHeader(challenge).toLowerCase()]: await (
                await maker()
              ).createCredential({ challenge }),
            }
          },
        }
      }
    },
    async receiptIn(answer) {
      const header = answer.headers['payment-receipt']
      if (header === undefined) return null
      const { Receipt } = await import('mppx')
      const receipt = Receipt.deserialize(header)
      return { reference: receipt.reference, details: { ...receipt } }
    },
  }
}

function readChallenge(
  challenge: AnyChallenge,
  request: Outgoing,
): Omit<Offer, 'method' | 'challengeId' | 'sign'> {
  const asked = challenge.request
  const details = (asked['methodDetails'] ?? {}) as Record<string, unknown>
  const chainId = details['chainId'] ?? asked['chainId'] ?? null
  const amount = asked['amount']
  const isAmount = typeof amount === 'string' && /^\d{1,15}$/.test(amount)
  const flaw = isAmount ? flawOf(challenge, request) : 'The merchant names no amount.'
  return {
    realm: challenge.realm,
    amount: isAmount ? BigInt(amount) : 0n,
    currency: String(asked['currency']),
    chainId: typeof chainId === 'number' ? chainId : null,
    recipient: typeof asked['recipient'] === 'string' ? asked['recipient'] : null,
    expiresMs: challenge.expires === undefined ? null : Date.parse(challenge.expires),
    ...(flaw === null ? {} : { flaw }),
  }
}

function flawOf({ digest, header, expires }: AnyChallenge, { body }: Outgoing): string | null {
  if (expires !== undefined && Number.isNaN(Date.parse(expires)))
    return 'The payment request has no readable expiry.'
  if (header !== undefined && !CREDENTIAL_HEADERS.has(header.toLowerCase()))
    return 'The merchant requires the payment in an unsupported header.'
  if (digest === undefined) return null
  const own = `sha-256=:${createHash('sha256')
    .update(body ?? '')
    .digest('base64')}:`
  return digest === own ? null : 'The payment request is for another request than the one sent.'
}
