import type { FastifyInstance } from 'fastify'
import { requirePrimary } from '../../../../keys/change-key.ts'
import { createKey } from '../../../../keys/create-key.ts'
import { describeKey } from '../../../../keys/describe-key.ts'
import type { KeyWithSecret } from '../../../../keys/key-record.ts'
import { KeyPatchBody, NewKeyBody, RotateBody } from '../../../../keys/key-input.ts'
import { listKeys } from '../../../../keys/list-keys.ts'
import { requireKnownPatterns } from '../../../../keys/policy/require-known-patterns.ts'
import { revokeKey } from '../../../../keys/revoke-key.ts'
import { rotateKey } from '../../../../keys/rotate-key.ts'
import { updateKey } from '../../../../keys/update-key.ts'
import { readBody, readQuery } from '../../read-input.ts'
import { dataBody, sendBody } from '../../send-data.ts'
import { sendOnce } from '../../send-once.ts'
import type { AgentRouteDeps } from './agent-route-deps.ts'
import { childRoutes, isOfChildren } from './child-routes.ts'
import { PageQuery } from './page-query.ts'
import { requires } from '../../guards/requires.ts'

const DEFAULT_LIMIT = 50

type OneKey = { Params: { id: string } }

/** The keys of an account. Requires `requireKeyOrSession`. The functions of src/keys check permissions. */
export async function agentRoutes(
  app: FastifyInstance,
  { keys, validator, catalog }: AgentRouteDeps,
): Promise<void> {
  // Checks the permission before the body, so that the error does not depend on the body.
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (!isRead && !isOfChildren(request)) requirePrimary(request.caller)
      done()
    } catch (error) {
      done(error as Error)
    }
  })

  app.get('/api/v1/agents', requires('keys.view'), async (request, reply) => {
    const { limit = DEFAULT_LIMIT, cursor = null } = readQuery(validator, PageQuery, request.query)
    const page = await listKeys(keys, request.caller, { limit, cursor })
    return sendBody(request, reply, dataBody(page.keys, page.nextCursor))
  })

  app.get('/api/v1/agents/me', requires('keys.view'), async (request, reply) =>
    sendBody(request, reply, dataBody(await describeKey(keys, request.caller))),
  )

  app.post('/api/v1/agents', requires('keys.own'), async (request, reply) => {
    const input = readBody(validator, NewKeyBody, request.body)
    requireKnownPatterns(input, catalog.allActions())
    return sendOnce<KeyWithSecret>(keys, request, reply, 201, (keep) =>
      createKey(keys, request.caller, input, keep),
    )
  })

  childRoutes(app, { keys, validator, catalog })

  app.patch<OneKey>('/api/v1/agents/:id', requires('keys.own'), async (request, reply) => {
    const patch = readBody(validator, KeyPatchBody, request.body)
    requireKnownPatterns(patch, catalog.allActions())
    return sendBody(
      request,
      reply,
      dataBody(await updateKey(keys, request.caller, request.params.id, patch)),
    )
  })

  app.post<OneKey>('/api/v1/agents/:id/rotate', requires('keys.own'), async (request, reply) => {
    const { grace_seconds: graceSeconds = 0 } = readBody(validator, RotateBody, request.body)
    return sendOnce<KeyWithSecret>(keys, request, reply, 200, (alongside) =>
      rotateKey(keys, request.caller, request.params.id, {
        graceSeconds,
        ...(alongside === undefined ? {} : { alongside }),
      }),
    )
  })

  app.delete<OneKey>('/api/v1/agents/:id', requires('keys.own'), async (request, reply) =>
    sendBody(request, reply, dataBody(await revokeKey(keys, request.caller, request.params.id))),
  )
}
