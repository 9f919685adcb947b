import type { Dispatcher } from 'undici'
import {
  USDC_ON_BASE,
  USDC_ON_BASE_SEPOLIA,
  USDC_ON_TEMPO,
  USD_ON_MODERATO,
  type Asset,
} from '../../catalog/vocabulary/merchant.ts'
import { createIntents } from '../../calls/payments/intents.ts'
import { leasedIntents } from '../../calls/payments/leased-intents.ts'
import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import {
  readBalances,
  type AccountBalance,
  type PayingAccount,
} from '../../upstream/pay/balances.ts'
import { tempoCharge } from '../../upstream/pay/methods/tempo-charge.ts'
import { x402Exact } from '../../upstream/pay/methods/x402-exact.ts'
import { createOperatorDispatcher } from '../../upstream/operator-dispatcher.ts'
import type { PaymentMethod } from '../../upstream/pay/offer.ts'
import type { Wallet } from '../../upstream/pay/purchase.ts'
import type { PaySettings, TestPaySettings } from '../settings/pay-settings.ts'

type WalletDeps = {
  readonly settings: PaySettings
  readonly database: Database
  readonly dispatcher: Dispatcher
  readonly now: Clock
  /** Whether this process may still perform the call. */
  readonly covers: (callId: Id) => boolean
}

type Networks = { readonly tempo: Asset & { readonly chainId: number }; readonly evm: Asset }
const MAIN: Networks = { tempo: USDC_ON_TEMPO, evm: USDC_ON_BASE }
const TEST: Networks = { tempo: USD_ON_MODERATO, evm: USDC_ON_BASE_SEPOLIA }

export type Wallets = {
  /** Null without a key of a main network. */
  readonly wallet: Wallet | null
  /** The wallets of live and test keys, as far as they exist. */
  readonly forCalls: { readonly wallet?: Wallet; readonly testWallet?: Wallet }
  close(): Promise<void>
}

export function openWallets(deps: Omit<WalletDeps, 'dispatcher'>): Wallets {
  const dispatcher = createOperatorDispatcher()
  const [wallet, testWallet] = [
    openWallet({ ...deps, dispatcher }),
    openTestWallet({ ...deps, dispatcher }),
  ]
  return {
    wallet,
    forCalls: {
      ...(wallet === null ? {} : { wallet }),
      ...(testWallet === null ? {} : { testWallet }),
    },
    close: () => dispatcher.close(),
  }
}

/** The operator's wallets, or null when no key is set. Signing code is loaded at the first payment. */
export function openWallet({
  settings,
  database,
  dispatcher,
  now,
  covers,
}: WalletDeps): Wallet | null {
  const { dailyCeiling, chosenCeiling, openCeiling } = settings
  const methods = methodsOf(settings, MAIN, { dispatcher, now })
  return methods.length === 0
    ? null
    : {
        methods,
        intents: leasedIntents(
          createIntents({ database, now, dailyCeiling, chosenCeiling, openCeiling }),
          covers,
        ),
        now,
      }
}

/** The wallets on test networks, which test keys pay from; null when no key is set. They use their own keys and never pay in an asset of a main network. */
export function openTestWallet({
  settings,
  database,
  dispatcher,
  now,
  covers,
}: WalletDeps): Wallet | null {
  const { dailyCeiling, openCeiling } = settings
  const methods = methodsOf(settings.test, TEST, { dispatcher, now })
  return methods.length === 0
    ? null
    : {
        methods,
        intents: leasedIntents(
          createIntents({ database, now, mode: 'test', dailyCeiling, openCeiling }),
          covers,
        ),
        now,
      }
}

function methodsOf(
  { tempoKey, evmKey, tempoRpcUrl }: TestPaySettings,
  { tempo, evm }: Networks,
  { dispatcher, now }: Pick<WalletDeps, 'dispatcher' | 'now'>,
): PaymentMethod[] {
  return [
    ...(tempoKey === null
      ? []
      : [tempoCharge({ key: tempoKey, rpcUrl: tempoRpcUrl, asset: tempo, dispatcher })]),
    ...(evmKey === null ? [] : [x402Exact({ key: evmKey, assets: [evm], now })]),
  ]
}

/** The balances of the paying accounts on their chains, test networks included. */
export async function walletBalances(settings: PaySettings): Promise<AccountBalance[]> {
  const dispatcher = createOperatorDispatcher()
  try {
    return await readBalances(
      [...accountsOf(settings, MAIN, ''), ...accountsOf(settings.test, TEST, 'test ')],
      dispatcher,
    )
  } finally {
    await dispatcher.close()
  }
}

function accountsOf(
  { tempoKey, evmKey, tempoRpcUrl, evmRpcUrl }: TestPaySettings,
  { tempo, evm }: Networks,
  prefix: string,
): PayingAccount[] {
  return [
    ...(tempoKey === null
      ? []
      : [{ name: `${prefix}tempo`, key: tempoKey, rpcUrl: tempoRpcUrl, asset: tempo }]),
    ...(evmKey === null
      ? []
      : [{ name: `${prefix}evm`, key: evmKey, rpcUrl: evmRpcUrl, asset: evm }]),
  ]
}
