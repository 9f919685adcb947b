import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../errors/start-error.ts'
import type { Transaction } from './database.ts'

/** Checksums by the name of the file. */
export type Checksums = ReadonlyMap<string, string>

export async function readApplied(tx: Transaction): Promise<Checksums> {
  const { rows } = await tx.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  )
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

export async function recordMigration(
  tx: Transaction,
  name: string,
  checksum: string,
): Promise<void> {
  await tx.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function editedAfterwards(name: string): StartError {
  return new StartError(
    `Migration ${name} was changed after it was applied. Restore the file and put the change into a new one.`,
  )
}

const BASELINE = '0001-baseline.sql'
/** The oldest commit whose database this version accepts. It upgrades every older one. */
const OLDEST_COMMIT = '7641a625'

/**
 * Replaces the records of all migrations before version 0.1.0 by that of the baseline, which has
 * the same result. A database that lacks some of them gets those that `former` contains. Throws
 * StartError for an older one.
 */
export async function adoptFormer(tx: Transaction, folder: string): Promise<void> {
  const former = readChecksums(join(folder, 'former', 'checksums.txt'))
  const applied = await readApplied(tx)
  if (!former.keys().some((name) => applied.has(name))) return
  for (const [name, checksum] of former) {
    const found = applied.get(name)
    if (found === undefined) await tx.query(readFormer(folder, name))
    else if (found !== checksum) throw editedAfterwards(name)
  }
  await tx.query(readFileSync(join(folder, 'former', 'to-baseline.sql'), 'utf8'))
  await tx.query('delete from migrations where name = any($1)', [[...former.keys()]])
  await recordMigration(tx, BASELINE, sha256(readFileSync(join(folder, BASELINE), 'utf8')))
}

function readFormer(folder: string, name: string): string {
  const file = join(folder, 'former', name)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  throw new StartError(
    `The database is too old for this version: it lacks migration ${name}. Start commit ${OLDEST_COMMIT} on it once (git worktree add ../tollgate-bridge ${OLDEST_COMMIT}, then npm start there with the same DATA_DIR or DATABASE_URL), stop it, and start this version.`,
  )
}

/**
 * Finds migrations by their checksum that have another name or an older text now: before a release
 * some were renumbered, and those in `former/edited.sql` changed.
 */
export async function adoptRenamed(
  tx: Transaction,
  folder: string,
  files: readonly string[],
): Promise<void> {
  const present = new Map(
    files.map((name) => [sha256(readFileSync(join(folder, name), 'utf8')), name]),
  )
  const edits = readEdits(join(folder, 'former', 'edited.sql'))
  for (const [name, checksum] of await readApplied(tx)) {
    if (present.get(checksum) === name) continue
    let current = checksum
    for (let edit = edits.get(current); edit !== undefined; edit = edits.get(current)) {
      await tx.query(edit.sql)
      current = edit.checksum
    }
    const renamed = present.get(current)
    if (renamed === undefined) continue
    await tx.query('update migrations set name = $2, checksum = $3 where name = $1', [
      name,
      renamed,
      current,
    ])
  }
}

type Edit = { readonly checksum: string; readonly sql: string }

/** By the checksum of the former text. */
function readEdits(file: string): ReadonlyMap<string, Edit> {
  if (!existsSync(file)) return new Map()
  const parts = readFileSync(file, 'utf8').matchAll(
    /^-- ([0-9a-f]{64}) ([0-9a-f]{64})\n((?:(?!-- ).*\n)*)/gm,
  )
  return new Map(
    [...parts].map(([, from = '', checksum = '', sql = '']) => [from, { checksum, sql }]),
  )
}

/** Lines of `sha256sum`. Empty for a folder without former migrations. */
export function readChecksums(file: string): Checksums {
  if (!existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]))
}
