/** The MCP routes on a real port, for tests of disconnects and streams. */
import Fastify from 'fastify'
import { openTestFiles } from '../../../../test/harness/beds/files.ts'
import { openJobBed, type JobBed } from '../../../../test/harness/beds/jobs.ts'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import type { Calls } from '../../../calls/call.ts'
import { newId } from '../../../lib/ids.ts'
import { createSimulatedSessions } from '../../../resources/sessions/simulated-sessions.ts'
import { acceptJsonBodies } from '../../http/bodies/json-body.ts'
import { onGone } from '../../http/connections/client-gone.ts'
import { mcpRoutes } from '../mcp-routes.ts'
import { NO_CALL_LOGGER } from '../../../../test/harness/no-call-logger.ts'

export type SocketBed = { readonly bed: JobBed; readonly url: string }
export type SocketOptions = {
  readonly progressEveryMs?: number
  /** Replaces parts of the calls. */
  readonly replace?: (calls: Calls) => Partial<Calls>
  /** Runs when a client has closed its response before the end. */
  readonly onClosed?: () => void
}

export async function openSocketBed({
  progressEveryMs,
  replace = () => ({}),
  onClosed = () => {},
}: SocketOptions = {}): Promise<SocketBed> {
  const bed = await openJobBed()
  const calls = { ...bed.calls, ...replace(bed.calls) }
  const app = Fastify({ genReqId: () => newId(bed.clock()), forceCloseConnections: true })
  app.decorateRequest('caller')
  acceptJsonBodies(app)
  await app.register(mcpRoutes, {
    calls,
    callLogger: NO_CALL_LOGGER,
    published: {
      services: calls.catalog.services,
      laneOf: calls.lanes.statusOf,
      publicUrl: 'https://gate.example',
    },
    sessions: { live: null, test: createSimulatedSessions() },
    keys: { database: calls.database, now: calls.now, forget: () => {} },
    files: await openTestFiles(bed.database, bed.clock, {
      maxFileBytes: 1_000_000,
      maxAccountBytes: 1_000_000,
    }),
    confirmAbove: null,
    guards: [
      (request, reply, next) => {
        request.caller = bed.caller
        onGone(reply.raw, onClosed)
        next()
      },
    ],
    bodyLimitBytes: 100_000,
    ...(progressEveryMs === undefined ? {} : { progressEveryMs }),
  })
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/mcp`
  cleanUp(() => app.close())
  return { bed, url }
}
