import { invariant } from '../errors/app-error.ts'
import type { Database } from './database.ts'

export type DatabaseFacts = {
  /** Such as "17.2". */
  readonly version: string
  /** Such as 170002. */
  readonly versionNumber: number
  /** How many migrations are applied. */
  readonly migrations: number
  readonly newestMigration: string | null
  /** Most connections that the server, the role and the database allow. */
  readonly connections: number
  /** Milliseconds since 1970 by the server's clock. */
  readonly nowMs: number
}

/** Reads facts about the server and its schema that an operator's health check reports. */
export async function readDatabaseFacts(database: Database): Promise<DatabaseFacts> {
  const { rows } = await database.query<DatabaseFacts>(
    `select current_setting('server_version') as version,
       current_setting('server_version_num')::integer as "versionNumber",
       (select count(*) from migrations)::integer as migrations,
       (select max(name) from migrations) as "newestMigration",
       (select least(current_setting('max_connections')::integer, nullif(rolconnlimit, -1), nullif(datconnlimit, -1))
        from pg_roles, pg_database
        where rolname = current_user and datname = current_database()) as connections,
       (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`,
  )
  const [facts] = rows
  invariant(facts !== undefined, 'a query without a table returns one row')
  return facts
}
