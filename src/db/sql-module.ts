import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { StartError } from '../errors/start-error.ts'
import type { Transaction } from './database.ts'

/**
 * A folder of functions, views and triggers, one per file, that `migrate` creates again when one of
 * them changes. Each file has the name of its object.
 */
export type SqlModule = {
  readonly folder: string
  readonly name: string
  /** Raised with every change, so that an older copy of the program recognizes a newer database. */
  readonly version: number
  readonly checksum: string
  /** In the order of creation. */
  readonly objects: readonly SqlObject[]
}

type SqlObject = { readonly name: string; readonly sql: string }

export type SqlManifest = {
  readonly name: string
  readonly version: number
  /** Of the files when the version was last raised. */
  readonly checksum: string
  readonly files: readonly string[]
}

export function readManifest(folder: string): SqlManifest {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as SqlManifest
}

/** Throws StartError when the manifest and the folder list different files. */
export function readSqlModule(folder: string): SqlModule {
  const { name, version, files } = readManifest(folder)
  const present = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  const stray = [...new Set(files).symmetricDifference(new Set(present))]
  if (stray.length > 0)
    throw new StartError(
      `${join(folder, 'manifest.json')} does not match its folder: ${stray.join(', ')}.`,
    )
  const objects = files.map((file) => ({
    name: basename(file, '.sql'),
    sql: readFileSync(join(folder, file), 'utf8'),
  }))
  const hash = createHash('sha256')
  for (const { name: object, sql } of objects) hash.update(`${object}\0${sql}\0`)
  return { folder, name, version, checksum: hash.digest('hex'), objects }
}

/** A module to create again, and the objects in the database that it replaces. */
export type ModuleChange = { readonly module: SqlModule; readonly replaced: readonly string[] }

/**
 * The modules that differ from the database. Throws StartError when the database has a newer
 * version of one, or when one was edited and its version is the same.
 */
export async function findModuleChanges(
  tx: Transaction,
  modules: readonly SqlModule[],
): Promise<readonly ModuleChange[]> {
  await tx.query(
    'create table if not exists sql_modules (name text primary key, version integer not null, checksum text not null, objects text[] not null, applied_at timestamptz not null)',
  )
  const { rows } = await tx.query<{
    name: string
    version: number
    checksum: string
    objects: readonly string[]
  }>('select name, version, checksum, objects from sql_modules')
  const newer = rows.find(
    ({ name, version }) =>
      version >
      (modules.find((module) => module.name === name)?.version ?? Number.NEGATIVE_INFINITY),
  )
  if (newer !== undefined)
    throw new StartError(
      `A newer version has changed the database: the "${newer.name}" functions have version ${newer.version}. Update this copy before starting it.`,
    )
  return modules.flatMap((module) => {
    const applied = rows.find(({ name }) => name === module.name)
    if (applied?.checksum === module.checksum && applied.version === module.version) return []
    if (applied?.version === module.version)
      throw new StartError(
        `The files in ${module.folder} were changed after version ${module.version} was applied. Restore them, or run "npx node tools/sql-manifests.ts" to raise the version.`,
      )
    return [{ module, replaced: applied?.objects ?? [] }]
  })
}

/**
 * Drops the module's former and current objects, in reverse order. Views can prevent changes to the
 * tables that they read, so this precedes the numbered migrations.
 */
export async function dropObjects(
  tx: Transaction,
  { module, replaced }: ModuleChange,
): Promise<void> {
  const names = new Set([...replaced, ...module.objects.map(({ name }) => name)])
  for (const name of [...names].toReversed()) {
    const { rows } = await tx.query<{ statement: string }>(DROP_STATEMENTS, [name])
    for (const { statement } of rows) await tx.query(statement)
  }
}

// A function can have several signatures. Triggers precede their function.
const DROP_STATEMENTS = `
  with functions as (
    select oid from pg_proc where proname = $1 and pronamespace = current_schema()::regnamespace
  )
  select format('drop trigger %I on %s', tgname, tgrelid::regclass) as statement
    from pg_trigger where tgfoid in (select oid from functions) and tgparentid = 0
  union all
  select format('drop function %s', oid::regprocedure) from functions
  union all
  select format('drop view %I', relname) from pg_class
    where relname = $1 and relkind = 'v' and relnamespace = current_schema()::regnamespace`

/** Creates the module's objects and records its version. */
export async function createObjects(tx: Transaction, module: SqlModule): Promise<void> {
  for (const { sql } of module.objects) await tx.query(sql)
  await tx.query(
    `insert into sql_modules (name, version, checksum, objects, applied_at) values ($1, $2, $3, $4, now())
     on conflict (name) do update set version = excluded.version, checksum = excluded.checksum,
       objects = excluded.objects, applied_at = excluded.applied_at`,
    [module.name, module.version, module.checksum, module.objects.map(({ name }) => name)],
  )
}
