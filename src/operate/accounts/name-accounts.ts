import type { Database } from '../../db/database.ts'
import { parsePublicId, publicId, type Id } from '../../lib/ids.ts'

const KINDS = [
  { kind: 'account', table: 'accounts', ids: /acc_[0-9a-f]{32}/g },
  { kind: 'member', table: 'people', ids: /mem_[0-9a-f]{32}/g },
] as const

/** Email addresses by public id, for the accounts and members in the texts. Closed and erased ones may be missing. */
export async function nameAccounts(
  { query }: Pick<Database, 'query'>,
  texts: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const { kind, table, ids } of KINDS) {
    const found = new Set(texts.flatMap((text) => text?.match(ids) ?? []))
    if (found.size === 0) continue
    const { rows } = await query<{ id: Id; email: string }>(
      `select id, email from ${table} where id = any($1::uuid[])`,
      [[...found].map((id) => parsePublicId(kind, id) ?? '')],
    )
    for (const { id, email } of rows) names.set(publicId(kind, id), email)
  }
  return names
}
