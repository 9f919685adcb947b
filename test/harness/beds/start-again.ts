import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/db/embedded-postgres.ts'

const RESTART_MS = 120_000

/** Starts PostgreSQL on the folder of a killed server. Retries while the orphans of that server still exit. */
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
