import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import type { Database } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import {
  BalanceAlertBody,
  KeyAlertBody,
  readBalanceAlert,
  readKeyAlert,
  setBalanceAlert,
  setKeyAlert,
} from '../../../../events/alerts.ts'
import { awaitEvents, type EventReadDeps } from '../../../../events/await-events.ts'
import { EVENT_PATTERNS } from '../../../../events/event-types.ts'
import { readEvent } from '../../../../events/list-events.ts'
import { goneSignal } from '../../connections/client-gone.ts'
import { readBody, readQuery } from '../../read-input.ts'
import { dataBody, sendBody } from '../../send-data.ts'
import { EventQuery } from './event-query.ts'
import { requires } from '../../guards/requires.ts'

export type EventRouteDeps = {
  readonly database: Database
  readonly reading: EventReadDeps
  /** Rejects when the caller of a request may no longer read. */
  readonly recheck: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  readonly validator: Validator
}

const DEFAULT_LIMIT = 50

type One = { Params: { id: string } }

/** Events and the settings of alerts. Requires `requireKeyOrSession`. */
export async function eventRoutes(
  app: FastifyInstance,
  { database, reading, recheck, validator }: EventRouteDeps,
): Promise<void> {
  app.get('/api/v1/events', requires('calls.view'), async (request, reply) => {
    const {
      after = null,
      wait_s: waitSeconds = 0,
      types = '',
      limit = DEFAULT_LIMIT,
    } = readQuery(validator, EventQuery, request.query)
    const page = { after, limit, types: readTypes(types) }
    const { events, nextAfter } = await awaitEvents(reading, request.caller, page, {
      waitMs: waitSeconds * 1000,
      gone: goneSignal(reply.raw),
    })
    // The key may have been revoked during the wait.
    if (waitSeconds > 0) await recheck(request, reply)
    const body = JSON.stringify({ ok: true, data: events, next_after: nextAfter })
    return sendBody(request, reply, body)
  })

  app.get<One>('/api/v1/events/:id', requires('calls.view'), async (request, reply) =>
    sendBody(
      request,
      reply,
      dataBody(await readEvent(database, request.caller, request.params.id)),
    ),
  )

  app.get('/api/v1/alerts', requires('calls.view'), async (request, reply) =>
    sendBody(request, reply, dataBody(await readBalanceAlert(database, request.caller))),
  )

  app.put('/api/v1/alerts', requires('topup.change'), async (request, reply) => {
    const alert = readBody(validator, BalanceAlertBody, request.body)
    return sendBody(
      request,
      reply,
      dataBody(await setBalanceAlert(database, request.caller, alert)),
    )
  })

  app.get<One>('/api/v1/agents/:id/alerts', requires('keys.view'), async (request, reply) =>
    sendBody(
      request,
      reply,
      dataBody(await readKeyAlert(database, request.caller, request.params.id)),
    ),
  )

  app.put<One>('/api/v1/agents/:id/alerts', requires('keys.manage'), async (request, reply) => {
    const alert = readBody(validator, KeyAlertBody, request.body)
    return sendBody(
      request,
      reply,
      dataBody(await setKeyAlert(database, request.caller, request.params.id, alert)),
    )
  })
}

function readTypes(text: string): readonly string[] {
  const types = text
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '')
  const unknown = types.find((type) => !EVENT_PATTERNS.includes(type))
  if (unknown !== undefined)
    throw new AppError('invalid_params', `"${unknown}" is not a type of event.`, {
      param: 'types',
      fix: `Send types or patterns, separated by commas: ${EVENT_PATTERNS.join(', ')}.`,
    })
  return types
}
