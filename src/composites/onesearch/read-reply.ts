/** Reads replies whose format is not validated. */
import type { Data, Outcome } from '../../catalog/vocabulary/outcome.ts'

export function dataOf(outcome: Outcome): Data {
  return outcome.kind === 'failed' ? {} : outcome.data
}

export function toRecords(value: unknown): Data[] {
  return Array.isArray(value)
    ? value.filter((item): item is Data => typeof item === 'object' && item !== null)
    : []
}

export function toText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}
