import type { Query } from '../db/database.ts'
import { DAY_MS } from '../lib/clock.ts'

/** The default number of self-registered accounts that receive credit per day (UTC), over all processes. */
export const WELCOME_CREDITS_PER_DAY = 100

export type WelcomeCredits = { readonly mostPerDay: number; readonly nowMs: number }

type Querying = { readonly query: Query }

/** Takes one of the day's welcome credits; false when none is left. Concurrent takers wait until the transaction ends. */
export async function takeWelcomeCredit(
  { query }: Querying,
  { mostPerDay, nowMs }: WelcomeCredits,
): Promise<boolean> {
  // A process whose clock is behind counts toward the later day, which has already begun.
  const { count } = await query(
    'update welcome_credits set given = case when day < $1 then 1 else given + 1 end, day = greatest(day, $1) where $2 > 0 and (day < $1 or given < $2)',
    [dayOf(nowMs), mostPerDay],
  )
  return count > 0
}

/** Whether a new self-registered account would receive credit now. Another one may take it first. */
export async function isWelcomeCreditLeft(
  { query }: Querying,
  { mostPerDay, nowMs }: WelcomeCredits,
): Promise<boolean> {
  const { count } = await query(
    'select from welcome_credits where $2 > 0 and (day < $1 or given < $2)',
    [dayOf(nowMs), mostPerDay],
  )
  return count > 0
}

/** How many were granted today. */
export async function countWelcomeCredits({ query }: Querying, nowMs: number): Promise<number> {
  const { rows } = await query<{ given: number }>(
    'select case when day < $1 then 0 else given end as given from welcome_credits',
    [dayOf(nowMs)],
  )
  return rows[0]?.given ?? 0
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS)
}
