import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { exportTransactions, type ExportRequest } from '../../../../history/export-transactions.ts'
import type { HistoryDatabase } from '../../../../history/histories.ts'

export const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const

/** Streams the history as a file. A slow or disconnected client pauses or stops reading rows. */
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
