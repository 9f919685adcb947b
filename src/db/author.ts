import { AsyncLocalStorage } from 'node:async_hooks'

/** The author of changes, and their origin. The triggers of src/audit/sql record it with every change. */
export type Author = {
  /** Such as "key agk_…", "member mem_…" or "operator root". */
  by: string
  /** A network address, or "command line". */
  readonly from: string
  /** The public id of the request. */
  readonly requestId: string | null
  /** Why an operator makes the change. */
  readonly reason?: string
}

// The functions that change keys and accounts have dozens of callers. A parameter would be forgotten.
const authors = new AsyncLocalStorage<Author>()

/** Runs `work`. Its transactions are recorded as the author's. */
export function runAs<T>(author: Author, work: () => T): T {
  return authors.run(author, work)
}

/** Names the author of the current request once it is known. */
export function nameAuthor(by: string): void {
  const author = authors.getStore()
  if (author !== undefined) author.by = by
}

/** The author of the current work, or null for the gateway's own work. */
export function currentAuthor(): Author | null {
  return authors.getStore() ?? null
}
