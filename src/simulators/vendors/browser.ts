/** The wire of Browserbase's pay-per-session gateway. A session's id holds when it began and its first minutes; nothing listens at its connectUrl. */
import { countOf, isMiss, json, routed } from '../routed.ts'
import { bearerCredential, bodyField, type SimulatedReply, type SimulatedRequest } from '../vendor.ts'

type Parts = Readonly<Record<string, string>>
type Session = { readonly startedMs: number; readonly minutes: number }

function sessionOf(id: string, request: SimulatedRequest): Session {
  const [, started, minutes] = /^sim-([0-9a-z]+)-(\d+)$/.exec(id) ?? []
  return started === undefined ? { startedMs: request.now(), minutes: 5 } : { startedMs: Number.parseInt(started, 36), minutes: Number(minutes) }
}

function stateOf(id: string, request: SimulatedRequest): object {
  const { startedMs, minutes } = sessionOf(id, request)
  const used = Math.min(minutes, (request.now() - startedMs) / 60_000)
  return { sessionId: id, status: used < minutes ? 'active' : 'expired', usage: { minutesPaid: minutes, minutesUsed: used, minutesRemaining: minutes - used }, expiresAt: new Date(startedMs + minutes * 60_000).toISOString() }
}

const known = (answer: (request: SimulatedRequest, id: string) => SimulatedReply) => (request: SimulatedRequest, { id = '' }: Parts): SimulatedReply =>
  isMiss(request, 'browser') ? json({ error: 'Session not found (simulated).' }, 404) : answer(request, id)

export const browser = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure: (status) => json({ error: `Simulated failure with status ${status}.` }, status),
  routes: {
    'POST /browser/session/create': (request) => {
      const minutes = countOf(bodyField(request, 'estimatedMinutes'), 1)
      const id = `sim-${request.now().toString(36)}-${minutes}`
      return json({ sessionId: id, connectUrl: `wss://connect.sim.test/${id}`, paidMinutes: minutes, expiresAt: new Date(request.now() + minutes * 60_000).toISOString(), pricing: { ratePerHour: 0.12, amountPaid: minutes * 0.002, currency: 'USD' } })
    },
    'GET /browser/session/:id/status': known((request, id) => json(stateOf(id, request))),
    'POST /browser/session/:id/extend': known((request, id) => {
      const { minutes } = sessionOf(id, request)
      return json({ sessionId: id, paidMinutes: minutes + countOf(bodyField(request, 'additionalMinutes'), 1) })
    }),
    'DELETE /browser/session/:id': known((request, id) => json({ ...stateOf(id, request), status: 'ended' })),
  },
})
