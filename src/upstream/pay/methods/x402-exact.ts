/**
 * x402 "exact" on EVM chains: a signed transfer authorization (EIP-3009). Signing needs no chain
 * access.
 */
import type { PaymentRequired } from '@x402/core/types'
import { X402_EXACT, type Asset } from '../../../catalog/vocabulary/merchant.ts'
import type { Clock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Incoming, Outgoing } from '../../exchange.ts'
import type { Offer, PaymentMethod } from '../offer.ts'

export type X402Settings = {
  readonly key: `0x${string}`
  readonly assets: readonly Asset[]
  readonly now: Clock
}

/** The longest validity of a signed transfer. A merchant that requires more is not paid. */
const LONGEST_VALIDITY_SECONDS = 900
// Any server may be the merchant, and parsing blocks other calls.
const LONGEST_CHALLENGE = 256 * 1024
const MAX_OFFERS = 100
/** Chain names of version 1. */
const CHAINS: Readonly<Record<string, number>> = { base: 8453, 'base-sepolia': 84_532 }

/** An accepted payment in the fields of version 2; version 1 has other names for some of them. */
type Accepted = {
  scheme?: unknown
  network?: unknown
  amount?: unknown
  maxAmountRequired?: unknown
  asset?: unknown
  payTo?: unknown
  resource?: unknown
  maxTimeoutSeconds?: unknown
  extra?: Record<string, unknown> | null
}
type Required = { x402Version?: unknown; resource?: { url?: unknown }; accepts?: unknown }

export function x402Exact({ key, assets, now }: X402Settings): PaymentMethod {
  return {
    name: X402_EXACT,
    assets,
    offersIn: async (answer, request) => {
      const required = requiredIn(answer)
      if (required === null || !Array.isArray(required.accepts)) return []
      const accepts = (required.accepts.slice(0, MAX_OFFERS) as Accepted[]).filter(
        ({ scheme }) => scheme === 'exact',
      )
      return accepts.map((accepted) => ({
        ...readAccepted(required, accepted, request),
        challengeId: `x402-${newId(now())}`,
        sign: () => sign(key, { ...required, accepts: [accepted] }),
      }))
    },
    receiptIn: async (answer) => {
      const receipt = decoded(
        answer.headers['payment-response'] ?? answer.headers['x-payment-response'],
      ) as { success?: unknown; transaction?: unknown } | null
      if (
        receipt?.success !== true ||
        typeof receipt.transaction !== 'string' ||
        receipt.transaction === ''
      )
        return null
      return { reference: receipt.transaction, details: receipt }
    },
  }
}

function requiredIn(answer: Incoming): Required | null {
  const header = decoded(answer.headers['payment-required'])
  if (header !== null) return header as Required
  const body =
    answer.text.length > LONGEST_CHALLENGE ? null : (parsed(answer.text) as Required | null)
  return body?.x402Version === 1 || body?.x402Version === 2 ? body : null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function readAccepted(
  { x402Version, resource }: Required,
  accepted: Accepted,
  request: Outgoing,
): Omit<Offer, 'challengeId' | 'sign'> {
  const { network, asset, payTo, maxTimeoutSeconds, extra } = accepted
  const amount = x402Version === 1 ? accepted.maxAmountRequired : accepted.amount
  const address = URL.parse(
    textOf(x402Version === 1 ? accepted.resource : resource?.url),
    request.origin,
  )
  const isAmount = typeof amount === 'string' && /^\d{1,15}$/.test(amount)
  const transfer = extra?.['assetTransferMethod']
  const isLong =
    typeof maxTimeoutSeconds !== 'number' || maxTimeoutSeconds > LONGEST_VALIDITY_SECONDS
  const flaw = !isAmount
    ? 'The merchant names no amount.'
    : isLong
      ? 'The payment would be valid for too long.'
      : transfer !== undefined && transfer !== 'eip3009'
        ? 'The merchant requires an allowance instead of a transfer.'
        : null
  return {
    method: X402_EXACT,
    realm: address?.host ?? '',
    amount: isAmount ? BigInt(amount) : 0n,
    currency: String(asset),
    chainId: chainOf(String(network)),
    recipient: typeof payTo === 'string' ? payTo : null,
    expiresMs: null,
    ...(flaw === null ? {} : { flaw }),
  }
}

function chainOf(network: string): number | null {
  const number = /^eip155:(\d{1,12})$/.exec(network)?.[1]
  return number === undefined ? (CHAINS[network] ?? null) : Number(number)
}

async function sign(key: `0x${string}`, required: Required): Promise<Record<string, string>> {
  const [{ x402Client, x402HTTPClient }, { registerExactEvmScheme }, { privateKeyToAccount }] =
    await Promise.all([
      import('@x402/core/client'),
      import('@x402/evm/exact/client'),
      import('viem/accounts'),
    ])
  const client = registerExactEvmScheme(new x402Client(), { signer: privateKeyToAccount(key) })
  // Amount, currency and chain were already checked against this purchase's conditions.
  client.setSpendControls(false)
  const payload = await client.createPaymentPayload(required as PaymentRequired)
  const headers = Object.entries(new x402HTTPClient(client).encodePaymentSignatureHeader(payload))
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
}

function decoded(header: string | undefined): unknown {
  return header === undefined ? null : parsed(Buffer.from(header, 'base64').toString('utf8'))
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
