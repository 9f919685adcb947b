import { StartError } from '../errors/start-error.ts'
import type { SettingsReader } from './settings-reader.ts'

/** Where money goes that callers without an account pay for single calls. Null: they are not sold to that way. */
export type SellSettings = { readonly tempoAddress: string | null; readonly evmAddress: string | null; readonly facilitatorUrl: string }

const FACILITATOR_URL = 'https://x402.org/facilitator'

/** SELL_TEMPO_ADDRESS, SELL_EVM_ADDRESS and SELL_FACILITATOR_URL. Throws StartError. */
export function readSellSettings(read: SettingsReader): SellSettings {
  return {
    tempoAddress: addressOf('SELL_TEMPO_ADDRESS', read.text('SELL_TEMPO_ADDRESS', '')),
    evmAddress: addressOf('SELL_EVM_ADDRESS', read.text('SELL_EVM_ADDRESS', '')),
    facilitatorUrl: read.url('SELL_FACILITATOR_URL', FACILITATOR_URL),
  }
}

function addressOf(name: string, text: string): string | null {
  if (text === '') return null
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new StartError(`${name}="${text}" is not understood: it must be an address of 40 hexadecimal digits after 0x.`)
  return text
}
