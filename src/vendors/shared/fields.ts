import type { Data } from '../../catalog/vocabulary/outcome.ts'

/** Omits undefined fields, so that defaults apply. */
export function dropUndefined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<T>
}

export function omitFields(fields: Data, ...names: readonly string[]): Data {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}
