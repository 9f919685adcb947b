import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyFolder } from '../lib/files/copy-folder.ts'
import type { Database } from './database.ts'

// Specific to the running server, or created by the server that starts on the copy.
const LEFT_OUT = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'pg_wal',
  'pg_replslot',
  'pg_stat_tmp',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_subtrans',
  'pg_dynshmem',
])

/**
 * Copies the data folder of a running PostgreSQL. A server that starts on the copy recovers every
 * commit up to now. The copy blocks no query. `target` must not exist yet.
 */
export async function copyServer(
  database: Database,
  source: string,
  target: string,
): Promise<void> {
  const client = database.connect('backup')
  await client.connect()
  try {
    // The slot keeps the log that the copy needs, until this connection ends. Its name allows
    // concurrent copies.
    await client.query(
      `select pg_create_physical_replication_slot('tollgate_backup_' || pg_backend_pid(), true, true)`,
    )
    await client.query(`select pg_backup_start('tollgate_backup', true)`)
    await mkdir(target, { mode: 0o700 })
    for (const name of LEFT_OUT)
      if (name.startsWith('pg_')) await mkdir(join(target, name), { mode: 0o700 })
    await copyFolder(
      source,
      target,
      (path) => LEFT_OUT.has(path) || path.split('/').at(-1)?.startsWith('pgsql_tmp') === true,
    )
    const { rows } = await client.query<{ label: string; last: string }>(
      'select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)',
    )
    const { label = '', last = '' } = rows[0] ?? {}
    await writeFile(join(target, 'backup_label'), label, { mode: 0o600 })
    await copyLog(
      join(source, 'pg_wal'),
      join(target, 'pg_wal'),
      FIRST_SEGMENT.exec(label)?.[1] ?? '',
      last,
    )
  } finally {
    await client.end()
  }
}

const FIRST_SEGMENT = /^START WAL LOCATION: .*\(file ([0-9A-F]{24})\)/m
const SEGMENT = /^[0-9A-F]{24}$/

/** Copies the segments that recovery reads. There can be gigabytes of preallocated later ones. */
async function copyLog(source: string, target: string, first: string, last: string): Promise<void> {
  for (const name of await readdir(source))
    if (SEGMENT.test(name) && name >= first && name <= last)
      await copyFile(join(source, name), join(target, name))
}
