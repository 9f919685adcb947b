import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../errors/start-error.ts'
import type { Transaction, Work } from './database.ts'
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
    const applied = await readApplied(tx)
    refuseNewer(applied, files)
    const fresh: string[] = []
    for (const name of files)
      if (await applyOnce(tx, migrations, name, applied.get(name))) fresh.push(name)
    for (const { module } of changes) await createObjects(tx, module)
    return [...fresh, ...changes.map(({ module }) => module.name)]
  })
}

type Checksums = ReadonlyMap<string, string>

async function readApplied(tx: Transaction): Promise<Checksums> {
  const { rows } = await tx.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  )
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
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
  await record(tx, name, checksum)
  return true
}

async function record(tx: Transaction, name: string, checksum: string): Promise<void> {
  await tx.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function editedAfterwards(name: string): StartError {
  return new StartError(
    `Migration ${name} was changed after it was applied. Restore the file and put the change into a new one.`,
  )
}

const BASELINE = '0001-baseline.sql'

/**
 * Replaces the records of all migrations before version 0.1.0 by that of the baseline, which has
 * the same result.
 */
async function adoptFormer(tx: Transaction, folder: string): Promise<void> {
  const former = readFormer(join(folder, 'former', 'checksums.txt'))
  const applied = await readApplied(tx)
  if (!former.keys().some((name) => applied.has(name))) return
  for (const [name, checksum] of former) {
    const found = applied.get(name)
    if (found === undefined)
      throw new StartError(
        `The database is too old for this version: it lacks migration ${name}. Start the commit before ${BASELINE} on it once, then this version.`,
      )
    if (found !== checksum) throw editedAfterwards(name)
  }
  await tx.query(readFileSync(join(folder, 'former', 'to-baseline.sql'), 'utf8'))
  await tx.query('delete from migrations where name = any($1)', [[...former.keys()]])
  await record(tx, BASELINE, sha256(readFileSync(join(folder, BASELINE), 'utf8')))
}

/** Lines of `sha256sum`. Empty for a folder without former migrations. */
function readFormer(file: string): Checksums {
  if (!existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]))
}
