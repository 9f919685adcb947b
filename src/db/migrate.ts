import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../errors/start-error.ts'
import type { Transaction, Work } from './database.ts'
import {
  adoptFormer,
  adoptRenamed,
  type Checksums,
  editedAfterwards,
  readApplied,
  recordMigration,
  sha256,
} from './former-migrations.ts'
import { LOCK_NUMBER } from './lock-number.ts'
import { createObjects, dropObjects, findModuleChanges, readSqlModule } from './sql-module.ts'

export type Schema = {
  /** The folder of the numbered SQL files that create and change tables. */
  readonly migrations: string
  /** Folders of functions, views and triggers (`SqlModule`), in the order of creation. */
  readonly modules: readonly string[]
}

/**
 * Migrates the database to the current schema in one transaction: drops the modules that changed,
 * runs new migrations, creates the modules again. Forward only. Several processes can start at the
 * same time: one migrates and the others wait. Returns the names of the applied migrations and
 * modules. Throws StartError for a file that was edited after it was applied, and for a newer
 * database.
 */
export async function migrate(
  database: Pick<Work, 'transaction'>,
  { migrations, modules: folders }: Schema,
): Promise<string[]> {
  const files = readdirSync(migrations)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
  const modules = folders.map(readSqlModule)
  return database.transaction(async (tx) => {
    // Another process that migrates may take its time.
    await tx.query('set local lock_timeout = 0')
    await tx.query(`select pg_advisory_xact_lock(${LOCK_NUMBER.migrations})`)
    await tx.query(
      'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const changes = await findModuleChanges(tx, modules)
    for (const change of changes.toReversed()) await dropObjects(tx, change)
    await adoptFormer(tx, migrations)
    await adoptRenamed(tx, migrations, files)
    const applied = await readApplied(tx)
    refuseNewer(applied, files)
    const fresh: string[] = []
    for (const name of files)
      if (await applyOnce(tx, migrations, name, applied.get(name))) fresh.push(name)
    for (const { module } of changes) await createObjects(tx, module)
    return [...fresh, ...changes.map(({ module }) => module.name)]
  })
}

function refuseNewer(applied: Checksums, files: readonly string[]): void {
  const unknown = [...applied.keys()].find((name) => !files.includes(name))
  if (unknown !== undefined)
    throw new StartError(
      `A newer version has migrated the database: this copy does not contain ${unknown}. Update this copy before starting it.`,
    )
}

async function applyOnce(
  tx: Transaction,
  folder: string,
  name: string,
  appliedChecksum: string | undefined,
): Promise<boolean> {
  const sql = readFileSync(join(folder, name), 'utf8')
  const checksum = sha256(sql)
  if (appliedChecksum === checksum) return false
  if (appliedChecksum !== undefined) throw editedAfterwards(name)
  await tx.query(sql)
  await recordMigration(tx, name, checksum)
  return true
}
