/** Turns the typed parts of a record into the untyped parts of an action. */
import { titleFromSentence } from '../titles/title-from-sentence.ts'
import { anyAddress } from '../validate/web-address.ts'
import type { ActionBase, MerchantSource, Source } from './action.ts'
import type { Data } from './outcome.ts'
import type { Described, MerchantSpec } from './specs.ts'
import { chargedOnResult, chargedPerUnit } from './tariff.ts'

export function describe<I>(spec: Described<I>): Omit<ActionBase, 'input'> {
  // Safe: the functions of an action receive validated input only, and that is an `I`.
  const erased = spec as unknown as Described<Data>
  return {
    title: erased.title ?? titleFromSentence(erased.summary),
    summary: erased.summary,
    description: erased.description,
    keywords: erased.keywords ?? [],
    example: erased.example,
    exampleNeeds: erased.exampleNeeds ?? [],
    price: erased.price,
    priceFor: (input) => erased.exceptionalPrice?.(input) ?? erased.price,
    hasExceptions: erased.exceptionalPrice !== undefined,
    leastCharge: erased.leastCharge,
    priceSource: erased.priceSource,
    billing:
      erased.billing ??
      (erased.price.kind === 'flat' || erased.price.kind === 'computed'
        ? chargedOnResult
        : chargedPerUnit),
    timeoutMs: erased.timeoutMs,
    answerStatus: erased.answerStatus ?? 200,
    untrustedContent: erased.untrustedContent ?? false,
    fileFields: erased.fileFields ?? [],
    isReplayable: erased.isReplayable ?? false,
    isOrder: erased.isOrder ?? false,
    check: (input, checkAddress = anyAddress) => erased.check?.(input, checkAddress),
  }
}

export function pickSource({ request, followUps, reply, outcome }: Source): Source {
  return { request, reply, outcome, ...(followUps === undefined ? {} : { followUps }) }
}

/** Fills the gaps of a merchant's spec from the action's own source. */
export function toMerchantSource<I>(
  spec: MerchantSpec<I> | undefined,
  own: Source,
): MerchantSource | undefined {
  if (spec === undefined) return undefined
  const {
    at,
    sells = () => true,
    request,
    followUps,
    reply = own.reply,
    outcome = own.outcome,
  } = spec as unknown as MerchantSpec<Data>
  // Follow-ups belong to the first request: a merchant with its own request inherits none.
  const next = request === undefined ? (followUps ?? own.followUps) : followUps
  return {
    at,
    sells,
    request: request ?? own.request,
    reply,
    outcome,
    ...(next === undefined ? {} : { followUps: next }),
  }
}
