import type { Data } from '../../catalog/vocabulary/outcome.ts'

/** Without the fields that are undefined. */
export function given(fields: Data): Data {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

export function without(fields: Data, ...names: readonly string[]): Data {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}
