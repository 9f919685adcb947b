import type { X402AcceptanceOptions } from './accept-x402.ts'

const TIMEOUT_MS = 30_000

/** Has an x402 facilitator check a payment and take its money. Loaded when the first payment comes. */
export function takeByFacilitator(url: string): X402AcceptanceOptions['take'] {
  return async (payload, requirement) => {
    const { HTTPFacilitatorClient } = await import('@x402/core/server')
    const facilitator = new HTTPFacilitatorClient({ url, timeoutMs: TIMEOUT_MS })
    const [signed, wanted] = [payload, { ...requirement, extra: { ...requirement.extra } }]
    // Checking moves no money, so whatever goes wrong there is a payment that was not taken.
    const { isValid } = await facilitator.verify(signed, wanted).catch(() => ({ isValid: false }))
    if (!isValid) return null
    const settled = await facilitator.settle(signed, wanted)
    return settled.success ? { reference: settled.transaction, receipt: settled } : null
  }
}
