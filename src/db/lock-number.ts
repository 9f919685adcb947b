/**
 * All advisory locks. PostgreSQL distinguishes them only by number, so each number is listed here
 * once.
 */
export const LOCK_NUMBER = {
  migrations: 7_246_001,
  partitions: 7_246_002,
  totals: 7_246_003,
  /** The unresolved payments of an account, whose id is the second key. */
  openPayments: 7_246_065,
  /** The cassettes of an account, whose id is the second key. */
  cassettes: 7_246_066,
} as const
