import type { HistoryFilter } from './history-table.ts'

/** Reads the filter from a query. Drops empty fields; the last value of a repeated field counts. */
export function readHistoryFilter(query: unknown): HistoryFilter {
  const filter: Record<string, string> = {}
  for (const [name, value] of Object.entries(query as Record<string, string | string[]>)) {
    // The mode selects the wallet.
    if (name === 'mode') continue
    const text = (Array.isArray(value) ? (value.at(-1) ?? '') : value).trim()
    if (text !== '') filter[name] = text
  }
  return filter
}
