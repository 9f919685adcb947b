import type { Selling } from '../calls/selling/sell-call.ts'
import { TEMPO_CHARGE, USDC_ON_BASE, USDC_ON_TEMPO } from '../catalog/merchant.ts'
import { acceptMpp } from '../upstream/sell/accept-mpp.ts'
import { acceptX402 } from '../upstream/sell/accept-x402.ts'
import type { Acceptance } from '../upstream/sell/acceptance.ts'
import { takeByFacilitator } from '../upstream/sell/take-by-facilitator.ts'
import { takeOnTempo } from '../upstream/sell/take-on-tempo.ts'
import type { Config } from './config.ts'

/** Selling by the call as the operator set it up, or null: then every call needs a key. `secretKey` is the same in all processes. */
export function openSelling({ sell, pay, publicUrl }: Pick<Config, 'sell' | 'pay' | 'publicUrl'>, secretKey: string): Selling | null {
  const { tempoAddress, evmAddress, facilitatorUrl } = sell
  const acceptances: Acceptance[] = []
  if (tempoAddress !== null) {
    const destination = { asset: USDC_ON_TEMPO, recipient: tempoAddress }
    acceptances.push(acceptMpp({ ...destination, name: TEMPO_CHARGE, secretKey, take: takeOnTempo({ ...destination, secretKey, realm: new URL(publicUrl).host, rpcUrl: pay.tempoRpcUrl }) }))
  }
  if (evmAddress !== null) acceptances.push(acceptX402({ asset: USDC_ON_BASE, recipient: evmAddress, token: { name: 'USD Coin', version: '2' }, take: takeByFacilitator(facilitatorUrl) }))
  return acceptances.length === 0 ? null : { acceptances, publicUrl }
}
