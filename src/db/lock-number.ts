/**
 * Numbers of the advisory locks that processes of one installation hold each other off with. PostgreSQL knows them by their
 * number alone, so they stand here together, each once.
 */
export const LOCK_NUMBER = {
  migrations: 7_246_001,
  partitions: 7_246_002,
  /** Beside it the account: of the payments that it has open. */
  openPayments: 7_246_065,
} as const
