import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { exportChanges, listChanges } from '../../../../audit/list-changes.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import type { Database } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { seesPeople } from '../../../../keys/change-key.ts'
import { publicId } from '../../../../lib/ids.ts'
import { readQuery } from '../../read-input.ts'
import { dataBody, sendBody } from '../../send-data.ts'
import { CONTENT_TYPES } from '../account/send-export.ts'
import { changeFilterOf, ChangeQuery } from './change-query.ts'
import { requires } from '../../guards/requires.ts'

const DEFAULT_LIMIT = 50

/** The audit log of the account, for its people and its live primary key. Requires `requireKeyOrSession`. */
export function changeRoutes(
  app: FastifyInstance,
  { database, validator }: { readonly database: Database; readonly validator: Validator },
): void {
  app.get('/api/v1/changes', requires('team.view'), async (request, reply) => {
    if (!seesPeople(request.caller))
      throw new AppError('key_cannot_mint_keys', 'Only the live primary key may read changes.', {
        fix: "Use the account's live primary key, or sign in at /sign-in and open /changes.",
      })
    const {
      limit,
      cursor,
      format = 'json',
      ...query
    } = readQuery(validator, ChangeQuery, request.query)
    const filter = { ...changeFilterOf(query), accountId: request.caller.accountId }
    if (format === 'json') {
      const page = await listChanges(database, {
        filter,
        cursor: cursor ?? null,
        limit: limit ?? DEFAULT_LIMIT,
      })
      return sendBody(request, reply, dataBody(page.changes, page.nextCursor))
    }
    if (limit !== undefined || cursor !== undefined)
      throw new AppError('invalid_params', 'An export contains all matching changes.', {
        param: limit === undefined ? 'cursor' : 'limit',
        fix: 'Omit it, or narrow the export with "from" and "to".',
      })
    return reply
      .header('x-request-id', publicId('request', request.id))
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="tollgate-changes.${format}"`)
      .type(CONTENT_TYPES[format])
      .send(Readable.from(exportChanges(database, { filter, format }), { objectMode: false }))
  })
}
