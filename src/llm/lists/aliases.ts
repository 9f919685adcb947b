/** Other names of models: the makers' own, and those that the operator maps. */

// A date or a marker at the end of a maker's name: claude-haiku-5-5-20261001,
// claude-haiku-5-5@20261001 (Vertex AI), gpt-6-luna-2026-09-01, claude-haiku-5-5[1m].
const SUFFIX = /(?:\[1m\]|[-@](?:latest|default|\d{8}|\d{4}-\d{2}-\d{2}))$/i

/** The model or tier that the operator maps the name to; null for none. A name may end in `*`. */
export function findAlias(name: string, aliases: ReadonlyMap<string, string>): string | null {
  const exact = aliases.get(name)
  if (exact !== undefined) return exact
  const matching = [...aliases].filter(
    ([alias]) => alias.endsWith('*') && name.startsWith(alias.slice(0, -1)),
  )
  const longest = matching.toSorted(([one], [other]) => other.length - one.length)[0]
  return longest?.[1] ?? null
}

/**
 * The listed model with a maker's own name, such as anthropic/claude-haiku-5.5 for
 * claude-haiku-5-5-20261001, Anthropic/claude-haiku-5-5 or claude-haiku-5-5@latest. Null if none or
 * several of them have it.
 */
export function findOwnName(name: string, listed: Iterable<string>): string | null {
  const asked = splitMaker(name)
  const wanted = withoutSuffixes(comparable(asked.own))
  const byName = new Map<string, Set<string>>()
  for (const id of listed) {
    const { maker, own } = splitMaker(id)
    if (asked.maker !== null && maker !== asked.maker) continue
    const known = comparable(own)
    if (wanted.includes(known)) byName.set(known, (byName.get(known) ?? new Set()).add(id))
  }
  for (const own of wanted) {
    const found = [...(byName.get(own) ?? [])]
    if (found.length === 1) return found[0] ?? null
    if (found.length > 1) return null
  }
  return null
}

/** The name, then the name without its last suffix, and so on. */
function withoutSuffixes(name: string): readonly string[] {
  const shorter = name.replace(SUFFIX, '')
  return shorter === name ? [name] : [name, ...withoutSuffixes(shorter)]
}

function splitMaker(name: string): { readonly maker: string | null; readonly own: string } {
  const at = name.indexOf('/')
  return at === -1
    ? { maker: null, own: name }
    : { maker: name.slice(0, at).toLowerCase(), own: name.slice(at + 1) }
}

/** Makers write versions with dashes, lists with dots. */
function comparable(name: string): string {
  return name.toLowerCase().replaceAll('.', '-')
}
