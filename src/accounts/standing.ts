import type { Query } from '../db/database.ts'
import type { Mode } from '../lib/mode.ts'

/** Totals of open holds, jobs and sessions over all accounts. */
export type Standing = {
  readonly held_micros: number
  readonly open_holds: number
  readonly jobs: {
    readonly queued: number
    readonly running: number
    /** How long the oldest one has been waiting. */
    readonly oldest_queued_s: number | null
  }
  readonly open_sessions: number
}

type Row = {
  mode: Mode
  holds: bigint
  held: string
  queued: bigint
  running: bigint
  oldest: bigint | null
  sessions: bigint
}

/** Reads only open items, so the cost does not grow with the history. */
export async function readStanding(
  query: Query,
  nowMs: number,
): Promise<Readonly<Record<Mode, Standing>>> {
  const { rows } = await query<Row>(
    `select mode, holds, held, queued, running, oldest, sessions
     from (values ('live'), ('test')) as modes (mode),
       lateral (select count(*) as holds, coalesce(sum(amount_micros), 0)::text as held from holds join wallets on wallets.id = wallet_id where wallets.mode = modes.mode) as held,
       lateral (
         select count(*) filter (where status = 'queued') as queued, count(*) filter (where status = 'running') as running, min(created_ms) filter (where status = 'queued') as oldest
         from jobs where status in ('queued', 'running') and jobs.mode = modes.mode
       ) as open_jobs,
       lateral (select count(*) as sessions from compute_sessions where closed_ms is null and compute_sessions.mode = modes.mode) as open_sessions`,
  )
  const of = (mode: Mode): Standing =>
    standingOf(
      rows.find((row) => row.mode === mode),
      nowMs,
    )
  return { live: of('live'), test: of('test') }
}

function standingOf(row: Row | undefined, nowMs: number): Standing {
  return {
    held_micros: Number(row?.held ?? 0),
    open_holds: Number(row?.holds ?? 0),
    jobs: {
      queued: Number(row?.queued ?? 0),
      running: Number(row?.running ?? 0),
      oldest_queued_s:
        row?.oldest == null ? null : Math.max(0, Math.round((nowMs - Number(row.oldest)) / 1000)),
    },
    open_sessions: Number(row?.sessions ?? 0),
  }
}
