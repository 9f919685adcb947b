import type { Query } from '../db/database.ts'
import { DAY_MS } from '../lib/clock.ts'

/** Of accounts that strangers make, in a day (UTC) and over all processes. */
export const WELCOME_CREDITS_PER_DAY = 100

export type WelcomeCredits = { readonly mostPerDay: number; readonly nowMs: number }

type Querying = { readonly query: Query }

/** Takes one of the welcome credits of the day; false when all are given. Whoever takes another one waits until the transaction ends. */
export async function takeWelcomeCredit(
  { query }: Querying,
  { mostPerDay, nowMs }: WelcomeCredits,
): Promise<boolean> {
  // A process whose clock is behind counts in the later day, which began already.
  const { count } = await query(
    'update welcome_credits set given = case when day < $1 then 1 else given + 1 end, day = greatest(day, $1) where $2 > 0 and (day < $1 or given < $2)',
    [dayOf(nowMs), mostPerDay],
  )
  return count > 0
}

/** Whether a stranger who made an account now would be given credit. Somebody else may take it first. */
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

/** How many of the day were given. */
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
