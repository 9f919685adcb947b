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

/** Verifies a payment and takes its money through an x402 facilitator. */
export function takeByFacilitator(deps: FacilitatorDeps): X402AcceptanceOptions['take'] {
  return async (payload, requirement) => {
    const facilitator = await connectFacilitator(deps)
    // Handles both versions of x402; the client's types cover only the second.
    const [signed, wanted] = [payload, requirement] as unknown as Parameters<
      typeof facilitator.verify
    >
    // Verifying moves no money, so after any error the payment was not taken.
    const checked = await facilitator
      .verify(signed, wanted)
      .catch((error: unknown) => ({ isValid: false, ...reasonsOf(error) }))
    if (!checked.isValid) return { refused: textOf(checked) }
    const settled = await facilitator.settle(signed, wanted).catch((error: unknown) => {
      const { statusCode, errorReason } = error as Refusal
      // The facilitator rejects the payment as invalid. Any other failure leaves the outcome
      // unknown.
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

/** The facilitator's own message. */
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
