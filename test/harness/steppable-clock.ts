import type { Database } from '../../src/db/database.ts'
import { connectDatabase } from '../../src/db/database.ts'
import type { DatabaseAddress } from '../../src/db/embedded-postgres.ts'

/**
 * Lets a test step the clock of a real PostgreSQL. Connections opened from now on find this database's
 * `clock_timestamp` before the server's own.
 */
export async function makeClockSteppable(
  target: DatabaseAddress,
): Promise<{ step(ms: number): Promise<void>; close(): Promise<void> }> {
  const database: Database = connectDatabase(target, { poolSize: 1 })
  await database.query(`create schema stepped;
    create table stepped.clock (ahead_ms double precision not null);
    insert into stepped.clock values (0);
    create function stepped.clock_timestamp() returns timestamptz language sql volatile as 'select pg_catalog.clock_timestamp() + ahead_ms * interval ''1 ms'' from stepped.clock';
    alter database ${target.database} set search_path = stepped, pg_catalog, public`)
  return {
    step: async (ms) =>
      void (await database.query('update stepped.clock set ahead_ms = ahead_ms + $1', [ms])),
    close: () => database.close(),
  }
}
