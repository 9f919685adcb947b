import { createHash } from 'node:crypto'
import { discoveryExtensions, discoveryOfVersion1 } from './discovery.ts'
import { readPayment } from './payment-header.ts'
import type {
  Acceptance,
  Destination,
  NotSettled,
  PaymentTerms,
  Presented,
  Settled,
} from './acceptance.ts'

type Token = { readonly name: string; readonly version: string }
type Authorization = {
  readonly from: string
  readonly to: string
  readonly value: string
  readonly nonce: string
}
type Signed = { readonly signature: string; readonly authorization: Authorization }

/** The offered requirement in the fields of x402 version 2. */
export type Requirement = {
  readonly scheme: 'exact'
  readonly network: `eip155:${number}`
  readonly amount: string
  readonly asset: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra: Token
}
/** The same in the fields of version 1. */
export type Requirement1 = Omit<Requirement, 'network' | 'amount'> & {
  readonly network: string
  readonly maxAmountRequired: string
  readonly resource: string
  readonly description: string
  readonly mimeType: string
  readonly outputSchema: object
}

export type X402Payload = {
  readonly x402Version: number
  readonly accepted: Requirement
  readonly payload: Signed
}
export type X402Payload1 = {
  readonly x402Version: 1
  readonly scheme: 'exact'
  readonly network: string
  readonly payload: Signed
}

export type X402AcceptanceOptions = Destination & {
  /** Name and version of the token, as in its signatures. */
  readonly token: Token
  /**
   * Verifies a payment and takes its money, usually through a facilitator. A repeat sends the
   * identical payment again, which its nonce makes idempotent.
   */
  readonly take: (
    payload: X402Payload | X402Payload1,
    requirement: Requirement | Requirement1,
    isRepeat?: boolean,
  ) => Promise<{ readonly reference: string; readonly receipt: unknown } | NotSettled>
}

const VALID_SECONDS = 300
const MIME_TYPE = 'application/json'
/** Of 3.5 KB for all headers: nginx reads them into one memory page of 4 KB by default. */
const LONGEST_DEMAND = 2_100
/** A facilitator's receipt can have extensions of any length. */
const LONGEST_RECEIPT = 2_200
/**
 * These two identify a payment. Strict formats, because the party that settles may treat several
 * spellings as equal.
 */
const ADDRESS = /^0x[0-9a-f]{40}$/i
const NONCE = /^0x[0-9a-f]{64}$/i
/** Chain names of version 1. */
const NETWORKS_1: Readonly<Record<number, string>> = { 8453: 'base', 84_532: 'base-sepolia' }
const NOT_PAID = 'Payment required: send PAYMENT-SIGNATURE, or X-PAYMENT for version 1.'

export function acceptX402({ asset, recipient, token, take }: X402AcceptanceOptions): Acceptance {
  const network1 = NETWORKS_1[asset.chainId ?? 0]
  const common = {
    scheme: 'exact',
    asset: asset.currency,
    payTo: recipient,
    maxTimeoutSeconds: VALID_SECONDS,
    extra: token,
  } as const
  const requirementOf = ({ amount }: PaymentTerms): Requirement => ({
    ...common,
    network: `eip155:${asset.chainId ?? 0}`,
    amount: String(amount),
  })
  const requirement1Of = ({ amount, url, description, discovery }: PaymentTerms): Requirement1 => ({
    ...common,
    network: network1 ?? '',
    maxAmountRequired: String(amount),
    resource: url,
    description,
    mimeType: MIME_TYPE,
    outputSchema: discoveryOfVersion1(discovery),
  })

  return {
    name: 'x402.exact',
    async request(terms) {
      const { url, description, discovery, error = NOT_PAID } = terms
      const required = {
        x402Version: 2,
        error,
        resource: { url, description, mimeType: MIME_TYPE },
        accepts: [requirementOf(terms)],
      }
      // Clients of version 1 read only the body.
      return {
        headers: { 'payment-required': encodedWithin(required, discoveryExtensions(discovery)) },
        body: { x402Version: 1, accepts: network1 === undefined ? [] : [requirement1Of(terms)] },
      }
    },
    async read(headers, terms) {
      const requirement = requirementOf(terms)
      const payload = decoded(headers['payment-signature']) as X402Payload | null
      if (payload !== null && isOfVersion2(payload) && isFor(payload, requirement)) {
        return {
          ...presented(payload.payload, requirement.amount),
          // The signed amount, so that a repeat after a change of the price is identical.
          settle: (isRepeat) =>
            settle(payload, {
              requirement: { ...requirement, amount: payload.payload.authorization.value },
              header: 'payment-response',
              isRepeat,
            }),
        }
      }
      const payload1 = decoded(headers['x-payment']) as X402Payload1 | null
      if (
        payload1 === null ||
        !isOfVersion1(payload1, network1) ||
        !same(payload1.payload.authorization.to, recipient)
      )
        return null
      return {
        ...presented(payload1.payload, requirement.amount),
        settle: (isRepeat) =>
          settle(payload1, {
            requirement: {
              ...requirement1Of(terms),
              maxAmountRequired: payload1.payload.authorization.value,
            },
            header: 'x-payment-response',
            isRepeat,
          }),
      }
    },
  }

  async function settle(
    payload: X402Payload | X402Payload1,
    {
      requirement,
      header,
      isRepeat,
    }: {
      readonly requirement: Requirement | Requirement1
      readonly header: string
      readonly isRepeat: boolean | undefined
    },
  ): Promise<Settled | NotSettled> {
    const taken = await take(payload, requirement, isRepeat)
    return 'reference' in taken
      ? { reference: taken.reference, headers: { [header]: receiptHeader(taken) } }
      : taken
  }
}

