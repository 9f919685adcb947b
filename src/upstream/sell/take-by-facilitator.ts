import { setTimeout as delay } from 'node:timers/promises'
import type { X402AcceptanceOptions } from './accept-x402.ts'
import type { NotSettled, Refused, Unchecked } from './acceptance.ts'
import { connectFacilitator, type FacilitatorDeps } from './facilitator.ts'

type Take = X402AcceptanceOptions['take']
type Taken = Awaited<ReturnType<Take>>
type Reply = {
  readonly statusCode?: number
  readonly invalidReason?: string
  readonly invalidMessage?: string
  readonly errorReason?: string
  readonly errorMessage?: string
  readonly message?: string
  readonly transaction?: string
}

const LONGEST_REASON = 300
/** The waits before the repetitions of a settlement without a final answer. */
const REPEAT_AFTER_MS = [0, 1_000, 3_000]
/** No repetition begins later, so that a settlement ends within the lease of its sale. */
const REPEAT_WITHIN_MS = 20_000

/** Failures of the facilitator itself, which are no verdict on the payment. */
const FACILITATOR_FAILED = /unexpected|unavailable|time(d_|_)?out|node_failure|rpc_|internal/i
/**
 * Reasons that exclude a transfer, before and after the answer. A used nonce, a failed simulation
 * and a transaction that failed do not: the transfer to this gateway may be their cause.
 */
const REFUSALS =
  /^(insufficient_(funds|balance)|payment_expired|(unsupported|invalid)_(scheme|network|x402_version|payload|payload_type|payment|payment_requirements|asset|signature)|invalid_exact_evm_(?!.*(nonce|transaction|simulation|transfer_event|pending|time|confirm))\w+)$/

/**
 * Verifies a payment and takes its money through an x402 facilitator. Repeats a settlement without
 * a final answer; after that, only a success is certain.
 */
export function takeByFacilitator(
  deps: FacilitatorDeps,
  wait: (ms: number) => Promise<unknown> = delay,
): Take {
  return async (payload, requirement, isRepeat = false) => {
    const facilitator = await connectFacilitator(deps)
    // Handles both versions of x402; the client's types cover only the second.
    const [signed, wanted] = [payload, requirement] as unknown as Parameters<
      typeof facilitator.verify
    >
    // The nonce of a transfer that is on its way is used, so a repeat would fail verification.
    const flaw = isRepeat ? null : await verify()
    return flaw ?? settleRepeatedly()

    /** Null for a valid payment. Verifying moves no money. */
    async function verify(): Promise<Refused | Unchecked | null> {
      try {
        const checked = await facilitator.verify(signed, wanted)
        return checked.isValid ? null : verdictOf(checked)
      } catch (error) {
        const reply = error as Reply
        return reply.invalidReason === undefined || (reply.statusCode ?? 500) >= 500
          ? { unchecked: textOf(reply) }
          : verdictOf(reply)
      }
    }

    async function settleOnce(): Promise<Taken> {
      try {
        const settled = await facilitator.settle(signed, wanted)
        return settled.success
          ? { reference: settled.transaction, receipt: settled }
          : failureOf(settled)
      } catch (error) {
        return failureOf(error as Reply)
      }
    }

    async function settleRepeatedly(): Promise<Taken> {
      const startedMs = deps.now()
      const first = await settleOnce()
      if (!('unknown' in first)) return first
      for (const waitMs of REPEAT_AFTER_MS) {
        if (deps.now() - startedMs + waitMs > REPEAT_WITHIN_MS) break
        await wait(waitMs)
        const next = await settleOnce()
        if ('reference' in next) return next
      }
      return first
    }
  }
}

function verdictOf(reply: Reply): Refused | Unchecked {
  return FACILITATOR_FAILED.test(reply.invalidReason ?? '')
    ? { unchecked: textOf(reply) }
    : { refused: textOf(reply) }
}

function failureOf(reply: Reply): NotSettled {
  const { statusCode = 200, errorReason = '', transaction = '' } = reply
  if (transaction === '' && statusCode < 500 && REFUSALS.test(errorReason))
    return { refused: textOf(reply) }
  return {
    unknown: `${textOf(reply)}${transaction === '' ? '' : `, transaction ${transaction.slice(0, 100)}`}`,
  }
}

/** The facilitator's own message. */
function textOf({
  invalidReason,
  invalidMessage,
  errorReason,
  errorMessage,
  message,
}: Reply): string {
  const reason = invalidReason ?? errorReason
  const parts = [
    reason,
    invalidMessage ?? errorMessage ?? (reason === undefined ? message : undefined),
  ]
  const text = parts.filter((part) => typeof part === 'string' && part !== '').join(': ')
  return (text === '' ? 'the facilitator gave no reason' : text).slice(0, LONGEST_REASON)
}
