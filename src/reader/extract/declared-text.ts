import { isFields } from '../../lib/json-fields.ts'

const SCRIPT = /<script\b[^<>]{0,300}\bld\+json\b[^<>]{0,300}>([^]*?)<\/script/gi
const LEAST_CHARACTERS = 500
const MAX_DEPTH = 6

/**
 * The article text that a page declares as JSON-LD, as HTML. The only source for pages that scripts
 * draw from it.
 */
export function declaredText(html: string): string | undefined {
  const bodies = [...html.matchAll(SCRIPT)].flatMap(([, json]) => bodiesIn(parsed(json ?? ''), 0))
  const longest = bodies.toSorted((a, b) => b.length - a.length)[0] ?? ''
  if (longest.length < LEAST_CHARACTERS) return undefined
  return /<\/?(p|br|div|h\d)\b/i.test(longest)
    ? longest
    : longest
        .split(/\n+/)
        .map((line) => `<p>${line.replaceAll('<', '&lt;')}</p>`)
        .join('')
}

function bodiesIn(value: unknown, depth: number): string[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((each) => bodiesIn(each, depth + 1))
  if (!isFields(value)) return []
  const own = value['articleBody']
  return [
    ...(typeof own === 'string' ? [own.trim()] : []),
    ...['@graph', 'mainEntity', 'hasPart'].flatMap((name) => bodiesIn(value[name], depth + 1)),
  ]
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}
