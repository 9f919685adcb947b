import type { Database } from '../src/db/database.ts'
import { StatementPipeline } from '../src/db/pipeline/statement-pipeline.ts'

const STATEMENT_TIMEOUT_MS = 10_000
// As in the ledger: the hold does not wait for the disk, the settlement does.
const UPDATE = {
  name: 'least_update',
  text: "update least set amount = amount + $1::bigint where id = 1 returning amount, set_config('synchronous_commit', 'off', true)",
  values: [1],
}
const INSERT = {
  name: 'least_insert',
  text: 'insert into least (amount) values ($1::bigint) returning id',
  values: [1],
}

/** Measures the minimum for the two commits of a paid call on this machine, over the ledger's kind of connection. */
export type LeastCommits = {
  /** The duration of each pair of commits within `durationMs`, in milliseconds. */
  measure(durationMs: number): Promise<number[]>
  end(): Promise<void>
}

export async function openLeastCommits(database: Database): Promise<LeastCommits> {
  await database.query(
    'create table least (id bigint generated always as identity primary key, amount bigint not null)',
  )
  await database.query('insert into least (amount) values (0)')
  const line = new StatementPipeline(database.connect('least'), STATEMENT_TIMEOUT_MS)
  await line.connect()
  return {
    async measure(durationMs) {
      const latenciesMs: number[] = []
      const until = performance.now() + durationMs
      while (performance.now() < until) {
        const from = performance.now()
        await line.query(UPDATE)
        await line.query(INSERT)
        latenciesMs.push(performance.now() - from)
      }
      return latenciesMs
    },
    end: () => line.end(),
  }
}
