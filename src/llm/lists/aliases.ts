/** Other names of models: the makers' own, and those that the operator maps. */

// A date or a marker at the end of a maker's name: claude-haiku-5-5-20261001, gpt-6-luna-2026-09-01.
const SUFFIX = /(?:\[1m\]|-latest|-\d{8}|-\d{4}-\d{2}-\d{2})$/

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
 * claude-haiku-5-5-20261001. Null if none or several of them have it.
 */
export function findOwnName(name: string, listed: Iterable<string>): string | null {
  if (name.includes('/')) return null
  const wanted = [comparable(name), comparable(name.replace(SUFFIX, ''))]
  const byName = new Map<string, Set<string>>()
  for (const id of listed) {
    const at = id.indexOf('/')
    if (at === -1) continue
    const own = comparable(id.slice(at + 1))
    if (wanted.includes(own)) byName.set(own, (byName.get(own) ?? new Set()).add(id))
  }
  for (const own of wanted) {
    const found = [...(byName.get(own) ?? [])]
    if (found.length === 1) return found[0] ?? null
    if (found.length > 1) return null
  }
  return null
}

/** Makers write versions with dashes, lists with dots. */
function comparable(name: string): string {
  return name.toLowerCase().replaceAll('.', '-')
}
