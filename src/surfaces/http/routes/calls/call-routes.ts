import type { FastifyInstance } from 'fastify'
import { Type } from '../../../../lib/schema.ts'
import { findCall, readCallId } from '../../../../history/find-call.ts'
import type { CallName } from '../../../../history/stored-answers.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import type { Database } from '../../../../db/database.ts'
import { ownerOf, type Caller } from '../../../../keys/caller.ts'
import { LONGEST_IDEMPOTENCY_KEY } from '../../idempotency.ts'
import { readQuery } from '../../read-input.ts'
import { dataBody, sendBody } from '../../send-data.ts'
import { requires } from '../../guards/requires.ts'

export const CallQuery = Type.Object(
  {
    idempotency_key: Type.String({
      minLength: 1,
      maxLength: LONGEST_IDEMPOTENCY_KEY,
      description: 'The Idempotency-Key of the call.',
    }),
  },
  { additionalProperties: false },
)

/** The outcome of a call whose response was lost. Requires `requireKeyOrSession`. */
export function callRoutes(
  app: FastifyInstance,
  { database, validator }: { readonly database: Database; readonly validator: Validator },
): void {
  const find = (caller: Caller, name: CallName) =>
    findCall({ database, owner: ownerOf(caller), walletId: caller.walletId }, name)

  app.get('/api/v1/calls', requires('calls.view'), async (request, reply) => {
    const { idempotency_key: idempotencyKey } = readQuery(validator, CallQuery, request.query)
    return sendBody(request, reply, dataBody(await find(request.caller, { idempotencyKey })))
  })

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
