type Rule = { allow: boolean; length: number; pieces: string[]; anchored: boolean }
export type RobotsFile = {
  isAllowed(pathAndQuery: string): boolean
  readonly sitemaps: readonly string[]
}

const MAX_RULES = 5_000

/**
 * Parses robots.txt by RFC 9309: the groups for `agent`, else for `*`. The longest matching rule
 * applies; Allow wins a tie.
 */
export function parseRobots(text: string, agent: string): RobotsFile {
  const own: Rule[] = []
  const general: Rule[] = []
  const sitemaps: string[] = []
  let isNamed = false
  let inRules = false
  /** Which agents the current group applies to. */
  let isOwn = false
  let isGeneral = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const { field, value } = robotsField(line)
    if (field === 'user-agent') {
      const name = value.toLowerCase()
      const names = isAgent(name, agent)
      isOwn = names || (!inRules && isOwn)
      isGeneral = name === '*' || (!inRules && isGeneral)
      inRules = false
      isNamed ||= names
    } else if (field === 'allow' || field === 'disallow') {
      inRules = true
      const rule = parseRule(field === 'allow', value)
      if (rule === undefined || own.length + general.length >= MAX_RULES) continue
      if (isOwn) own.push(rule)
      else if (isGeneral) general.push(rule)
    } else if (field === 'sitemap' && value !== '') {
      sitemaps.push(value)
    }
  }
  const rules = isNamed ? own : general
  return {
    sitemaps,
    isAllowed(pathAndQuery) {
      const path = toOctets(pathAndQuery).replaceAll('*', '%2A').replaceAll('$', '%24')
      const found = rules.filter((rule) => matches(rule, path))
      const longest = Math.max(...found.map((rule) => rule.length))
      return found.length === 0 || found.some((rule) => rule.length === longest && rule.allow)
    },
  }
}

/**
 * Splits a line without its comment; `field` is empty for an invalid line. Split by hand: patterns
 * anchored at both ends of a run of spaces or `#` take quadratic time.
 */
export function robotsField(line: string): { readonly field: string; readonly value: string } {
  const [content = ''] = line.split('#', 1)
  const colon = content.indexOf(':')
  const field = content.slice(0, Math.max(0, colon)).trim().toLowerCase()
  return /^[a-z-]+$/.test(field)
    ? { field, value: content.slice(colon + 1).trim() }
    : { field: '', value: '' }
}

function isAgent(name: string, agent: string): boolean {
  return (
    name !== '*' && name !== '' && agent.toLowerCase() === (/^[a-z_-]+/.exec(name)?.[0] ?? name)
  )
}

/** An empty rule has no effect: "Disallow:" allows everything. */
function parseRule(allow: boolean, value: string): Rule | undefined {
  if (value === '') return undefined
  const anchored = value.endsWith('$')
  const path = toOctets(anchored ? value.slice(0, -1) : value).replaceAll('$', '%24')
  return { allow, length: path.length + (anchored ? 1 : 0), pieces: path.split('*'), anchored }
}

const UNRESERVED = /[\w.~-]/

/** One spelling for each sequence of octets (RFC 9309, 2.2.2): reserved signs as they are, others encoded. */
function toOctets(path: string): string {
  return path
    .replace(/[^\w!#$&'()*+,./:;=?@[\]~%-]+/gu, (signs) => encodeURIComponent(signs.toWellFormed()))
    .replace(/%([0-9a-f]{2})/gi, (triplet, octet: string) => {
      const sign = String.fromCharCode(Number.parseInt(octet, 16))
      return UNRESERVED.test(sign) ? sign : triplet.toUpperCase()
    })
}

/**
 * Matches piece by piece, each at its first occurrence. A regular expression could take exponential
 * time.
 */
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
