/** Python source of JSON values, as the SDK in packages/python takes them. */
const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)
const INDENT = '    '
const LINE_CHARACTERS = 70

/** A service or an action as an attribute: `onescrape-deep` is `onescrape_deep`. */
export function pythonName(name: string): string {
  const attribute = name.replaceAll(/\W/g, '_')
  return KEYWORDS.has(attribute) ? `${attribute}_` : attribute
}

/** The arguments of a call: keywords, or one dictionary if a name cannot be one. */
export function pythonArguments(input: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(input)
  if (entries.some(([name]) => !/^[A-Za-z_]\w*$/.test(name))) return `**${pythonLiteral(input, '')}`
  const parts = entries.map(([name, value]) => [pythonName(name), value] as const)
  const short = parts.map(([name, value]) => `${name}=${pythonLiteral(value, '')}`).join(', ')
  if (short.length <= LINE_CHARACTERS && !short.includes('\n')) return short
  return `\n${parts.map(([name, value]) => `${INDENT}${name}=${pythonLiteral(value, INDENT)},\n`).join('')}`
}

function pythonLiteral(value: unknown, indent: string): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  // JSON strings and numbers are valid in Python.
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = indent + INDENT
  const [open, close, items] = Array.isArray(value)
    ? ['[', ']', value.map((item) => pythonLiteral(item, inner))]
    : [
        '{',
        '}',
        Object.entries(value).map(
          ([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, inner)}`,
        ),
      ]
  const short = `${open}${items.join(', ')}${close}`
  if (short.length <= LINE_CHARACTERS && !short.includes('\n')) return short
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`
}
