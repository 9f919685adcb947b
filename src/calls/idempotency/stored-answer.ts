/** `media/result`: the state of a job, or the answer of an earlier call. Both are free. */
import type { CallTools, LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { done, type Data } from '../../catalog/vocabulary/outcome.ts'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { JobWaiters } from '../../jobs/waiters.ts'
import { parsePublicId } from '../../lib/ids.ts'
import { onlyMaker } from '../../lib/owner.ts'
import { OF_ROUTE, routeFor } from './claim.ts'
import { resultHandler } from '../jobs/job-actions.ts'

/** Reads answers of one action, named "service/action". */
export function storedAnswerHandler(
  database: Database,
  ends: JobWaiters,
  action: string,
): LocalHandler {
  const jobResult = resultHandler(database, ends)
  return async (input, tools) => {
    const { transaction_id: transactionId } = input
    return typeof transactionId === 'string'
      ? done(await readAnswer(database, tools, action, transactionId))
      : jobResult(input, tools)
  }
}

async function readAnswer(
  database: Database,
  owner: CallTools,
  action: string,
  transactionId: string,
): Promise<Data> {
  const id = parsePublicId('transaction', transactionId)
  const { rows } =
    id === null
      ? { rows: [] }
      : await database.query<{ body: string }>(
          `select body from answers where call_id = $1 and account_id = $2 and status = 200 and ${OF_ROUTE}`,
          [id, owner.accountId, routeFor(owner.mode, action), onlyMaker(owner)],
        )
  const [stored] = rows
  if (stored === undefined)
    throw new AppError('unknown_transaction', undefined, { param: 'transaction_id' })
  return (JSON.parse(stored.body) as { readonly data: Data }).data
}
