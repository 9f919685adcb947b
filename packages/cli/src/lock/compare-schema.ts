/** Differences between two locked schemas, and whether programs that use the old one still work. */
import { OPTIONAL, partsOf, type LockedSchema } from './lock-schema.ts'

export type Change = { readonly what: string; readonly isBreaking: boolean }

/** Callers send inputs and read answers: an input may accept more, and an answer may return less. */
export type Side = 'input' | 'answer'

export function compareSchemas(
  side: Side,
  before: LockedSchema | null,
  after: LockedSchema | null,
): readonly Change[] {
  if (before?.hash === after?.hash) return []
  if (before === null) return [{ what: `${side}: is now described`, isBreaking: false }]
  if (after === null) return [{ what: `${side}: is no longer described`, isBreaking: true }]
  const paths = [
    ...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)]),
  ].toSorted()
  const changes = paths.flatMap((path) => {
    const parent = parentOf(path)
    // The change of the parent is reported.
    if (isMissing(before, parent) || isMissing(after, parent)) return []
    return compareField(side, path, before.fields[path], after.fields[path])
  })
  if (changes.length > 0) return changes
  return [{ what: `${side}: a default, a pattern or a condition changed`, isBreaking: true }]
}

function parentOf(path: string): string | null {
  const end = path.endsWith('[]') ? path.length - 2 : path.lastIndexOf('.')
  return end <= 0 ? null : path.slice(0, end).replace(/(?:\[\])+$/, '')
}

function isMissing({ fields }: LockedSchema, parent: string | null): boolean {
  return parent !== null && parent !== '' && fields[parent] === undefined
}

function compareField(
  side: Side,
  path: string,
  before: string | undefined,
  after: string | undefined,
): readonly Change[] {
  if (before === after) return []
  if (before === undefined) {
    const isBreaking = side === 'input' && after?.endsWith(OPTIONAL) !== true
    return [{ what: `${side}: ${path} added (${after})`, isBreaking }]
  }
  if (after === undefined)
    return [{ what: `${side}: ${path} removed (${before})`, isBreaking: true }]
  const [narrow, wide] = side === 'input' ? [before, after] : [after, before]
  const isBreaking =
    !isWithin(narrow, wide) || (narrow.endsWith(OPTIONAL) && !wide.endsWith(OPTIONAL))
  return [{ what: `${side}: ${path} changed from ${before} to ${after}`, isBreaking }]
}

/** Whether every value of one form has the other form, too. */
function isWithin(narrow: string, wide: string): boolean {
  const parts = partsOf(wide)
  return partsOf(narrow).every((part) => parts.some((other) => fits(part, other)))
}

const FORM =
  /^(any|string|array|integer|number|object|boolean|null)(?: (-?[\d.e+-]*?)\.\.(-?[\d.e+-]*))?$/

function fits(part: string, other: string): boolean {
  if (part === other || other === 'any') return true
  const wide = FORM.exec(other)
  if (wide === null) return false
  const [, type, least = '', most = ''] = wide
  const narrow = FORM.exec(part)
  if (narrow === null) return least === '' && most === '' && typeOfLiteral(part) === type
  const [, own, ownLeast = '', ownMost = ''] = narrow
  const isSame = own === type || (own === 'integer' && type === 'number')
  return isSame && isAtLeast(ownLeast, least) && isAtMost(ownMost, most)
}

const isAtLeast = (own: string, bound: string): boolean =>
  bound === '' || (own !== '' && Number(own) >= Number(bound))
const isAtMost = (own: string, bound: string): boolean =>
  bound === '' || (own !== '' && Number(own) <= Number(bound))

function typeOfLiteral(text: string): string {
  if (text.startsWith('"')) return 'string'
  return text === 'true' || text === 'false' ? 'boolean' : 'number'
}
