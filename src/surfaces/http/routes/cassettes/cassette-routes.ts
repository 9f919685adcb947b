import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { CASSETTE_NAME, type CassetteDeps } from '../../../../cassettes/cassette.ts'
import { importRecordings } from '../../../../cassettes/import-recordings.ts'
import {
  deleteCassette,
  listCassettes,
  readCassette,
} from '../../../../cassettes/list-cassettes.ts'
import { readRecordings } from '../../../../cassettes/read-recordings.ts'
import { ImportBody } from '../../../../cassettes/recording-file.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { ownerOf } from '../../../../keys/caller.ts'
import { readBody, readQuery } from '../../read-input.ts'
import { dataBody, sendBody } from '../../send-data.ts'
import { requires } from '../../guards/requires.ts'

export const RecordingsQuery = Type.Object(
  {
    cursor: Type.Optional(
      Type.String({ maxLength: 64, description: 'next_cursor of the previous page.' }),
    ),
  },
  { additionalProperties: false },
)

export type CassetteRouteDeps = CassetteDeps & { readonly validator: Validator }

// A recording of 2 MiB, whose text can be twice as long in JSON.
const BODY_LIMIT_BYTES = 5 * 1024 * 1024
const NAME = new RegExp(CASSETTE_NAME)

type One = { Params: { name: string } }

/** Cassettes and their recordings. All free. Requires `requireKeyOrSession`. */
export function cassetteRoutes(app: FastifyInstance, deps: CassetteRouteDeps): void {
  app.get('/api/v1/cassettes', requires('calls.view'), async (request, reply) =>
    sendBody(request, reply, dataBody(await listCassettes(deps, ownerOf(request.caller)))),
  )

  app.get<One>('/api/v1/cassettes/:name', requires('calls.view'), async (request, reply) => {
    requireKnownForm(request.params.name)
    const owner = ownerOf(request.caller)
    return sendBody(request, reply, dataBody(await readCassette(deps, owner, request.params.name)))
  })

  app.delete<One>(
    '/api/v1/cassettes/:name',
    requires('cassettes.change'),
    async (request, reply) => {
      requireKnownForm(request.params.name)
      const owner = ownerOf(request.caller)
      const deleted = await deleteCassette(deps, owner, request.params.name)
      return sendBody(request, reply, dataBody(deleted))
    },
  )

  app.get<One>(
    '/api/v1/cassettes/:name/recordings',
    requires('calls.view'),
    async (request, reply) => {
      const { cursor = null } = readQuery(deps.validator, RecordingsQuery, request.query)
      requireKnownForm(request.params.name)
      const { name } = request.params
      const page = await readRecordings(deps, ownerOf(request.caller), { name, cursor })
      return sendBody(request, reply, dataBody(page.recordings, page.nextCursor))
    },
  )

  app.post<One>(
    '/api/v1/cassettes/:name/recordings',
    { bodyLimit: BODY_LIMIT_BYTES, ...requires('cassettes.change') },
    async (request, reply) => {
      const { name } = request.params
      if (!NAME.test(name))
        throw new AppError('invalid_params', 'The name of a cassette is not valid.', {
          param: 'name',
          fix: 'Use 1 to 64 characters: letters, digits, dots, hyphens and underscores.',
        })
      const { recordings } = readBody(deps.validator, ImportBody, request.body)
      const owner = ownerOf(request.caller)
      await importRecordings(deps, { owner, name }, recordings)
      return sendBody(request, reply, dataBody(await readCassette(deps, owner, name)), 201)
    },
  )
}

/** PostgreSQL rejects some other texts, such as a zero byte. Throws AppError unknown_cassette. */
function requireKnownForm(name: string): void {
  if (!NAME.test(name)) throw new AppError('unknown_cassette')
}
