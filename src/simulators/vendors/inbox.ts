/** AgentMail's wire: an inbox is its address, every one has received one message, and "nobody" has no inbox. */
import { isMiss, json, routed } from '../routed.ts'
import { bearerCredential, bodyField, stringsOf, type SimulatedReply, type SimulatedRequest } from '../vendor.ts'

const RECEIVED = '<welcome@mail.example.com>'

function failure(status: number, reason: string): SimulatedReply {
  return json({ name: reason === 'credentials' ? 'UnauthorizedError' : 'SimulatedError', message: `Simulated failure (${reason}).` }, status)
}

function rowOf(inbox: string): object {
  return { inbox_id: inbox, thread_id: 'thread-simulated', message_id: RECEIVED, labels: ['received', 'unread'], timestamp: '2026-11-20T12:00:00Z', from: 'Bo Example <bo@example.com>', to: [inbox], subject: 'Welcome (simulated)', preview: 'Your code is 123456.', size: 512 }
}

function sent({ now }: SimulatedRequest): SimulatedReply {
  return json({ message_id: `<sim-${now().toString(36)}@agentmail.to>`, thread_id: 'thread-simulated' })
}

const known = (answer: (request: SimulatedRequest, parts: Readonly<Record<string, string>>) => SimulatedReply) => (request: SimulatedRequest, parts: Readonly<Record<string, string>>): SimulatedReply =>
  isMiss(request, 'inbox') ? json({ name: 'NotFoundError', message: 'Not found (simulated).' }, 404) : answer(request, parts)

export const inbox = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure,
  routes: {
    'POST /v0/inboxes': (request) => {
      const [username = `sim${request.now().toString(36)}`] = stringsOf(bodyField(request, 'username'))
      const [domain = 'agentmail.to'] = stringsOf(bodyField(request, 'domain'))
      if (username === 'taken') return json({ name: 'IsTakenError', message: 'This inbox is taken (simulated).' }, 403)
      const id = `${username}@${domain}`
      return json({ pod_id: 'pod-simulated', inbox_id: id, email: id, display_name: bodyField(request, 'display_name') ?? null, created_at: '2026-11-20T12:00:00Z', updated_at: '2026-11-20T12:00:00Z' })
    },
    'GET /v0/inboxes/:inbox/messages': known((_, { inbox: id = '' }) => json({ count: 1, limit: 50, next_page_token: null, messages: [rowOf(id)] })),
    'GET /v0/inboxes/:inbox/messages/:message': known((_, { inbox: id = '', message }) => (message === RECEIVED ? json({ ...rowOf(id), text: 'Welcome.\nYour code is 123456.', html: '<p>Welcome.<br>Your code is 123456.</p>' }) : json({ name: 'NotFoundError', message: 'Not found (simulated).' }, 404))),
    'POST /v0/inboxes/:inbox/messages/send': known((request) => sent(request)),
    'POST /v0/inboxes/:inbox/messages/:message/reply': known((request) => sent(request)),
  },
})
