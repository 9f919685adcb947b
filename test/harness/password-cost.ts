import type { PasswordCost } from '../../src/auth/password.ts'

/** Hashes a password in microseconds; the gateway's own cost takes a fifth of a second. */
export const TEST_PASSWORD_COST: PasswordCost = { N: 2, r: 1, p: 1 }
