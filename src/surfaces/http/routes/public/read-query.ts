const MAX_QUERY_CHARS = 200

/** The words of a search. Any other value than one text is an empty query. */
export function readQuery(text: unknown): string {
  return (typeof text === 'string' ? text : '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_QUERY_CHARS)
}
