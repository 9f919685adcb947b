import { createHash } from 'node:crypto'
import type { Acceptance, PaymentTerms, Destination } from './acceptance.ts'

/** The one requirement that is offered, in the words of x402 version 2. */
export type Requirement = { readonly scheme: 'exact'; readonly network: `eip155:${number}`; readonly amount: string; readonly asset: string; readonly payTo: string; readonly maxTimeoutSeconds: number; readonly extra: { readonly name: string; readonly version: string } }
export type X402Payload = { readonly x402Version: number; readonly accepted: Requirement; readonly payload: { readonly signature: string; readonly authorization: { readonly from: string; readonly to: string; readonly value: string; readonly nonce: string } } }

export type X402AcceptanceOptions = Destination & {
  /** Name and version of the token, as its signatures have them. */
  readonly token: { readonly name: string; readonly version: string }
  /** Checks a payment and takes its money, as a rule by way of a facilitator. Null: it cannot be taken, and was not. */
  readonly take: (payload: X402Payload, requirement: Requirement) => Promise<{ readonly reference: string; readonly receipt: unknown } | null>
}

const VALID_SECONDS = 300
/** A payment is known by these two: whoever takes the money may read more spellings of them as the same. */
const ADDRESS = /^0x[0-9a-f]{40}$/i
const NONCE = /^0x[0-9a-f]{64}$/i

export function acceptX402({ asset, recipient, token, take }: X402AcceptanceOptions): Acceptance {
  const requirementOf = ({ amount }: PaymentTerms): Requirement => ({
    scheme: 'exact', network: `eip155:${asset.chainId ?? 0}`, amount: String(amount), asset: asset.currency, payTo: recipient, maxTimeoutSeconds: VALID_SECONDS, extra: token,
  })
  return {
    name: 'x402.exact',
    ask: async (asked) => ({ 'payment-required': encoded({ x402Version: 2, resource: { url: asked.url, mimeType: 'application/json' }, accepts: [requirementOf(asked)] }) }),
    async read(headers, asked) {
      const payload = decoded(headers['payment-signature'])
      const requirement = requirementOf(asked)
      if (payload === null || !isFor(payload, requirement)) return null
      const { from, nonce } = payload.payload.authorization
      return {
        // A transfer authorization can be used once for a payer and nonce, whatever else is sent along.
        key: `x402.exact:${createHash('sha256').update(`${from.toLowerCase()} ${nonce.toLowerCase()}`).digest('hex')}`,
        paysAsked: payload.accepted.amount === requirement.amount,
        // Whoever settles it looks at its time.
        isExpired: false,
        async settle() {
          const taken = await take(payload, requirement)
          return taken === null ? null : { reference: taken.reference, headers: { 'payment-response': encoded(taken.receipt) } }
        },
      }
    },
  }
}

function isFor({ accepted, payload }: X402Payload, { asset, network, payTo }: Requirement): boolean {
  const isAccepted = accepted.scheme === 'exact' && accepted.network === network && same(accepted.asset, asset) && same(accepted.payTo, payTo)
  return isAccepted && payload.authorization.value === accepted.amount && same(payload.authorization.to, payTo)
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

function decoded(header: string | undefined): X402Payload | null {
  if (header === undefined) return null
  try {
    const value = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as X402Payload
    const { accepted, payload } = value
    const texts = [accepted.amount, accepted.asset, accepted.network, accepted.payTo, payload.signature, payload.authorization.from, payload.authorization.to, payload.authorization.value, payload.authorization.nonce]
    const isSpelled = texts.every((text) => typeof text === 'string') && ADDRESS.test(payload.authorization.from) && NONCE.test(payload.authorization.nonce)
    return isSpelled ? value : null
  } catch {
    return null
  }
}
