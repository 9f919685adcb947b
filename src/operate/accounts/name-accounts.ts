import type { Database } from '../../db/database.ts'
import { parsePublicId, publicId, type Id } from '../../lib/ids.ts'

/** Email addresses by public account id, for the ids in the texts. Closed and erased accounts may be missing. */
export async function nameAccounts(
  { query }: Pick<Database, 'query'>,
  texts: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(texts.flatMap((text) => text?.match(/acc_[0-9a-f]{32}/g) ?? []))
  if (ids.size === 0) return new Map()
  const { rows } = await query<{ id: Id; email: string }>(
    'select id, email from accounts where id = any($1::uuid[])',
    [[...ids].map((id) => parsePublicId('account', id) ?? '')],
  )
  return new Map(rows.map(({ id, email }) => [publicId('account', id), email]))
}
