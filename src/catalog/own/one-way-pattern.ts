/**
 * Whether a regular expression has one way at most to reach each of its positions with a text. Then the engine
 * tries at most as many ways as the expression has positions, however long the text is.
 */

const MOST_POSITIONS = 100
/** Enough to see whether two classes of characters overlap. */
const LATIN = Array.from({ length: 0x250 }, (_, code) => String.fromCodePoint(code))

/** The positions (characters of the expression) that can be first and last, and whether no text fits, too. */
type Part = {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly isEmpty: boolean
}

const NOTHING: Part = { first: [], last: [], isEmpty: true }

class Ambiguous extends Error {
  override readonly name = 'Ambiguous'
}

/** False for expressions with anything else than characters, classes, groups, alternatives and counts. */
export function matchesOneWay(pattern: string): boolean {
  if (!pattern.startsWith('^')) return false
  try {
    const { first, follow, atoms } = readPositions(pattern.slice(1).replace(/(?<!\\)\$$/, ''))
    return !meetsAgain(first, follow, atoms)
  } catch (error) {
    if (error instanceof Ambiguous || error instanceof SyntaxError) return false
    throw error
  }
}

function readPositions(source: string) {
  const atoms: string[] = []
  const follow: Set<number>[] = []
  let rest = source
  const whole = readChoice()
  if (rest !== '') throw new Ambiguous()
  return { first: whole.first, follow, atoms }

  /** A second way from one position to another is a second way to match. */
  function connect(from: readonly number[], to: readonly number[]): void {
    for (const one of from)
      for (const other of to) {
        if (follow[one]?.has(other) === true) throw new Ambiguous()
        follow[one]?.add(other)
      }
  }

  function readChoice(): Part {
    let sum = readSequence()
    while (rest.startsWith('|')) {
      rest = rest.slice(1)
      const next = readSequence()
      if (sum.isEmpty && next.isEmpty) throw new Ambiguous()
      sum = {
        first: [...sum.first, ...next.first],
        last: [...sum.last, ...next.last],
        isEmpty: sum.isEmpty || next.isEmpty,
      }
    }
    return sum
  }

  function readSequence(): Part {
    let all = NOTHING
    while (rest !== '' && !/^[|)]/.test(rest)) {
      const part = readCounted()
      connect(all.last, part.first)
      all = {
        first: all.isEmpty ? [...all.first, ...part.first] : all.first,
        last: part.isEmpty ? [...all.last, ...part.last] : part.last,
        isEmpty: all.isEmpty && part.isEmpty,
      }
    }
    return all
  }

  /** A count above one is treated as any number, which has more ways. */
  function readCounted(): Part {
    const part = readPart()
    const [text = '', low, comma, high] = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/.exec(rest) ?? []
    rest = rest.slice(text.length)
    if (text === '') return part
    const most =
      low === undefined ? (text.startsWith('?') ? 1 : Infinity) : mostOf(low, comma, high)
    const isOptional = low === undefined ? !text.startsWith('+') : Number(low) === 0
    if (part.isEmpty && (isOptional || most > 1)) throw new Ambiguous()
    if (most > 1) connect(part.last, part.first)
    return isOptional ? { ...part, isEmpty: true } : part
  }

  function readPart(): Part {
    const [group] = /^\((?:\?:|\?<[A-Za-z_]\w*>)?(?!\?)/.exec(rest) ?? []
    if (group !== undefined) {
      rest = rest.slice(group.length)
      const inner = readChoice()
      if (!rest.startsWith(')')) throw new Ambiguous()
      rest = rest.slice(1)
      return inner
    }
    const [atom] =
      /^(?:\[(?:\\[^]|[^\]\\])*\]|\\u\{[0-9a-f]+\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[^1-9bBkpPux]|[^\\()[\]{}*+?^$|])/iu.exec(
        rest,
      ) ?? []
    if (atom === undefined || /\\[pP]/.test(atom)) throw new Ambiguous()
    rest = rest.slice(atom.length)
    const position = atoms.push(atom) - 1
    if (position >= MOST_POSITIONS) throw new Ambiguous()
    follow.push(new Set())
    return { first: [position], last: [position], isEmpty: false }
  }
}

function mostOf(low: string, comma: string | undefined, high: string | undefined): number {
  if (comma === undefined) return Number(low)
  return high === undefined || high === '' ? Infinity : Number(high)
}

/** Whether two ways with the same text part and then reach the same position. */
function meetsAgain(
  first: readonly number[],
  follow: readonly ReadonlySet<number>[],
  atoms: readonly string[],
): boolean {
  const overlap = overlapOf(atoms)
  const seen = new Set<number>()
  const waiting: (readonly [number, number])[] = []
  /** The positions that both ways can reach next. */
  const visit = (one: Iterable<number>, other: Iterable<number>, haveParted: boolean): boolean => {
    const others = [...other]
    for (const left of one)
      for (const right of others) {
        if (left === right && haveParted) return true
        if (left > right && !haveParted) continue
        const pair = Math.min(left, right) * MOST_POSITIONS + Math.max(left, right)
        if (seen.has(pair) || !overlap(left, right)) continue
        seen.add(pair)
        waiting.push([left, right])
      }
    return false
  }
  if (visit(first, first, false)) return true
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [left, right] = next
    if (visit(follow[left] ?? [], follow[right] ?? [], left !== right)) return true
  }
  return false
}

function overlapOf(atoms: readonly string[]): (one: number, other: number) => boolean {
  const named = atoms.flatMap((atom) => [...atom].map((one) => one.codePointAt(0) ?? 0))
  const written = atoms.flatMap((atom) =>
    [...atom.matchAll(/\\u\{?([0-9a-f]+)/gi)].map(([, code = '0']) => Number.parseInt(code, 16)),
  )
  const more = [...named, ...written, 0x4e00, 0x1f600]
    .flatMap((code) => [code - 1, code, code + 1])
    .filter((code) => code >= 0 && code <= 0x10_ffff)
    .map((code) => String.fromCodePoint(code))
  const characters = [...new Set([...LATIN, ...more])]
  const sets = new Map<string, ReadonlySet<string>>()
  for (const atom of atoms) {
    const form = new RegExp(`^${atom}$`, 'su')
    if (!sets.has(atom)) sets.set(atom, new Set(characters.filter((one) => form.test(one))))
  }
  const setOf = (position: number) => sets.get(atoms[position] ?? '') ?? new Set<string>()
  return (one, other) => one === other || !setOf(one).isDisjointFrom(setOf(other))
}
