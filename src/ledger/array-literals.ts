// Arrays as PostgreSQL array literals, written here because pg would quote and escape every id and number.

/** An array literal of values that need no quotes: numbers and ids. None is null, which costs PostgreSQL nothing to read. */
export function plainArray<Item>(
  items: readonly Item[],
  pick: (item: Item) => string | number | bigint | null,
): string | null {
  if (items.length === 0) return null
  let text = '{'
  for (let place = 0; place < items.length; place += 1) {
    const value = pick(items[place] as Item)
    text += place === 0 ? (value ?? 'null') : `,${value ?? 'null'}`
  }
  return `${text}}`
}

/**
 * Of texts that JSON.stringify made. They hold no control characters, so quoting them as JSON says the same to PostgreSQL,
 * in a quarter of the time.
 */
export function jsonTextArray<Item>(
  items: readonly Item[],
  pick: (item: Item) => string | null,
): string | null {
  return plainArray(items, (item) => {
    const text = pick(item)
    return text === null ? null : JSON.stringify(text)
  })
}

const NEEDS_ESCAPE = /["\\]/g

export function quotedArray<Item>(
  items: readonly Item[],
  pick: (item: Item) => string | null,
): string | null {
  if (items.length === 0) return null
  let text = '{'
  for (let place = 0; place < items.length; place += 1) {
    const value = pick(items[place] as Item)
    if (place > 0) text += ','
    text += value === null ? 'null' : `"${value.replace(NEEDS_ESCAPE, '\\$&')}"`
  }
  return `${text}}`
}
