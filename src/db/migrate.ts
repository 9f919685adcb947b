import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../errors/start-error.ts'
import type { Transaction, Work } from './database.ts'
import { LOCK_NUMBER } from './lock-number.ts'

/** What SQL alone cannot do: it comes after the file with this name, in the same transaction. */
export type MigrationSteps = Readonly<Record<string, (tx: Transaction) => Promise<void>>>

/**
 * Brings the database up to the newest of the numbered SQL files in `folder`. Forward only. Of several processes
 * that start at once one applies and the others wait; a file that was edited after it was applied stops the start.
 */
export async function migrate(
  database: Pick<Work, 'transaction'>,
  folder: string,
  steps: MigrationSteps = {},
): Promise<string[]> {
  const files = readdirSync(folder)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
  return database.transaction(async (tx) => {
    // Another process that migrates may take its time.
    await tx.query('set local lock_timeout = 0')
    await tx.query(`select pg_advisory_xact_lock(${LOCK_NUMBER.migrations})`)
    await tx.query(
      'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const { rows } = await tx.query<{ name: string; checksum: string }>(
      'select name, checksum from migrations order by name',
    )
    refuseNewer(rows, files)
    const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
    const fresh: string[] = []
    for (const name of files) {
      if (!(await applyOnce(tx, folder, name, applied.get(name)))) continue
      await steps[name]?.(tx)
      fresh.push(name)
    }
    return fresh
  })
}

function refuseNewer(rows: readonly { name: string }[], files: readonly string[]): void {
  const unknown = rows.find(({ name }) => !files.includes(name))
  if (unknown !== undefined)
    throw new StartError(
      `The database was migrated by a newer version (${unknown.name} is not known here). Update this copy before starting it.`,
    )
}

async function applyOnce(
  tx: Transaction,
  folder: string,
  name: string,
  appliedChecksum: string | undefined,
): Promise<boolean> {
  const sql = readFileSync(join(folder, name), 'utf8')
  const checksum = createHash('sha256').update(sql).digest('hex')
  if (appliedChecksum === checksum) return false
  if (appliedChecksum !== undefined)
    throw new StartError(
      `Migration ${name} was changed after it was applied. Restore the file and put the change into a new one.`,
    )
  await tx.query(sql)
  await tx.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
  return true
}
