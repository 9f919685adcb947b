/**
 * Browserbase's pay-per-session API. A session's id encodes its start and its first minutes. No
 * server listens at its connectUrl.
 */
import { uniqueId, createState } from '../../simulators/bounded-state.ts'
import { countOf, headerCredential, isMiss, json, routed } from '../../simulators/routed.ts'
import { bodyField, type SimulatedReply, type SimulatedRequest } from '../../simulators/vendor.ts'

type Parts = Readonly<Record<string, string>>
type Session = { readonly startedMs: number; readonly minutes: number; readonly endedMs?: number }

/** Sessions that were extended or ended. */
const changed = createState<Session>()

const ID = /^sim-([0-9a-z]+)-(\d+)(?:-\d+)?$/

/** All accounts share the session of the examples, so it never changes. */
function change(id: string, session: Session): void {
  if (ID.test(id)) changed.set(id, session)
}

function sessionOf(id: string, request: SimulatedRequest): Session {
  const kept = changed.get(id)
  if (kept !== undefined) return kept
  const [, started, minutes] = ID.exec(id) ?? []
  return started === undefined
    ? { startedMs: request.now(), minutes: 5 }
    : { startedMs: Number.parseInt(started, 36), minutes: Number(minutes) }
}

function stateOf(id: string, request: SimulatedRequest): object {
  const { startedMs, minutes, endedMs } = sessionOf(id, request)
  const used = Math.min(minutes, ((endedMs ?? request.now()) - startedMs) / 60_000)
  if (endedMs !== undefined)
    return {
      sessionId: id,
      status: 'ended',
      usage: { minutesPaid: minutes, minutesUsed: used, minutesRemaining: 0 },
      expiresAt: new Date(endedMs).toISOString(),
    }
  return {
    sessionId: id,
    status: used < minutes ? 'active' : 'expired',
    usage: { minutesPaid: minutes, minutesUsed: used, minutesRemaining: minutes - used },
    expiresAt: new Date(startedMs + minutes * 60_000).toISOString(),
  }
}

function isOver(id: string, request: SimulatedRequest): boolean {
  const { startedMs, minutes, endedMs } = sessionOf(id, request)
  return endedMs !== undefined || request.now() >= startedMs + minutes * 60_000
}

function extend(request: SimulatedRequest, id: string): SimulatedReply {
  if (isOver(id, request)) return json({ error: 'Session has ended (simulated).' }, 410)
  const session = sessionOf(id, request)
  const minutes = session.minutes + countOf(bodyField(request, 'additionalMinutes'), 1)
  change(id, { ...session, minutes })
  return json({ sessionId: id, paidMinutes: minutes })
}

/** The last answer contains the remaining minutes. After that the session is unknown. */
function release(request: SimulatedRequest, id: string): SimulatedReply {
  if (isOver(id, request)) return json({ error: 'Session has ended (simulated).' }, 410)
  const last = { ...stateOf(id, request), status: 'ended' }
  change(id, { ...sessionOf(id, request), endedMs: request.now() })
  return json(last)
}

const known =
  (answer: (request: SimulatedRequest, id: string) => SimulatedReply) =>
  (request: SimulatedRequest, { id = '' }: Parts): SimulatedReply =>
    isMiss(request, 'browser')
      ? json({ error: 'Session not found (simulated).' }, 404)
      : answer(request, id)

const browser = routed({
  credential: headerCredential('x-bb-api-key'),
  quotaStatus: 402,
  failure: (status) => json({ error: `Simulated failure with status ${status}.` }, status),
  routes: {
    'POST /browser/session/create': (request) => {
      const minutes = countOf(bodyField(request, 'estimatedMinutes'), 1)
      const id = uniqueId(`sim-${request.now().toString(36)}-${minutes}`)
      return json({
        sessionId: id,
        connectUrl: `wss://connect.sim.test/${id}`,
        paidMinutes: minutes,
        expiresAt: new Date(request.now() + minutes * 60_000).toISOString(),
        pricing: { ratePerHour: 0.12, amountPaid: minutes * 0.002, currency: 'USD' },
      })
    },
    'GET /browser/session/:id/status': known((request, id) => json(stateOf(id, request))),
    'POST /browser/session/:id/extend': known(extend),
    'DELETE /browser/session/:id': known(release),
  },
})

export const simulators = { browser }
