/**
 * Judges answers of core/consult by every value: a call is right only if it has all expected values and no text that
 * the intent does not explain.
 */
import { isAcceptable, nameOf, toPlain, type Answer, type Target } from './judge.ts'
import type { Data } from '../../src/catalog/vocabulary/outcome.ts'
import type { ExpectedStep, ValueCase } from './read-values.ts'

/** An answer with the steps that follow its calls, and the parts of the intent without any action. */
export type WholeAnswer = Answer & {
  readonly later: readonly Target[]
  readonly leftOut: readonly string[]
}
export type ValueVerdict = 'right' | 'offered' | 'question' | 'nothing' | 'wrong' | 'dropped'

/**
 * `dropped`: the first task is right and the second one is neither called nor named. The other verdicts are those of
 * `judge.ts`.
 */
export function judgeValues(expected: ValueCase, answer: WholeAnswer): ValueVerdict {
  const [first, second] = expected.steps
  if (first === undefined) return 'nothing'
  if (answer.priced !== null) return isRight(first, answer.priced) ? 'right' : 'question'
  if (answer.calls.length === 0) return judgeQuestion(first, answer)
  const [call, ...others] = answer.calls
  if (call === undefined || !isRight(first, call)) return 'wrong'
  if (second === undefined) return others.every((one) => isRight(first, one)) ? 'right' : 'wrong'
  const later = [...others, ...answer.later]
  if (later.some((one) => isAcceptable(second.expected, toName(one)))) return 'right'
  return answer.leftOut.length > 0 ? 'right' : 'dropped'
}

function judgeQuestion(
  { expected }: ExpectedStep,
  { question, offered }: WholeAnswer,
): ValueVerdict {
  if (expected.questions.some((pattern) => pattern.test(question ?? ''))) return 'right'
  if (expected.isUnanswerable)
    return question?.includes('othing in the catalog') === true || offered.length === 0
      ? 'right'
      : 'question'
  if (offered.some((target) => isAcceptable(expected, nameOf(target)))) return 'offered'
  return offered.length === 0 ? 'nothing' : 'question'
}

function toName(call: Target & { readonly params?: Data }): string {
  const endpoint = call.endpoint ?? call.params?.['endpoint']
  return nameOf({ ...call, endpoint: typeof endpoint === 'string' ? endpoint : null })
}

type Call = Target & { readonly params: Data }

function isRight({ expected, values }: ExpectedStep, call: Call): boolean {
  const leaves = Object.entries(call.params).flatMap(([name, value]) =>
    name === 'endpoint' ? [] : leavesOf(value).map((text) => ({ name, text: toPlain(text) })),
  )
  const holds = ({ fields, texts, isExact }: (typeof values)[number]): boolean =>
    leaves.some(
      ({ name, text }) =>
        (fields.includes('*') || fields.includes(name)) &&
        texts.some((one) => (isExact ? text === one : text.includes(one))),
    )
  return (
    isAcceptable(expected, toName(call)) &&
    values.every(
      (value) => value.role === 'optional' || holds(value) === (value.role === 'must'),
    ) &&
    leaves.every(({ name, text }) => isExplained(name, text, values))
  )
}

/** Choices of the gateway, not texts of the intent: models, formats, sort orders, short codes, numbers and flags. */
const OWN_FIELDS =
  /^(?:model|role|type|mode|formats?|render|interval|max_tokens|topic|category|sources|encoding_format)$/
const OWN_TEXT = /^(?:[\d.:-]*|true|false|user|.{0,3})$/u

function isExplained(name: string, text: string, values: ExpectedStep['values']): boolean {
  if (OWN_FIELDS.test(name) || OWN_TEXT.test(text)) return true
  return values.some(
    ({ role, texts, isExact }) =>
      role !== 'never' &&
      texts.some((one) => one.includes(withoutScheme(text)) || (!isExact && text.includes(one))),
  )
}

function withoutScheme(text: string): string {
  return text.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')
}

function leavesOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leavesOf)
    : [String(value)]
}
