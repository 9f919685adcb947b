import { join } from 'node:path'
import type { Schema } from '../../db/migrate.ts'

const root = join(import.meta.dirname, '../../..')

/** The database schema of the gateway. */
export const SCHEMA: Schema = {
  migrations: join(root, 'migrations'),
  modules: ['src/ledger/sql', 'src/upstream/limits/sql', 'src/audit/sql', 'src/events/sql'].map(
    (folder) => join(root, folder),
  ),
}
