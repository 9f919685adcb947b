/**
 * Reads XML and HTML without a parser, in linear time. Sufficient for documents of public sources.
 */

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  sect: '§',
}

/** The text without tags. The end of a paragraph or heading becomes an empty line. */
export function xmlText(xml: string): string {
  const lines = xml
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<\/(?:p|head|h[1-6]|li|tr|div\d?)>/gi, '\n\n')
    .replaceAll(/<[^<>]*>/g, '')
  return decodeEntities(lines)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** The text of the first element of this name, or undefined. */
export function elementText(xml: string, name: string): string | undefined {
  const [first] = elements(xml, name)
  return first === undefined ? undefined : xmlText(first)
}

/**
 * The content of every element of this name, in order. Nested elements of the same name are not
 * supported.
 */
export function elements(xml: string, name: string): string[] {
  const closing = `</${name}>`
  const found: string[] = []
  for (const part of xml.split(new RegExp(`<${name}(?=[\\s>])`)).slice(1)) {
    const start = part.indexOf('>') + 1
    const end = part.indexOf(closing, start)
    if (start > 0 && end >= 0) found.push(part.slice(start, end))
  }
  return found
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x?[0-9a-f]{1,6}|[a-z]{1,10});/gi, (whole, entity: string) => {
    if (!entity.startsWith('#')) return NAMED_ENTITIES[entity.toLowerCase()] ?? whole
    const code =
      entity.charAt(1).toLowerCase() === 'x'
        ? Number.parseInt(entity.slice(2), 16)
        : Number(entity.slice(1))
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}
