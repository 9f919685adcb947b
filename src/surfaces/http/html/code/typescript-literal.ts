/** TypeScript source of JSON values, as the SDK in packages/sdk takes them. */
const LINE_CHARACTERS = 70

/** A service or an action as a property: `onescrape-deep` is `onescrapeDeep`. */
export function typescriptName(name: string): string {
  return name.replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())
}

export function typescriptLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const items = isList
    ? value.map((item) => typescriptLiteral(item, inner))
    : Object.entries(value).map(
        ([name, item]) => `${propertyName(name)}: ${typescriptLiteral(item, inner)}`,
      )
  if (items.length === 0) return isList ? '[]' : '{}'
  const short = isList ? `[${items.join(', ')}]` : `{ ${items.join(', ')} }`
  if (short.length <= LINE_CHARACTERS && !short.includes('\n')) return short
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)
}

/** JSON's escapes are valid in TypeScript; only the quotes differ. */
function quote(text: string): string {
  const body = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
  return body.includes("'") ? JSON.stringify(text) : `'${body}'`
}
