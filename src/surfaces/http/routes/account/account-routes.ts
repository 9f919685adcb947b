import type { FastifyInstance } from 'fastify'
import { readBalance } from '../../../../accounts/balance.ts'
import type { ExportFormat } from '../../../../history/export-transactions.ts'
import type { Histories } from '../../../../history/histories.ts'
import { listTransactions } from '../../../../history/list-transactions.ts'
import { seenBy } from '../../../../history/transaction-filter.ts'
import { readSpending, USUAL_DAYS } from '../../../../history/read-spending.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import type { Database } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { publicId } from '../../../../lib/ids.ts'
import { readQuery } from '../../read-input.ts'
import { dataBody, sendBody } from '../../send-data.ts'
import { sendExport } from './send-export.ts'
import { filterOf, SpendingQuery, TransactionQuery } from './transaction-query.ts'
import { requires } from '../../guards/requires.ts'

export type AccountRouteDeps = {
  readonly database: Database
  readonly histories: Histories
  readonly now: Clock
  readonly validator: Validator
}

const DEFAULT_LIMIT = 50

/** Balance, history and spending of the account in the mode of the calling key. Requires `requireKeyOrSession`. */
export async function accountRoutes(
  app: FastifyInstance,
  { database, histories, now, validator }: AccountRouteDeps,
): Promise<void> {
  app.get('/api/v1/balance', requires('calls.view'), async (request, reply) =>
    sendBody(request, reply, dataBody(await readBalance({ database, now }, request.caller))),
  )

  app.get('/api/v1/transactions', requires('calls.view'), async (request, reply) => {
    const { limit, cursor, format, ...query } = readQuery(
      validator,
      TransactionQuery,
      request.query,
    )
    const { accountId, walletId } = request.caller
    const filter = { ...filterOf(query), ...seenBy(request.caller) }
    const exportFormat = format ?? formatAccepted(request.headers.accept)
    if (exportFormat !== 'json') {
      if (limit !== undefined || cursor !== undefined)
        throw pagedExport(limit === undefined ? 'cursor' : 'limit')
      return sendExport(
        reply.header('x-request-id', publicId('request', request.id)),
        histories(accountId),
        { walletId, filter, format: exportFormat },
      )
    }
    const page = await listTransactions(histories(accountId), {
      walletId,
      filter,
      cursor: cursor ?? null,
      limit: limit ?? DEFAULT_LIMIT,
    })
    return sendBody(request, reply, dataBody(page.transactions, page.nextCursor))
  })

  app.get('/api/v1/spending', requires('calls.view'), async (request, reply) => {
    const { days = USUAL_DAYS, ...query } = readQuery(validator, SpendingQuery, request.query)
    const { accountId, walletId } = request.caller
    return sendBody(
      request,
      reply,
      dataBody(
        await readSpending(
          { database: histories(accountId), nowMs: now() },
          { walletId, days, filter: { ...filterOf(query), ...seenBy(request.caller) } },
        ),
      ),
    )
  })
}

function formatAccepted(accept: string | undefined): 'json' | ExportFormat {
  if (accept?.includes('text/csv') === true) return 'csv'
  return accept?.includes('application/x-ndjson') === true ? 'ndjson' : 'json'
}

function pagedExport(param: string): AppError {
  return new AppError(
    'invalid_params',
    'An export contains all matching transactions and has no pages.',
    { param, fix: `Omit "${param}", or narrow the export with "from" and "to".` },
  )
}
