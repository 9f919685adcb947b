/**
 * Both sides of a payment method for tests: the payment is an HMAC of the challenge with a shared
 * secret.
 */
import { createHmac } from 'node:crypto'
import { Challenge, Credential, Receipt } from 'mppx'
import type { Asset } from '../../../catalog/vocabulary/merchant.ts'
import { mppMethod } from '../methods/mpp.ts'
import type { PaymentMethod } from '../offer.ts'

export const DEV_ASSET: Asset = { currency: '0xdev', chainId: 31_337 }
const SECRET = 'devledger-shared-secret-of-the-tests'
const MERCHANT_SECRET = 'a-secret-of-the-merchant-of-32-bytes-or-more'

export type Devledger = PaymentMethod & { readonly signatures: string[] }

/** `signatures` lists all signed challenges. */
export function devledger(): Devledger {
  const signatures: string[] = []
  const createCredential = async ({
    challenge,
  }: {
    challenge: Challenge.Challenge
  }): Promise<string> => {
    signatures.push(challenge.id)
    return Credential.serialize({ challenge, payload: { mac: macOf(challenge.id) } })
  }
  return {
    ...mppMethod({
      name: 'devledger.charge',
      assets: [DEV_ASSET],
      maker: async () => ({ createCredential }),
    }),
    signatures,
  }
}

export type ChallengeTerms = {
  readonly amount: string
  readonly realm: string
  readonly expires?: string
  readonly digest?: string
  readonly request?: Record<string, unknown>
}
let issued = 0

/** The header of a merchant's payment request. Every challenge is unique. */
export function challengeHeader({
  amount,
  realm,
  expires,
  digest,
  request = {},
}: ChallengeTerms): string {
  issued += 1
  const challenge = Challenge.from({
    secretKey: MERCHANT_SECRET,
    realm,
    method: 'devledger',
    intent: 'charge',
    description: `number ${issued}`,
    request: {
      amount,
      currency: DEV_ASSET.currency,
      recipient: '0xmerchant',
      methodDetails: { chainId: DEV_ASSET.chainId },
      number: issued,
      ...request,
    },
    ...(expires === undefined ? {} : { expires }),
    ...(digest === undefined ? {} : { digest }),
  })
  return Challenge.serialize(challenge)
}

/** Verifies a credential as the merchant that issued the challenge. Null if it is not paid. */
export function paidChallenge(authorization: string | undefined): Challenge.Challenge | null {
  if (authorization === undefined || !authorization.startsWith('Payment ')) return null
  const { challenge, payload } = Credential.deserialize<{ mac: string }>(authorization)
  return Challenge.verify(challenge, { secretKey: MERCHANT_SECRET }) &&
    payload.mac === macOf(challenge.id)
    ? challenge
    : null
}

/**
 * Verifies a credential as a merchant with its own challenges. Null if it was not signed with the
 * shared secret.
 */
export async function takeDevledger(authorization: string): Promise<{ reference: string } | null> {
  const { challenge, payload } = Credential.deserialize<{ mac: string }>(authorization)
  return payload.mac === macOf(challenge.id)
    ? { reference: `ref-${challenge.id.slice(0, 8)}` }
    : null
}

export function receiptHeader(reference: string): string {
  return Receipt.serialize(
    Receipt.from({
      status: 'success',
      method: 'devledger',
      reference,
      timestamp: new Date(0).toISOString(),
    }),
  )
}

function macOf(challengeId: string): string {
  return createHmac('sha256', SECRET).update(challengeId).digest('hex')
}
