/** Texts of search results, made fit to be shown. */
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

/** One line without tags and character references, cut at a word; null when nothing is left. */
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

/** A date as a service wrote it, as RFC 3339 in UTC; null when it is none, such as "3 days ago". */
export function publishedAt(text: string | null): string | null {
  if (text === null || text.length > 60 || !/\d{4}/.test(text)) return null
  // A date and time without a zone would be read as local time.
  const written = text.replace(
    /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/,
    '$1-$2-$3T$4:$5:$6Z',
  )
  const zoned = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(written) ? `${written}Z` : written
  const ms = Date.parse(zoned)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
