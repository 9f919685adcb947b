type Rule = { allow: boolean; length: number; pieces: string[]; anchored: boolean }
export type RobotsFile = {
  isAllowed(pathAndQuery: string): boolean
  readonly sitemaps: readonly string[]
}

const MAX_RULES = 5_000

/** robots.txt by RFC 9309: the groups that name `agent` (else `*`), the longest matching rule, Allow on a tie. */
export function parseRobots(text: string, agent: string): RobotsFile {
  const own: Rule[] = []
  const everybody: Rule[] = []
  const sitemaps: string[] = []
  let isNamed = false
  let inRules = false
  /** Whom the present group is for. */
  let isOwn = false
  let isEverybodys = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const { field, value } = robotsField(line)
    if (field === 'user-agent') {
      const name = value.toLowerCase()
      const names = isAgent(name, agent)
      isOwn = names || (!inRules && isOwn)
      isEverybodys = name === '*' || (!inRules && isEverybodys)
      inRules = false
      isNamed ||= names
    } else if (field === 'allow' || field === 'disallow') {
      inRules = true
      const rule = parseRule(field === 'allow', value)
      if (rule === undefined || own.length + everybody.length >= MAX_RULES) continue
      if (isOwn) own.push(rule)
      else if (isEverybodys) everybody.push(rule)
    } else if (field === 'sitemap' && value !== '') {
      sitemaps.push(value)
    }
  }
  const rules = isNamed ? own : everybody
  return {
    sitemaps,
    isAllowed(path) {
      const found = rules.filter((rule) => matches(rule, path))
      const longest = Math.max(...found.map((rule) => rule.length))
      return found.length === 0 || found.some((rule) => rule.length === longest && rule.allow)
    },
  }
}

/**
 * A line without its comment; the field is empty where it says nothing. Cut by hand: patterns that meet a run of spaces, or
 * of comment marks, from both sides take the square of its length.
 */
export function robotsField(line: string): { readonly field: string; readonly value: string } {
  const [said = ''] = line.split('#', 1)
  const colon = said.indexOf(':')
  const field = said.slice(0, Math.max(0, colon)).trim().toLowerCase()
  return /^[a-z-]+$/.test(field)
    ? { field, value: said.slice(colon + 1).trim() }
    : { field: '', value: '' }
}

function isAgent(name: string, agent: string): boolean {
  return (
    name !== '*' && name !== '' && agent.toLowerCase() === (/^[a-z_-]+/.exec(name)?.[0] ?? name)
  )
}

/** An empty rule says nothing ("Disallow:" lets everything pass). */
function parseRule(allow: boolean, path: string): Rule | undefined {
  if (path === '') return undefined
  const anchored = path.endsWith('$')
  return {
    allow,
    length: path.length,
    pieces: (anchored ? path.slice(0, -1) : path).split('*'),
    anchored,
  }
}

/** Piece by piece, each at its first place: no pattern can make this slow, as a regular expression could. */
function matches({ pieces, anchored }: Rule, path: string): boolean {
  const [head = '', ...rest] = pieces
  if (!path.startsWith(head)) return false
  if (rest.length === 0) return !anchored || path.length === head.length
  const tail = anchored ? (rest.pop() ?? '') : ''
  let position = head.length
  for (const piece of rest) {
    const found = path.indexOf(piece, position)
    if (found === -1) return false
    position = found + piece.length
  }
  return path.endsWith(tail) && path.length - tail.length >= position
}
