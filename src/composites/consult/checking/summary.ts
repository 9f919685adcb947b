import type { Entry } from '../../../catalog/index.ts'

/** The summary of an action, or of the endpoint `path` of a passthrough. */
export function summaryOf({ action }: Pick<Entry, 'action'>, path: unknown): string {
  if (action.kind !== 'endpoint') return action.summary
  return action.endpoints.find(({ endpoint }) => endpoint === path)?.summary ?? action.summary
}

/** Whether the action lists or ranks all of something, such as vulnerabilities that are exploited. */
export function isList(entry: Pick<Entry, 'action'>, path: unknown): boolean {
  return /^(?:list|rank)\b/i.test(summaryOf(entry, path))
}
