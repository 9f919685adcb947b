import { currentAuthor } from './author.ts'
import type { Query } from './database.ts'

/** A change that no trigger records, because it changes no row of a watched table. */
export type UnwatchedChange = {
  /** Null for a change that concerns no account. */
  readonly accountId: string | null
  /** One of CHANGE_SUBJECTS in src/audit. */
  readonly subject: string
  readonly subjectId: string
  readonly what: 'created' | 'changed' | 'deleted'
  /** Each field with its value before and after, or "hidden" for a secret. */
  readonly fields?: Readonly<Record<string, readonly [before: unknown, after: unknown] | 'hidden'>>
}

/** Writes an entry of the audit log with the current author. Call it in the transaction of the change. */
export async function recordChange(
  { query }: { readonly query: Query },
  { accountId, subject, subjectId, what, fields = {} }: UnwatchedChange,
): Promise<void> {
  const author = currentAuthor()
  await query(
    `insert into changes (account_id, author, origin, request_id, reason, subject, subject_id, what, fields)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb)`,
    [
      accountId,
      author?.by ?? 'gateway',
      author?.from ?? null,
      author?.requestId ?? null,
      author?.reason ?? null,
      subject,
      subjectId,
      what,
      JSON.stringify(fields),
    ],
  )
}