/** The demand with the first extension that fits, or with none. The action's description has its schema, too. */
function encodedWithin(required: object, extensions: readonly object[]): string {
  for (const bazaar of extensions) {
    const header = encoded({ ...required, extensions: { bazaar } })
    if (header.length <= LONGEST_DEMAND) return header
  }
  return encoded(required)
}

function presented(
  { authorization: { from, nonce, value } }: Signed,
  amount: string,
): Omit<Presented, 'settle'> {
  return {
    // A transfer authorization can be used once per payer and nonce, regardless of other fields.
    key: `x402.exact:${createHash('sha256').update(`${from.toLowerCase()} ${nonce.toLowerCase()}`).digest('hex')}`,
    paysFullAmount: value === amount,
    // The party that settles the payment checks its validity time.
    isExpired: false,
  }
}

function isFor(
  { accepted, payload }: X402Payload,
  { asset, network, payTo }: Requirement,
): boolean {
  const isAccepted =
    accepted.scheme === 'exact' &&
    accepted.network === network &&
    same(accepted.asset, asset) &&
    same(accepted.payTo, payTo)
  return (
    isAccepted &&
    payload.authorization.value === accepted.amount &&
    same(payload.authorization.to, payTo)
  )
}

function isOfVersion2({ accepted, payload }: X402Payload): boolean {
  const { amount, asset, network, payTo } = (accepted as Requirement | null | undefined) ?? {}
  return (
    [amount, asset, network, payTo].every((text) => typeof text === 'string') && isSpelled(payload)
  )
}

function isOfVersion1(
  { x402Version, scheme, network, payload }: X402Payload1,
  network1: string | undefined,
): boolean {
  return x402Version === 1 && scheme === 'exact' && network === network1 && isSpelled(payload)
}

function isSpelled({ signature, authorization: { from, to, value, nonce } }: Signed): boolean {
  return (
    [signature, from, to, value, nonce].every((text) => typeof text === 'string') &&
    ADDRESS.test(from) &&
    NONCE.test(nonce)
  )
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

function receiptHeader({
  reference,
  receipt,
}: {
  readonly reference: string
  readonly receipt: unknown
}): string {
  const header = encoded(receipt)
  if (header.length <= LONGEST_RECEIPT) return header
  const { network, payer } = receipt as { readonly network?: unknown; readonly payer?: unknown }
  return encoded({ success: true, transaction: reference, network, payer })
}

/** Null for anything that is not a payment. Other fields are not checked yet. */
function decoded(header: string | undefined): unknown {
  const read = readPayment(header ?? '')
  if ('fault' in read) return null
  const { payload } = read.value as Partial<X402Payload>
  return typeof payload?.authorization === 'object' && payload.authorization !== null
    ? read.value
    : null
}
