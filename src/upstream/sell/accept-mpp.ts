import { randomUUID } from 'node:crypto'
import type { Challenge } from 'mppx'
import type {
  Acceptance,
  PaymentTerms,
  Destination,
  Headers,
  Refused,
  Settled,
} from './acceptance.ts'

export type MppAcceptanceOptions = Destination & {
  /** Method and intent as one, such as "tempo.charge". */
  readonly name: string
  /** At least 32 bytes, the same in all processes: challenges are recognised by it. */
  readonly secretKey: string
  /** Checks a credential and takes its money. Null: it cannot be taken, and was not. */
  readonly take: (credential: string) => Promise<{ readonly reference: string } | null>
}

/** MPP: challenges need no memory, because each carries a seal over all that was asked. */
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
    async ask({ realm, url, description, amount, digest, expiresMs }) {
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
    async read({ authorization }: Headers, asked, nowMs) {
      if (authorization === undefined || !/^payment\s/i.test(authorization)) return null
      const { Challenge, Credential } = await import('mppx')
      const challenge = challengeIn(() => Credential.deserialize(authorization))
      if (
        challenge === null ||
        !Challenge.verify(challenge, { secretKey }) ||
        !isFor(challenge, asked)
      )
        return null
      const paysAsked = challenge.request['amount'] === String(asked.amount)
      return {
        key: `${name}:${challenge.id}`,
        paysAsked,
        isExpired: !(Date.parse(challenge.expires ?? '') > nowMs),
        settle: () => settle(authorization, nowMs),
      }
    },
  }

  async function settle(authorization: string, nowMs: number): Promise<Settled | Refused> {
    const { Receipt } = await import('mppx')
    const taken = await take(authorization)
    if (taken === null) return { refused: 'the payment could not be taken' }
    const { reference } = taken
    const receipt = Receipt.from({
      status: 'success',
      method,
      reference,
      timestamp: new Date(nowMs).toISOString(),
    })
    return { reference, headers: { 'payment-receipt': Receipt.serialize(receipt) } }
  }

  function isFor(challenge: Challenge.Challenge, asked: PaymentTerms): boolean {
    const isSame =
      challenge.method === method &&
      challenge.intent === intent &&
      challenge.realm === asked.realm &&
      urlIn(challenge.opaque) === asked.url
    return (
      isSame &&
      challenge.request['recipient'] === recipient &&
      (challenge.digest ?? null) === asked.digest
    )
  }
}

/** As it may stand in a header. */
function plain(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').replaceAll(/["\\]/g, "'")
}

/** The address that a challenge was made for; it is under the seal with everything else. */
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
