import type { Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'

/**
 * Blocks concurrent changes of the person's sign-in methods, and their removal, until the transaction ends. Throws
 * AppError sign_in_refused when they were removed.
 */
export async function lockPerson(tx: Transaction, personId: Id): Promise<void> {
  const { count } = await tx.query('select from people where id = $1 for no key update', [personId])
  if (count === 0)
    throw new AppError('sign_in_refused', 'This account is closed.', {
      fix: 'Ask the operator of this gateway.',
    })
}
