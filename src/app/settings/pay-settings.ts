import { StartError } from '../../errors/start-error.ts'
import { wholeCents, type Micros } from '../../lib/money.ts'
import type { SettingsReader } from './settings-reader.ts'

/** The operator's wallets. A private key is never shown, logged or repeated in a message. */
export type PaySettings = {
  readonly tempoKey: `0x${string}` | null
  readonly evmKey: `0x${string}` | null
  readonly tempoRpcUrl: string
  /** Used only to read the balance: paying by x402 needs no RPC. */
  readonly evmRpcUrl: string
  /** Daily limit (UTC) of all payments by all wallets. */
  readonly dailyCeiling: Micros
  /** The share of it for merchants of the caller's choice; the rest is reserved for merchants of the catalog. */
  readonly chosenCeiling: Micros
  /** Limit per account of payments with an unknown outcome to merchants that the account named itself. */
  readonly openCeiling: Micros
  /** Wallets on test networks, which test keys pay from. */
  readonly test: TestPaySettings
}

export type TestPaySettings = Pick<PaySettings, 'tempoKey' | 'evmKey' | 'tempoRpcUrl' | 'evmRpcUrl'>

const TEMPO_RPC_URL = 'https://rpc.tempo.xyz'
const BASE_RPC_URL = 'https://mainnet.base.org'
const MODERATO_RPC_URL = 'https://rpc.moderato.tempo.xyz'
const BASE_SEPOLIA_RPC_URL = 'https://sepolia.base.org'
const DEFAULT_DAILY_CENTS = 1_000
const DEFAULT_OPEN_CENTS = 200
const DEFAULT_CATALOG_PERCENT = 50

/** PAY_TEMPO_KEY, PAY_EVM_KEY, PAY_TEMPO_RPC_URL and PAY_EVM_RPC_URL, the same with PAY_TEST_, and PAY_DAILY_CENTS, PAY_CATALOG_PERCENT and PAY_OPEN_CENTS. Throws StartError. */
export function readPaySettings(read: SettingsReader): PaySettings {
  const dailyCeiling = wholeCents(
    read.integer('PAY_DAILY_CENTS', DEFAULT_DAILY_CENTS, 0, 100_000_000),
  )
  const catalogPercent = read.integer('PAY_CATALOG_PERCENT', DEFAULT_CATALOG_PERCENT, 0, 100)
  return {
    tempoKey: keyOf('PAY_TEMPO_KEY', read.text('PAY_TEMPO_KEY', '')),
    evmKey: keyOf('PAY_EVM_KEY', read.text('PAY_EVM_KEY', '')),
    tempoRpcUrl: read.url('PAY_TEMPO_RPC_URL', TEMPO_RPC_URL),
    evmRpcUrl: read.url('PAY_EVM_RPC_URL', BASE_RPC_URL),
    dailyCeiling,
    chosenCeiling: (dailyCeiling * BigInt(100 - catalogPercent)) / 100n,
    test: {
      tempoKey: keyOf('PAY_TEST_TEMPO_KEY', read.text('PAY_TEST_TEMPO_KEY', '')),
      evmKey: keyOf('PAY_TEST_EVM_KEY', read.text('PAY_TEST_EVM_KEY', '')),
      tempoRpcUrl: read.url('PAY_TEST_TEMPO_RPC_URL', MODERATO_RPC_URL),
      evmRpcUrl: read.url('PAY_TEST_EVM_RPC_URL', BASE_SEPOLIA_RPC_URL),
    },
    openCeiling: wholeCents(read.integer('PAY_OPEN_CENTS', DEFAULT_OPEN_CENTS, 0, 100_000_000)),
  }
}

function keyOf(name: string, text: string): `0x${string}` | null {
  if (text === '') return null
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(text))
    throw new StartError(`${name} is invalid: it must be a private key of 64 hexadecimal digits.`)
  return text.startsWith('0x') ? (text as `0x${string}`) : `0x${text}`
}
