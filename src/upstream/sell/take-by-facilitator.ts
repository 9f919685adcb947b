import type { X402AcceptanceOptions } from './accept-x402.ts'
import { connectFacilitator, type FacilitatorDeps } from './facilitator.ts'

type Refusal = {
  readonly statusCode?: number
  readonly invalidReason?: string
  readonly invalidMessage?: string
  readonly errorReason?: string
  readonly errorMessage?: string
  readonly message?: string
}

const LONGEST_REASON = 300

/** Has an x402 facilitator check a payment and take its money. */
export function takeByFacilitator(deps: FacilitatorDeps): X402AcceptanceOptions['take'] {
  return async (payload, requirement) => {
    const facilitator = await connectFacilitator(deps)
    // Both versions of x402 go this way; the client's types know the second alone.
    const [signed, wanted] = [payload, requirement] as unknown as Parameters<
      typeof facilitator.verify
    >
    // Checking moves no money, so whatever goes wrong there is a payment that was not taken.
    const checked = await facilitator
      .verify(signed, wanted)
      .catch((error: unknown) => ({ isValid: false, ...reasonsOf(error) }))
    if (!checked.isValid) return { refused: textOf(checked) }
    const settled = await facilitator.settle(signed, wanted).catch((error: unknown) => {
      const { statusCode, errorReason } = error as Refusal
      // Its word that the payment is not valid. Any other failure leaves open whether it was taken.
      if (errorReason !== undefined && statusCode !== undefined && statusCode < 500)
        return { success: false as const, ...reasonsOf(error) }
      throw error
    })
    return settled.success
      ? { reference: settled.transaction, receipt: settled }
      : { refused: textOf(settled) }
  }
}

function reasonsOf(error: unknown): Refusal {
  const { invalidReason, invalidMessage, errorReason, errorMessage, message } = error as Refusal
  return Object.fromEntries(
    Object.entries({ invalidReason, invalidMessage, errorReason, errorMessage, message }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

/** The facilitator's own words. */
function textOf({
  invalidReason,
  invalidMessage,
  errorReason,
  errorMessage,
  message,
}: Refusal): string {
  const parts = [
    invalidReason ?? errorReason,
    invalidMessage ??
      errorMessage ??
      (invalidReason === undefined && errorReason === undefined ? message : undefined),
  ]
  const text = parts.filter((part) => typeof part === 'string' && part !== '').join(': ')
  return (text === '' ? 'the facilitator gave no reason' : text).slice(0, LONGEST_REASON)
}
