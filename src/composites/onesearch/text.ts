/** Normalises titles, snippets and dates of search results. */
const MAX_READ_CHARS = 4_000
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
  '#x27': "'",
}

/** One line without tags and character references, cut at a word. Null for an empty text. */
export function plainText(text: string | null, maxChars: number): string | null {
  const plain = (text ?? '')
    .slice(0, MAX_READ_CHARS)
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, '')
    .replace(
      /&(#?\w{1,6});/g,
      (reference, name: string) => ENTITIES[name.toLowerCase()] ?? reference,
    )
    .replace(/\s+/g, ' ')
    .trim()
  if (plain === '') return null
  return plain.length <= maxChars ? plain : `${plain.slice(0, maxChars).replace(/\s+\S*$/, '')}…`
}

/** Converts a service's date to RFC 3339 in UTC. Null for texts such as "3 days ago". */
export function publishedAt(text: string | null): string | null {
  if (text === null || text.length > 60 || !/\d{4}/.test(text)) return null
  // `Date.parse` reads a time without a zone as local time.
  const written = text.replace(
    /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/,
    '$1-$2-$3T$4:$5:$6Z',
  )
  const zoned = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(written) ? `${written}Z` : written
  const ms = Date.parse(zoned)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
