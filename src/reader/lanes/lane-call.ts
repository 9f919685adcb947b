import type { Clock } from '../../lib/clock.ts'

/** A call of an in-house lane: its account, abort signal, timeout and clock. */
export type LaneCall = {
  readonly accountId: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly now: Clock
}

export type LaneInput = Record<string, unknown>

/**
 * Runs `work` over `items`, at most `width` concurrently. Returns results in the order of the
 * items.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = Array.from<Result>({ length: items.length })
  let next = 0
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await work(items[index] as Item)
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane))
  return results
}

export function stringsOf(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string')
    : []
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
