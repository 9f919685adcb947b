import { randomUUID } from 'node:crypto'
import type { Challenge } from 'mppx'
import type {
  Acceptance,
  PaymentTerms,
  Destination,
  Headers,
  NotSettled,
  Settled,
  Unchecked,
} from './acceptance.ts'

export type MppAcceptanceOptions = Destination & {
  /** Method and intent, such as "tempo.charge". */
  readonly name: string
  /** At least 32 bytes, the same in all processes. Challenges are sealed with it. */
  readonly secretKey: string
  /** Verifies a credential and takes its money. Null if the payment was not and cannot be taken. */
  readonly take: (credential: string) => Promise<{ readonly reference: string } | Unchecked | null>
}

/** MPP. Challenges need no storage: each carries a seal over its terms. */
export function acceptMpp({
  name,
  secretKey,
  asset,
  recipient,
  take,
}: MppAcceptanceOptions): Acceptance {
  const [method = '', intent = ''] = name.split('.')
  const details = asset.chainId === null ? {} : { methodDetails: { chainId: asset.chainId } }

  return {
    name,
    async request({ realm, url, description, amount, digest, expiresMs }) {
      const { Challenge } = await import('mppx')
      const request = { amount: String(amount), currency: asset.currency, recipient, ...details }
      const challenge = Challenge.from({
        secretKey,
        realm,
        method,
        intent,
        description: plain(description),
        request,
        expires: new Date(expiresMs).toISOString(),
        meta: { url, nonce: randomUUID() },
        ...(digest === null ? {} : { digest }),
      })
      return { headers: { 'www-authenticate': Challenge.serialize(challenge) } }
    },
    async read({ authorization }: Headers, terms, nowMs) {
      if (authorization === undefined || !/^payment\s/i.test(authorization)) return null
      const { Challenge, Credential } = await import('mppx')
      const challenge = challengeIn(() => Credential.deserialize(authorization))
      if (
        challenge === null ||
        !Challenge.verify(challenge, { secretKey }) ||
        !isFor(challenge, terms)
      )
        return null
      const paysFullAmount = challenge.request['amount'] === String(terms.amount)
      return {
        key: `${name}:${challenge.id}`,
        paysFullAmount,
        isExpired: !(Date.parse(challenge.expires ?? '') > nowMs),
        settle: () => settle(authorization, nowMs),
      }
    },
  }

  async function settle(authorization: string, nowMs: number): Promise<Settled | NotSettled> {
    const { Receipt } = await import('mppx')
    const taken = await take(authorization)
    if (taken === null) return { refused: 'the payment could not be taken' }
    if ('unchecked' in taken) return taken
    const { reference } = taken
    const receipt = Receipt.from({
      status: 'success',
      method,
      reference,
      timestamp: new Date(nowMs).toISOString(),
    })
    return { reference, headers: { 'payment-receipt': Receipt.serialize(receipt) } }
  }

  function isFor(challenge: Challenge.Challenge, terms: PaymentTerms): boolean {
    const isSame =
      challenge.method === method &&
      challenge.intent === intent &&
      challenge.realm === terms.realm &&
      urlIn(challenge.opaque) === terms.url
    return (
      isSame &&
      challenge.request['recipient'] === recipient &&
      (challenge.digest ?? null) === terms.digest
    )
  }
}

/** The text in characters that are allowed in a header. */
function plain(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').replaceAll(/["\\]/g, "'")
}

/** The URL that a challenge was created for, which the seal covers. */
function urlIn(opaque = ''): unknown {
  try {
    return (JSON.parse(Buffer.from(opaque, 'base64url').toString('utf8')) as { url?: unknown }).url
  } catch {
    return undefined
  }
}

function challengeIn(
  read: () => { readonly challenge: Challenge.Challenge },
): Challenge.Challenge | null {
  try {
    return read().challenge
  } catch {
    return null
  }
}
