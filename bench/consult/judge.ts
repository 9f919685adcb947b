/** Compares an answer of core/consult with the acceptable outcomes of an intent. */
import type { Data } from '../../src/catalog/vocabulary/outcome.ts'
import type { Case, ExpectedValue } from './read-cases.ts'

export type Target = {
  readonly service: string
  readonly action: string
  readonly endpoint?: string | null
}
export type Answer = {
  readonly calls: readonly (Target & { readonly params: Data })[]
  readonly question: string | null
  /** The actions that the question offers or is about. */
  readonly offered: readonly Target[]
  /** The call that the question asks to pay for. */
  readonly priced: (Target & { readonly params: Data }) | null
  readonly isCharged: boolean
}
/**
 * `right`: an acceptable call, question or refusal. `offered`: a question that was not necessary, about an
 * acceptable action. `wrong`: a call that is not acceptable.
 */
export type Verdict = 'right' | 'offered' | 'wrong' | 'question' | 'nothing'

export function judge(expected: Case, { calls, question, offered, priced }: Answer): Verdict {
  // A call above 50 cents needs consent, so the question about its price is the right one.
  if (priced !== null) return isRight(expected, priced) ? 'right' : 'question'
  if (calls.length > 0) return calls.every((call) => isRight(expected, call)) ? 'right' : 'wrong'
  if (question !== null && expected.questions.some((pattern) => pattern.test(question)))
    return 'right'
  const isOffered = offered.some((target) => isAcceptable(expected, nameOf(target)))
  if (isOffered) return 'offered'
  // The question states that probably nothing matches, and is free.
  if (expected.isUnanswerable && question?.includes('nothing in the catalog') === true)
    return 'right'
  if (expected.mayMatchNothing && offered.length === 0) return 'right'
  return offered.length === 0 ? 'nothing' : 'question'
}

function isRight(expected: Case, call: Target & { readonly params: Data }): boolean {
  const endpoint = call.params['endpoint']
  const name = nameOf({ ...call, endpoint: typeof endpoint === 'string' ? endpoint : null })
  return (
    isAcceptable(expected, name) && expected.values.every((value) => hasValue(call.params, value))
  )
}

/** Whether an action is one of the acceptable ones. */
export function isAcceptable({ actions }: Case, name: string): boolean {
  return actions.some((pattern) => pattern.test(name))
}

/** `service/action`, and `@endpoint` of a passthrough. */
export function nameOf({ service, action, endpoint }: Target): string {
  return `${service}/${action}${typeof endpoint === 'string' ? `@${endpoint}` : ''}`
}

function hasValue(params: Data, { fields, values, isExact }: ExpectedValue): boolean {
  const texts = Object.entries(params)
    .filter(([name]) => name !== 'endpoint' && (fields.includes('*') || fields.includes(name)))
    .flatMap(([, value]) => textsOf(value))
    .map(toPlain)
  return values
    .map(toPlain)
    .some((value) => texts.some((text) => (isExact ? text === value : text.includes(value))))
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsOf)
  return [String(value)]
}

export function toPlain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
