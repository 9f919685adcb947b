/** Calls that signed-in people run on a page. They take the same path as calls with a key. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Calls } from '../../../../calls/call.ts'
import { findCall, readCallId } from '../../../../history/find-call.ts'
import type { Histories } from '../../../../history/histories.ts'
import { ownerOf } from '../../../../keys/caller.ts'
import type { Router } from '../../../../llm/ask/create-router.ts'
import { playgroundChatRoute } from '../../../router/router-routes.ts'
import { limitRejectedBodies } from '../../bodies/limit-rejected-bodies.ts'
import { requires } from '../../guards/requires.ts'
import { dataBody, sendBody } from '../../send-data.ts'
import { logFailedCalls, type CallLogger } from '../../log-calls.ts'
import { runRoute } from '../run/run-route.ts'
import { priceRoute } from './price-route.ts'
import { requirePlayer } from './require-player.ts'

type Guard = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

export type PlaygroundDeps = {
  readonly calls: Calls
  readonly callLogger: CallLogger
  readonly histories: Histories
  readonly router?: Router | undefined
  readonly publicUrl: string
  readonly rejectOverload: Guard
  /** Counts the request in the rate limit of its key. */
  readonly countRequest: Guard
  readonly bodyLimitBytes: number
}

// Calls of people. Agents send theirs to /api/run, which has its own limit.
const MOST_CALLS_IN_FLIGHT = 1_000

/** Registers /playground/{test,live}/… The mode is in the path, so no missing field makes a call a live one. */
export async function playgroundRoutes(
  app: FastifyInstance,
  {
    calls,
    callLogger,
    histories,
    router,
    publicUrl,
    rejectOverload,
    countRequest,
    bodyLimitBytes,
  }: PlaygroundDeps,
): Promise<void> {
  for (const mode of ['test', 'live'] as const)
    await app.register(async (own) => {
      own.addHook('onRequest', rejectOverload)
      own.addHook(
        'onRequest',
        requirePlayer({ database: calls.database, now: calls.now, publicUrl }, mode),
      )
      own.addHook('onRequest', countRequest)
      limitRejectedBodies(own, calls.now)
      logFailedCalls(own, callLogger)
      const at = `/playground/${mode}`
      runRoute(own, {
        calls,
        callLogger,
        bodyLimitBytes,
        place: {
          path: `${at}/run/:service/:action`,
          mostInFlight: MOST_CALLS_IN_FLIGHT,
          permission: 'calls.run',
        },
      })
      priceRoute(own, `${at}/price/:service/:action`, { calls, bodyLimitBytes })
      stateRoute(own, `${at}/calls/:id`, histories)
      if (router !== undefined)
        await own.register(playgroundChatRoute, {
          router,
          callLogger,
          path: `${at}/chat/completions`,
          mostInFlight: MOST_CALLS_IN_FLIGHT,
        })
    })
}

/** The charge of a call whose response began before its end, such as a stream. */
function stateRoute(app: FastifyInstance, path: string, histories: Histories): void {
  app.get<{ Params: { id: string } }>(path, requires('calls.run'), async (request, reply) => {
    const { caller, params } = request
    const { accountId, walletId } = caller
    const state = await findCall(
      { database: histories(accountId), owner: ownerOf(caller), walletId },
      { id: readCallId(params.id) },
    )
    return sendBody(request, reply, dataBody(state))
  })
}
