/** Deeper than any fact in a vendor's answer. */
const DEEPEST = 32

/**
 * Whether a part of a reply contains anything. Blank text does not, nor does a list or object of
 * empty parts only, such as a row of null fields. Nested numbers and flags count.
 */
export function isFilled(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false
  return Object.values(value).some(
    (part) => typeof part === 'number' || typeof part === 'boolean' || isFilled(part, depth + 1),
  )
}

/** The rows that contain anything. */
export function filledRows(rows: readonly unknown[]): unknown[] {
  return rows.filter((row) => isFilled(row))
}
