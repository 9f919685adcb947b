import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { exportTransactions, type ExportRequest } from '../../../../history/export-transactions.ts'
import type { HistoryDatabase } from '../../../../history/histories.ts'

const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const

/** The history as a file. It is sent as it is read: a reader that is slow, or gone, stops the reading of rows too. */
export function sendExport(
  reply: FastifyReply,
  database: HistoryDatabase,
  request: ExportRequest,
): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="tollgate-transactions.${request.format}"`)
    .type(CONTENT_TYPES[request.format])
    .send(Readable.from(exportTransactions(database, request), { objectMode: false }))
}
