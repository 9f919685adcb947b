import { join } from 'node:path'
import type { Schema } from '../../db/migrate.ts'

const root = join(import.meta.dirname, '../../..')

/** The database schema of the gateway. */
export const SCHEMA: Schema = {
  migrations: join(root, 'migrations'),
  modules: [join(root, 'src/ledger/sql'), join(root, 'src/upstream/limits/sql')],
}
