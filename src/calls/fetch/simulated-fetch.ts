import type { HopReceipt } from '../../catalog/vocabulary/handlers.ts'
import { cents, minMicros, type Micros } from '../../lib/money.ts'
import type { Incoming } from '../../upstream/exchange.ts'

const PRICE = cents('1')

/** The response to a test key for any URL. The gateway sends no request and signs no payment; play money pays. */
export function simulatedFetch(
  url: URL,
  most: Micros,
): { readonly answer: Incoming; readonly receipt: HopReceipt | null; readonly charge: Micros } {
  const charge = minMicros(PRICE, most)
  const receipt = {
    merchant: url.host,
    method: 'simulated',
    reference: 'simulated',
    challenge_id: 'simulated',
    amount_micros: Number(charge),
  }
  const text = JSON.stringify({ simulated: true, address: url.href })
  return {
    answer: { status: 200, headers: { 'content-type': 'application/json' }, text },
    receipt: charge === 0n ? null : receipt,
    charge,
  }
}
