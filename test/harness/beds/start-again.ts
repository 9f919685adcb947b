import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/db/embedded-postgres.ts'

const RESTART_MS = 120_000

/** Starts PostgreSQL on a folder whose server was killed. Until the orphans of that one have noticed and gone, it refuses to. */
export async function startAgain(folder: string): Promise<EmbeddedPostgres> {
  const until = performance.now() + RESTART_MS
  for (;;) {
    try {
      return await startEmbeddedPostgres({ folder })
    } catch (error) {
      if (performance.now() > until) throw error
    }
  }
}
