import { AppError } from './app-error.ts'

/** The database, or the ledger's connection to it, does not respond. */
export class DatabaseAway extends AppError {
  constructor(message: string, cause: unknown) {
    super('overloaded', message, { retryAfterSeconds: 1, cause })
  }
}
