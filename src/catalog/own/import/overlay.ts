/** Applies an Overlay 1.0 document: a list of changes at JSONPath targets. */
import { isFields, listedFields, parseFields, type Fields } from '../../../lib/json-fields.ts'
import { asText } from './as-text.ts'
import { Refusal } from './refusal.ts'

const MOST_TARGETS = 100_000

type Step =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'all' }
  | { readonly kind: 'below' }

/** A value with the place that holds it. */
type Place = { readonly holder: Record<string, unknown> | unknown[]; readonly at: string }

/** Returns a changed copy. Throws Refusal for a document that is no overlay, and for a target that matches nothing. */
export function applyOverlay(document: Fields, text: string): Fields {
  const { overlay, actions } = parseFields(text) ?? {}
  if (typeof overlay !== 'string' || !overlay.startsWith('1.') || !Array.isArray(actions))
    throw new Refusal('The overlay must be JSON with "overlay": "1.0.0" and "actions".')
  const whole = { root: structuredClone(document) as Record<string, unknown> }
  for (const [index, { target, update, remove }] of listedFields(actions).entries()) {
    const path = asText(target)
    const places = findPlaces(whole, parsePath(path))
    if (places.length === 0)
      throw new Refusal(`The target ${path} of the overlay (action ${index + 1}) matches nothing.`)
    // From the last on, so that indexes of lists stay valid.
    for (const place of places.toReversed())
      if (remove === true) removeAt(place)
      else if (update !== undefined) updateAt(place, update)
  }
  if (!isFields(whole.root)) throw new Refusal('The overlay removes the whole document.')
  return whole.root
}

function parsePath(path: string): readonly Step[] {
  if (!path.startsWith('$'))
    throw new Refusal(`The target ${path} of the overlay must begin with "$".`)
  const steps: Step[] = []
  let rest = path.slice(1)
  while (rest !== '') {
    const [text, name, quoted, double, index] =
      /^(?:\.\.(?=[\w[*])|\.?\*|\[\*\]|\.?([A-Za-z_][\w-]*)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\])/.exec(
        rest,
      ) ?? []
    if (text === undefined)
      throw new Refusal(
        `The target ${path} of the overlay uses more than names, indexes, "*" and ".." (at "${rest.slice(0, 20)}").`,
      )
    const own = name ?? (quoted ?? double)?.replaceAll(/\\(.)/g, '$1') ?? index
    if (text === '..') steps.push({ kind: 'below' })
    else steps.push(own === undefined ? { kind: 'all' } : { kind: 'name', name: own })
    rest = rest.slice(text.length)
  }
  return steps
}

function findPlaces(whole: Record<string, unknown>, steps: readonly Step[]): readonly Place[] {
  return steps.reduce<readonly Place[]>(
    (places, step) => {
      const next = places.flatMap((place) => follow(place, step))
      if (next.length > MOST_TARGETS)
        throw new Refusal(`A target of the overlay matches more than ${MOST_TARGETS} values.`)
      return next
    },
    [{ holder: whole, at: 'root' }],
  )
}

function follow(place: Place, step: Step): readonly Place[] {
  const value = valueAt(place)
  if (typeof value !== 'object' || value === null) return step.kind === 'below' ? [place] : []
  const holder = value as Place['holder']
  if (step.kind === 'name')
    return Object.hasOwn(holder, step.name) ? [{ holder, at: step.name }] : []
  const inner = Object.keys(holder).map((at) => ({ holder, at }))
  return step.kind === 'all' ? inner : [place, ...inner.flatMap((one) => follow(one, step))]
}

function valueAt({ holder, at }: Place): unknown {
  return (holder as Record<string, unknown>)[at]
}

function removeAt({ holder, at }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(at), 1)
  else delete holder[at]
}

/** Objects merge, lists grow at the end, and other values are replaced. */
function updateAt(place: Place, update: unknown): void {
  const value = valueAt(place)
  const next =
    Array.isArray(value) && !Array.isArray(update)
      ? [...(value as unknown[]), update]
      : merge(value, update)
  Object.defineProperty(place.holder, place.at, {
    value: next,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

function merge(value: unknown, update: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(update))
    return [...(value as unknown[]), ...(update as unknown[])]
  if (!isFields(value) || !isFields(update)) return structuredClone(update)
  const merged = Object.entries(update).map(([name, part]) => [
    name,
    Object.hasOwn(value, name) ? merge(value[name], part) : structuredClone(part),
  ])
  return { ...value, ...Object.fromEntries(merged) }
}
