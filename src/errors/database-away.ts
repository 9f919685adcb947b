import { AppError } from './app-error.ts'

/** The database, or the ledger's way to it, does not answer: as long as that lasts everybody who asks meets it. */
export class DatabaseAway extends AppError {
  constructor(message: string, cause: unknown) {
    super('overloaded', message, { retryAfterSeconds: 1, cause })
  }
}
