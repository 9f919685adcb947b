/** Deeper than any fact of a vendor's answer lies. */
const DEEPEST = 32

/**
 * Whether a part of a reply holds anything: blank text does not, nor does a list or an object of nothing but empty
 * parts, such as a row whose fields are all null. Inside them a number or a flag is a fact too.
 */
export function isFilled(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false
  return Object.values(value).some(
    (part) => typeof part === 'number' || typeof part === 'boolean' || isFilled(part, depth + 1),
  )
}

/** The rows that hold anything. */
export function filledRows(rows: readonly unknown[]): unknown[] {
  return rows.filter((row) => isFilled(row))
}
