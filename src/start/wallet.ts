import { Agent, type Dispatcher } from 'undici'
import { USDC_ON_BASE, USDC_ON_TEMPO } from '../catalog/merchant.ts'
import { createIntents } from '../calls/payments/intents.ts'
import type { Database } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { readBalances, type AccountBalance } from '../upstream/pay/balances.ts'
import { tempoCharge } from '../upstream/pay/methods/tempo-charge.ts'
import { x402Exact } from '../upstream/pay/methods/x402-exact.ts'
import type { PaymentMethod } from '../upstream/pay/offer.ts'
import type { Wallet } from '../upstream/pay/purchase.ts'
import type { PaySettings } from './pay-settings.ts'

type Parts = { readonly settings: PaySettings; readonly database: Database; readonly dispatcher: Dispatcher; readonly now: Clock }

/** The operator's wallets, or null when none has a key. What signs is loaded when the first merchant asks for money. */
export function openWallet({ settings, database, dispatcher, now }: Parts): Wallet | null {
  const { tempoKey, evmKey, tempoRpcUrl, dailyCeiling, openCeiling } = settings
  const methods: PaymentMethod[] = []
  if (tempoKey !== null) methods.push(tempoCharge({ key: tempoKey, rpcUrl: tempoRpcUrl, asset: USDC_ON_TEMPO, dispatcher }))
  if (evmKey !== null) methods.push(x402Exact({ key: evmKey, assets: [USDC_ON_BASE], now }))
  return methods.length === 0 ? null : { methods, intents: createIntents({ database, now, dailyCeiling, openCeiling }), now }
}

/** What the paying accounts hold on their chains. */
export async function walletBalances({ tempoKey, evmKey, tempoRpcUrl, evmRpcUrl }: PaySettings): Promise<AccountBalance[]> {
  const accounts = [
    ...(tempoKey === null ? [] : [{ name: 'tempo', key: tempoKey, rpcUrl: tempoRpcUrl, asset: USDC_ON_TEMPO }]),
    ...(evmKey === null ? [] : [{ name: 'evm', key: evmKey, rpcUrl: evmRpcUrl, asset: USDC_ON_BASE }]),
  ]
  const dispatcher = new Agent()
  try {
    return await readBalances(accounts, dispatcher)
  } finally {
    await dispatcher.close()
  }
}
