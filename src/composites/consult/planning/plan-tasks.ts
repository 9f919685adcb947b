/** Plans the calls for an intent with several tasks, and names the parts that no action carries out. */
import { actOf } from '../checking/acts.ts'
import { IDENTIFYING_KINDS } from '../checking/fit.ts'
import { decide, type Decision } from '../decide.ts'
import { platformsIn } from '../platforms.ts'
import type { IntentReading } from '../reading/intent-reading.ts'
import { refersBack, withObject, type Clauses } from '../reading/task-clauses.ts'
import type { Candidate, SuggestDeps } from '../suggest.ts'
import { followUp, lookUpFor } from './follow-up.ts'
import { pathTo, toLaterStep, type LaterStep, type Source } from './later-step.ts'
import { answerSchema } from '../../../catalog/published/answer-schema.ts'
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'

/** `first` is the decision about the first task. `calls` are all calls that need no earlier answer. */
export type Plan = {
  readonly first: Decision
  readonly candidates: readonly Candidate[]
  readonly calls: readonly Candidate[]
  readonly later: readonly LaterStep[]
  readonly leftOut: readonly string[]
}
/** `isFirst`: the first clause takes no values of the others. */
type Find = (
  clause: string,
  isFirst?: boolean,
) => { readonly reading: IntentReading; readonly candidates: Candidate[] }

/** Null if the clauses are rather parts of one task. */
export function planTasks(deps: SuggestDeps, { texts, isSure }: Clauses, find: Find): Plan | null {
  const [firstText = '', ...laterTexts] = texts
  if (laterTexts.length === 0) return null
  const { reading, candidates } = find(firstText, true)
  const { decision, later: looked } = decideWithLookUp(deps, reading, candidates)
  if (decision.kind === 'nothing' || (decision.kind === 'choice' && !isSure)) return null
  const head = decision.kind === 'calls' ? decision.candidate : candidates[0]
  if (head === undefined) return null
  const object = objectOf(reading)
  const calls = decision.kind === 'calls' ? [decision.candidate] : []
  const later = [...looked]
  const leftOut: string[] = []
  let source: Source = {
    target: later.length > 0 ? (targetOf(later[0]) ?? head.target) : head.target,
    step: Math.max(1, calls.length + later.length),
  }
  for (const text of laterTexts) {
    const part = planPart(deps, text, object, source, find)
    if (part.kind === 'call') calls.push(part.candidate)
    else if (part.kind === 'step') {
      later.push(toLaterStep(deps, part.candidate, source))
      source = { target: part.candidate.target, step: calls.length + later.length }
    } else if (isSure || isAct(part)) leftOut.push(text)
    else return null
  }
  const isOneTask = calls.length + later.length + leftOut.length < 2 || isRepeated(calls)
  return isOneTask && !isSure ? null : { first: decision, candidates, calls, later, leftOut }
}

function targetOf(step: LaterStep | undefined): Candidate['target'] | undefined {
  return step === undefined
    ? undefined
    : { service: step.service, action: step.action, endpoint: step.endpoint ?? null }
}

/** Whether two clauses led to the same call, so that they are one task. */
function isRepeated(calls: readonly Candidate[]): boolean {
  const texts = calls.map(({ call }) => JSON.stringify([call?.service, call?.action, call?.params]))
  return new Set(texts).size < texts.length
}

/** The decision about one task. A missing identifier is looked up by the name that the intent has. */
export function decideWithLookUp(
  deps: SuggestDeps,
  reading: IntentReading,
  candidates: readonly Candidate[],
): { readonly decision: Decision; readonly later: readonly LaterStep[] } {
  const decision = decide(candidates)
  const [wanted] =
    decision.kind === 'field'
      ? [decision.candidate]
      : decision.kind === 'choice'
        ? decision.candidates.filter(({ probability }) => probability >= LEAST_TO_LOOK_UP)
        : []
  const found = wanted === undefined ? null : lookUpFor(deps, wanted, reading)
  if (found === null || wanted === undefined) return { decision, later: [] }
  return {
    decision: { kind: 'calls', candidate: found },
    later: [toLaterStep(deps, wanted, { target: found.target, step: 1 })],
  }
}

const LEAST_TO_LOOK_UP = 0.5

type Part =
  | { readonly kind: 'call' | 'step'; readonly candidate: Candidate }
  | { readonly kind: 'none'; readonly isAct: boolean }

function isAct(part: Part): boolean {
  return part.kind === 'none' && part.isAct
}

const LEAST_OF_STEP = 0.15

function planPart(
  deps: SuggestDeps,
  text: string,
  object: string | undefined,
  { target: source }: Source,
  find: Find,
): Part {
  const alone = find(text)
  if (actOf(text) !== null && decide(alone.candidates).kind === 'nothing')
    return { kind: 'none', isAct: true }
  const following = followUp(deps, source, alone.reading)
  if (following !== null) return { kind: 'step', candidate: following }
  const completed = withObject(text, object)
  const withIt = completed === null ? null : decide(find(completed).candidates)
  const isSame =
    withIt?.kind === 'calls' &&
    withIt.candidate.target.action === source.action &&
    withIt.candidate.target.endpoint === source.endpoint
  if (withIt?.kind === 'calls' && !isSame) return { kind: 'call', candidate: withIt.candidate }
  const decision = decide(alone.candidates)
  if (decision.kind === 'calls' && !refersBack(text))
    return { kind: 'call', candidate: decision.candidate }
  if (decision.kind === 'nothing') return { kind: 'none', isAct: actOf(text) !== null }
  const earlier = deps.catalog.findAction(source.service, source.action)
  const answer = answerSchema(earlier.service, source.action, source.endpoint ?? undefined)
  const possible = alone.candidates
    .filter(
      ({ probability, problems, target }) =>
        probability >= LEAST_OF_STEP &&
        hasSamePlatform(target, source) &&
        problems.every(({ kind }) => kind !== 'act'),
    )
    .map((one) => withNeeds(one, answer))
  const isFed = ({ missing }: Candidate): boolean =>
    missing.length > 0 && missing.every((field) => pathTo(answer, field) !== null)
  const [best] = possible
  const fed = possible.find((one) => isFed(one) && one.score >= (best?.score ?? 0) * LEAST_SHARE)
  const step = fed ?? best
  return step === undefined
    ? { kind: 'none', isAct: actOf(text) !== null }
    : { kind: 'step', candidate: step }
}

function hasSamePlatform(one: Candidate['target'], other: Candidate['target']): boolean {
  const [own, others] = [one, other].map(({ action, endpoint }) =>
    platformsIn(`${action} ${endpoint ?? ''}`),
  )
  if (own === undefined || others === undefined || own.length === 0 || others.length === 0)
    return true
  return own.some((platform) => others.includes(platform))
}

const LEAST_SHARE = 0.6

/** With the field that narrows the action, if it requires none. */
function withNeeds(candidate: Candidate, answer: JsonSchema | undefined): Candidate {
  const filter =
    candidate.filters.find((field) => pathTo(answer, field) !== null) ?? candidate.filters[0]
  return candidate.missing.length > 0 || filter === undefined
    ? candidate
    : { ...candidate, missing: [filter] }
}

/** The text of the identifier that later clauses call "it". */
function objectOf({ entities }: IntentReading): string | undefined {
  return entities.found.find(({ kind }) => IDENTIFYING_KINDS.includes(kind))?.text
}
