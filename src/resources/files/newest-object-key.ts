import type { Database } from '../../db/database.ts'

/** The object key of the newest file; null if no file is stored. */
export async function newestObjectKey(database: Database): Promise<string | null> {
  const { rows } = await database.query<{ key: string }>(
    'select object_key as key from files where object_key is not null order by id desc limit 1',
  )
  return rows[0]?.key ?? null
}
