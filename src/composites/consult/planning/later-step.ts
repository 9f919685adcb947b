/** Steps after the first call that need a value of an earlier answer. */
import type { Entry } from '../../../catalog/index.ts'
import { leastCharge, leastEndpointCharge } from '../../../catalog/prices/price.ts'
import { answerSchema } from '../../../catalog/published/answer-schema.ts'
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import { centsNumber } from '../../../catalog/published/price-block.ts'
import type { Missing } from '../filling/fill.ts'
import { slotOf } from '../filling/slots.ts'
import type { Candidate, SuggestDeps } from '../suggest.ts'

/** `needs`: the missing parameters. `step` is the place of the earlier call, from 1; `from` a path in its `data`. */
export type LaterStep = {
  readonly service: string
  readonly action: string
  readonly endpoint?: string
  readonly params: Data
  readonly needs: readonly {
    readonly param: string
    readonly step: number
    readonly from: string | null
  }[]
  readonly price_cents: number
  readonly why: string
}
/** The action of an earlier step, and its place from 1. */
export type Source = { readonly target: Candidate['target']; readonly step: number }

/** Describes a candidate that cannot be called yet. */
export function toLaterStep(
  { catalog }: SuggestDeps,
  { target, params, missing, summary }: Candidate,
  { target: source, step }: Source,
): LaterStep {
  const entry = catalog.findAction(target.service, target.action)
  const earlier = catalog.findAction(source.service, source.action)
  const answer = answerSchema(earlier.service, source.action, source.endpoint ?? undefined)
  return {
    service: target.service,
    action: target.action,
    ...(target.endpoint === null ? {} : { endpoint: target.endpoint }),
    params,
    needs: missing.map((field) => ({ param: field.name, step, from: pathTo(answer, field) })),
    price_cents: leastCents(entry, target.endpoint),
    why: summary,
  }
}

function leastCents({ action }: Entry, endpoint: string | null): number {
  const listed =
    action.kind === 'endpoint'
      ? action.endpoints.find((one) => one.endpoint === endpoint)
      : undefined
  return centsNumber(
    action.kind === 'endpoint' && listed !== undefined
      ? leastEndpointCharge(action, listed)
      : leastCharge(action),
  )
}

const MOST_DEPTH = 4
const TEXTS = ['markdown', 'content', 'text', 'summary', 'extract', 'answer', 'output']
const NEEDS_TEXT = new Set(['chat', 'prompt', 'speech', 'message', 'text'])

/** The path of the field in an answer that fits a missing parameter: "results[].url". Null without one. */
export function pathTo(answer: JsonSchema | undefined, missing: Missing): string | null {
  const leaves = answer === undefined ? [] : leavesOf(answer, '', MOST_DEPTH)
  const { slot } = missing
  const exact = leaves.find(({ name }) => name.toLowerCase() === missing.name.toLowerCase())
  if (exact !== undefined) return exact.path
  if (NEEDS_TEXT.has(slot.kind))
    return leaves.find(({ name }) => TEXTS.includes(name))?.path ?? null
  const own = slot.kind === 'named' ? slot.of[0] : undefined
  const similar = leaves.toSorted(byName).find(({ name, schema }) => {
    const other = slotOf(name, schema)
    return slot.kind === 'named'
      ? other.kind === 'named' && own !== undefined && other.of.includes(own)
      : other.kind === slot.kind && slot.kind !== 'other'
  })
  return similar?.path ?? null
}

/** A field `url` before others with addresses, such as a website. */
function byName(one: Leaf, other: Leaf): number {
  return Number(/^(?:url|link)$/i.test(other.name)) - Number(/^(?:url|link)$/i.test(one.name))
}

type Leaf = { readonly name: string; readonly path: string; readonly schema: JsonSchema }

/** The fields of texts and numbers, those near the root first. */
function leavesOf(schema: JsonSchema, path: string, depth: number): Leaf[] {
  if (depth === 0) return []
  const fields = Object.entries(schema.properties ?? {})
  const here: Leaf[] = []
  const below: Leaf[] = []
  for (const [name, raw] of fields) {
    const field = raw.anyOf?.find(({ type }) => type !== 'null') ?? raw
    const at = path === '' ? name : `${path}.${name}`
    const items = field.items
    if (field.properties !== undefined) below.push(...leavesOf(field, at, depth - 1))
    else if (items?.properties !== undefined) below.push(...leavesOf(items, `${at}[]`, depth - 1))
    else here.push({ name, path: items === undefined ? at : `${at}[]`, schema: field })
  }
  return [...here, ...below]
}
