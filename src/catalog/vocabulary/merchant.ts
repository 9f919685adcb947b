/** Merchants that take a payment for each call instead of a vendor key. */
import type { Reply, VendorFailure } from './wire.ts'

/** A currency with six decimals worth one US dollar: its smallest unit is a micro-dollar. */
export type Asset = { readonly currency: string; readonly chainId: number | null }

export type Merchant = {
  readonly baseUrl: string
  /** The host in the payment challenge; the host of the base address by default. */
  readonly realm?: string
  /** The payment method: "tempo.charge" (MPP) or "x402.exact". */
  readonly method: string
  readonly asset: Asset
  /** The only account that may be paid, if it is known. */
  readonly recipient?: string
  readonly readFailure?: (reply: Reply) => VendorFailure | undefined
}

export const TEMPO_CHARGE = 'tempo.charge'
export const X402_EXACT = 'x402.exact'

/** USDC.e on Tempo's main network, the currency of the merchants in the public registry. */
export const USDC_ON_TEMPO = {
  currency: '0x20C000000000000000000000b9537d11c60E8b50',
  chainId: 4217,
} as const
export const USDC_ON_BASE = {
  currency: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  chainId: 8453,
} as const

/**
 * Test money: USDC on Base's test network, and pathUSD from the faucet of Tempo's test network
 * "Moderato".
 */
export const USDC_ON_BASE_SEPOLIA = {
  currency: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  chainId: 84_532,
} as const
export const USD_ON_MODERATO = {
  currency: '0x20c0000000000000000000000000000000000000',
  chainId: 42_431,
} as const

type Rest = Omit<Partial<Merchant>, 'baseUrl' | 'method' | 'asset'>

export function tempoMerchant(baseUrl: string, rest: Rest = {}): Merchant {
  return { baseUrl, method: TEMPO_CHARGE, asset: USDC_ON_TEMPO, ...rest }
}

export function x402Merchant(baseUrl: string, rest: Rest = {}): Merchant {
  return { baseUrl, method: X402_EXACT, asset: USDC_ON_BASE, ...rest }
}

export function realmOf({ realm, baseUrl }: Merchant): string {
  return realm ?? new URL(baseUrl).host
}
