import { StartError } from '../../errors/start-error.ts'
import { readFacilitatorSecret, type FacilitatorKey } from '../../upstream/sell/signed-token.ts'
import type { SettingsReader } from './settings-reader.ts'

/** Where payments of callers without an account go. Null for a payment method that is off. */
export type SellSettings = {
  readonly tempoAddress: string | null
  readonly evmAddress: string | null
  /** The service that verifies and settles x402 payments; null when the operator named none. */
  readonly facilitatorUrl: string | null
  /** Signs requests to the facilitator. */
  readonly facilitatorKey: FacilitatorKey | null
  /** On test networks, calls are paid with test tokens and answered by simulators. */
  readonly networks: 'main' | 'test'
}

/** It serves only test networks, so it is the default for those and not for main networks. */
const TEST_FACILITATOR_URL = 'https://x402.org/facilitator'

/** SELL_TEMPO_ADDRESS, SELL_EVM_ADDRESS, SELL_NETWORKS, SELL_FACILITATOR_URL, SELL_FACILITATOR_KEY_ID and SELL_FACILITATOR_KEY_SECRET. Throws StartError. */
export function readSellSettings(read: SettingsReader): SellSettings {
  const networks = read.oneOf('SELL_NETWORKS', ['main', 'test'], 'main')
  const facilitatorUrl = read.url(
    'SELL_FACILITATOR_URL',
    networks === 'test' ? TEST_FACILITATOR_URL : '',
  )
  return {
    tempoAddress: addressOf('SELL_TEMPO_ADDRESS', read.text('SELL_TEMPO_ADDRESS', '')),
    evmAddress: addressOf('SELL_EVM_ADDRESS', read.text('SELL_EVM_ADDRESS', '')),
    facilitatorUrl: facilitatorUrl === '' ? null : facilitatorUrl,
    facilitatorKey: keyOf(
      read.text('SELL_FACILITATOR_KEY_ID', ''),
      read.text('SELL_FACILITATOR_KEY_SECRET', ''),
    ),
    networks,
  }
}

function keyOf(id: string, secret: string): FacilitatorKey | null {
  if (id === '' && secret === '') return null
  if (id === '' || secret === '')
    throw new StartError(
      'SELL_FACILITATOR_KEY_ID and SELL_FACILITATOR_KEY_SECRET go together: set both or neither.',
    )
  const key = readFacilitatorSecret(secret)
  if (key === null)
    throw new StartError(
      'SELL_FACILITATOR_KEY_SECRET is invalid: it must be an Ed25519 key of 64 bytes in base64, or an EC key (P-256) in PEM.',
    )
  return { id, key }
}

function addressOf(name: string, text: string): string | null {
  if (text === '') return null
  if (!/^0x[0-9a-fA-F]{40}$/.test(text))
    throw new StartError(
      `${name}="${text}" is invalid: it must be an address of 40 hexadecimal digits after 0x.`,
    )
  return text
}
