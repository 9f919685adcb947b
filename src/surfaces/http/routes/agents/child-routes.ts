/** The child keys of the calling key. The functions of src/keys/children check permissions. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { NewChildBody } from '../../../../keys/children/child-input.ts'
import { endChild } from '../../../../keys/children/end-child.ts'
import { listChildren } from '../../../../keys/children/list-children.ts'
import { mintChild } from '../../../../keys/children/mint-child.ts'
import type { KeyWithSecret } from '../../../../keys/key-record.ts'
import { requireKnownPatterns } from '../../../../keys/policy/require-known-patterns.ts'
import { readBody, readQuery } from '../../read-input.ts'
import { dataBody, sendBody } from '../../send-data.ts'
import type { AgentRouteDeps } from './agent-route-deps.ts'
import { PageQuery } from './page-query.ts'
import { sendOnce } from '../../send-once.ts'
import { requires } from '../../guards/requires.ts'

const CHILDREN = '/api/v1/agents/me/children'
const DEFAULT_LIMIT = 50

export function isOfChildren({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url?.startsWith(CHILDREN) === true
}

export function childRoutes(
  app: FastifyInstance,
  { keys, validator, catalog }: AgentRouteDeps,
): void {
  app.get(CHILDREN, requires('keys.view'), async (request, reply) => {
    const { limit = DEFAULT_LIMIT, cursor = null } = readQuery(validator, PageQuery, request.query)
    const page = await listChildren(keys, request.caller, { limit, cursor })
    return sendBody(request, reply, dataBody(page.keys, page.nextCursor))
  })

  app.post(CHILDREN, requires('keys.manage'), async (request, reply) => {
    const input = readBody(validator, NewChildBody, request.body)
    requireKnownPatterns(input, catalog.allActions())
    return sendOnce<KeyWithSecret>(keys, request, reply, 201, (keep) =>
      mintChild(keys, request.caller, input, keep),
    )
  })

  app.delete<{ Params: { id: string } }>(
    `${CHILDREN}/:id`,
    requires('keys.manage'),
    async (request, reply) =>
      sendBody(request, reply, dataBody(await endChild(keys, request.caller, request.params.id))),
  )
}
