import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import type { CallFilter } from '../../../../history/calls/call-filter.ts'
import { exportCalls } from '../../../../history/calls/export-calls.ts'
import { listCalls } from '../../../../history/calls/list-calls.ts'
import { readCall } from '../../../../history/calls/read-call.ts'
import { readCallId } from '../../../../history/find-call.ts'
import type { HistoryDatabase, Histories } from '../../../../history/histories.ts'
import type { CallWatch } from '../../../../history/calls/watch-calls.ts'
import type { CallLog } from '../../../../history/log/call-log.ts'
import type { CallName } from '../../../../history/stored-answers.ts'
import { seenBy } from '../../../../history/transaction-filter.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import { ownerOf, type Caller } from '../../../../keys/caller.ts'
import { publicId } from '../../../../lib/ids.ts'
import { requires } from '../../guards/requires.ts'
import { readQuery } from '../../read-input.ts'
import { dataBody, sendBody } from '../../send-data.ts'
import { streamCalls, type StreamDeps } from './stream-calls.ts'
import { CallQuery, callFilterOf } from './call-query.ts'

export type CallRouteDeps = {
  readonly histories: Histories
  readonly callLog: Pick<CallLog, 'flush'>
  readonly callWatch: CallWatch
  readonly recheck: StreamDeps['recheck']
  readonly validator: Validator
}

const DEFAULT_LIMIT = 50

/** The log of all calls, and the outcome of one whose response was lost. Requires `requireKeyOrSession`. */
export function callRoutes(
  app: FastifyInstance,
  { histories, callLog, callWatch, recheck, validator }: CallRouteDeps,
): void {
  const find = async (caller: Caller, name: CallName) => {
    await callLog.flush()
    const database = histories(caller.accountId)
    return readCall({ database, owner: ownerOf(caller), walletId: caller.walletId }, name)
  }

  app.get('/api/v1/calls', requires('calls.view'), async (request, reply) => {
    const { caller } = request
    const query = readQuery(validator, CallQuery, request.query)
    const { idempotency_key: idempotencyKey, limit, cursor, format, ...fields } = query
    if (idempotencyKey !== undefined) {
      rejectFilters(query)
      return sendBody(request, reply, dataBody(await find(caller, { idempotencyKey })))
    }
    const filter = { ...callFilterOf(fields), ...seenBy(caller) }
    const database = histories(caller.accountId)
    const { walletId } = caller
    await callLog.flush()
    if (format === 'csv' || (format === undefined && wantsCsv(request.headers.accept))) {
      if (limit !== undefined || cursor !== undefined) throw pagedExport(limit)
      reply.header('x-request-id', publicId('request', request.id))
      return sendCallExport(reply, database, { walletId, filter })
    }
    const page = await listCalls(database, {
      walletId,
      filter,
      cursor: cursor ?? null,
      limit: limit ?? DEFAULT_LIMIT,
    })
    return sendBody(request, reply, dataBody(page.calls, page.nextCursor))
  })

  app.get('/api/v1/calls/stream', requires('calls.view'), (request, reply) =>
    streamCalls({ histories, callWatch, recheck }, request.caller, request, reply),
  )

  app.get<{ Params: { id: string } }>(
    '/api/v1/calls/:id',
    requires('calls.view'),
    async (request, reply) =>
      sendBody(
        request,
        reply,
        dataBody(await find(request.caller, { id: readCallId(request.params.id) })),
      ),
  )
}

/** Streams the calls as a file. A slow or disconnected client pauses or stops reading rows. */
export function sendCallExport(
  reply: FastifyReply,
  database: HistoryDatabase,
  request: { readonly walletId: number; readonly filter: CallFilter },
): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', 'attachment; filename="tollgate-calls.csv"')
    .type('text/csv; charset=utf-8; header=present')
    .send(Readable.from(exportCalls(database, request), { objectMode: false }))
}

function wantsCsv(accept = ''): boolean {
  return accept.includes('text/csv')
}

function rejectFilters(query: Readonly<Record<string, unknown>>): void {
  const other = Object.keys(query).find((name) => name !== 'idempotency_key')
  if (other === undefined) return
  throw new AppError('invalid_params', `"${other}" does not go with "idempotency_key".`, {
    param: other,
    fix: 'Omit one of them: "idempotency_key" finds one call, filters list calls.',
  })
}

function pagedExport(limit: number | undefined): AppError {
  return new AppError('invalid_params', 'An export contains all matching calls and has no pages.', {
    param: limit === undefined ? 'cursor' : 'limit',
    fix: 'Omit it, or narrow the export with "from" and "to".',
  })
}
