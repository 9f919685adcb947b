/**
 * AgentMail's API. An inbox is its address. It has one received message and those from other
 * simulated inboxes of the account. `nobody` has no inbox. Each address is created once.
 */
import { createHash } from 'node:crypto'
import { SIMULATED_ACCOUNT } from '../../catalog/vocabulary/wire.ts'
import { shortText } from '../../lib/short-text.ts'
import { uniqueId, createState } from '../../simulators/bounded-state.ts'
import { countOf, isMiss, json, routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  bodyField,
  stringsOf,
  type SimulatedReply,
  type SimulatedRequest,
} from '../../simulators/vendor.ts'

type Parts = Readonly<Record<string, string>>

const MOST_RECIPIENTS = 10
const RECEIVED = '<welcome@mail.example.com>'

function failure(status: number, reason: string): SimulatedReply {
  return json(
    {
      name: reason === 'credentials' ? 'UnauthorizedError' : 'SimulatedError',
      message: `Simulated failure (${reason}).`,
    },
    status,
  )
}

const NOT_FOUND = json({ name: 'NotFoundError', message: 'Not found (simulated).' }, 404)

type Message = {
  readonly message_id: string
  readonly from: string
  readonly to: readonly string[]
  readonly labels: readonly string[]
  readonly timestamp: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

const MOST_MESSAGES = 10
const MOST_CHARACTERS = 1_000
/**
 * The messages of each inbox, newest first: sent ones, and those from other inboxes of the account.
 */
const boxes = createState<readonly Message[]>()

/** Accounts can have simulated inboxes of the same name, so names are separate per account. */
function nameOf({ headers }: SimulatedRequest, inbox: string): string {
  return `${String(headers[SIMULATED_ACCOUNT] ?? '')} ${inbox}`
}

const WELCOME = {
  message_id: RECEIVED,
  from: 'Bo Example <bo@example.com>',
  labels: ['received', 'unread'],
  timestamp: '2026-11-20T12:00:00Z',
  subject: 'Welcome (simulated)',
  text: 'Welcome.\nYour code is 123456.',
  html: '<p>Welcome.<br>Your code is 123456.</p>',
}

function messagesOf(request: SimulatedRequest, inbox: string): readonly Message[] {
  return [...(boxes.get(nameOf(request, inbox)) ?? []), { ...WELCOME, to: [inbox] }]
}

function rowOf(inbox: string, { text, html: _html, ...head }: Message): object {
  const preview = text.split('\n').at(-1)?.slice(0, 100) ?? ''
  return { inbox_id: inbox, thread_id: 'thread-simulated', ...head, preview, size: 512 }
}

/** All accounts share the inbox of the examples, so it never changes. */
const OF_EXAMPLES = 'ana@agentmail.to'

function keep(request: SimulatedRequest, inbox: string, message: Message): void {
  if (inbox === OF_EXAMPLES) return
  const name = nameOf(request, inbox)
  boxes.set(name, [message, ...(boxes.get(name) ?? [])].slice(0, MOST_MESSAGES))
}

function sent(
  request: SimulatedRequest,
  inbox: string,
  to: readonly string[],
  subject: string,
): SimulatedReply {
  const said = (name: string) =>
    shortText(stringsOf(bodyField(request, name))[0] ?? '', MOST_CHARACTERS)
  const mark = createHash('sha256')
    .update(JSON.stringify([inbox, to, request.body]))
    .digest('hex')
    .slice(0, 8)
  const message = {
    message_id: `<sim-${request.now().toString(36)}-${mark}@agentmail.to>`,
    from: inbox,
    to: to.map((address) => shortText(address, MOST_CHARACTERS)),
    timestamp: new Date(request.now()).toISOString(),
    subject: shortText(subject, MOST_CHARACTERS),
    text: said('text'),
    html: said('html'),
  }
  keep(request, inbox, { ...message, labels: ['sent'] })
  for (const address of to)
    if (address !== inbox && boxes.has(nameOf(request, address)))
      keep(request, address, { ...message, labels: ['received', 'unread'] })
  return json({ message_id: message.message_id, thread_id: 'thread-simulated' })
}

function send(request: SimulatedRequest, { inbox: from = '' }: Parts): SimulatedReply {
  return sent(
    request,
    from,
    stringsOf(bodyField(request, 'to')).slice(0, MOST_RECIPIENTS),
    stringsOf(bodyField(request, 'subject'))[0] ?? '',
  )
}

function reply(request: SimulatedRequest, { inbox: from = '', message }: Parts): SimulatedReply {
  const answered =
    messagesOf(request, from).find(({ message_id: id }) => id === message) ??
    (from === OF_EXAMPLES ? WELCOME : undefined)
  if (answered === undefined) return NOT_FOUND
  return sent(request, from, [answered.from], answered.subject.replace(/^(?:Re: )?/, 'Re: '))
}

function read(request: SimulatedRequest, { inbox: id = '', message }: Parts): SimulatedReply {
  const found = messagesOf(request, id).find(({ message_id: known }) => known === message)
  return found === undefined
    ? NOT_FOUND
    : json({ ...rowOf(id, found), text: found.text, html: found.html })
}

function list(request: SimulatedRequest, { inbox: id = '' }: Parts): SimulatedReply {
  const limit = countOf(request.query.get('limit') ?? undefined, 50)
  const messages = messagesOf(request, id).slice(0, limit)
  return json({
    count: messages.length,
    limit,
    next_page_token: null,
    messages: messages.map((message) => rowOf(id, message)),
  })
}

const known =
  (answer: (request: SimulatedRequest, parts: Parts) => SimulatedReply) =>
  (request: SimulatedRequest, parts: Parts): SimulatedReply =>
    isMiss(request, 'inbox') ? NOT_FOUND : answer(request, parts)

const inbox = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure,
  routes: {
    'POST /v0/inboxes': (request) => {
      const [named] = stringsOf(bodyField(request, 'username'))
      const [domain = 'agentmail.to'] = stringsOf(bodyField(request, 'domain'))
      const id = `${named ?? uniqueId(`sim${request.now().toString(36)}`)}@${domain}`
      const isTaken =
        named === 'taken' ||
        (named !== undefined && id !== OF_EXAMPLES && boxes.has(nameOf(request, id)))
      if (isTaken)
        return json({ name: 'IsTakenError', message: 'This inbox is taken (simulated).' }, 403)
      boxes.set(nameOf(request, id), boxes.get(nameOf(request, id)) ?? [])
      return json({
        pod_id: 'pod-simulated',
        inbox_id: id,
        email: id,
        display_name: bodyField(request, 'display_name') ?? null,
        created_at: '2026-11-20T12:00:00Z',
        updated_at: '2026-11-20T12:00:00Z',
      })
    },
    'GET /v0/inboxes/:inbox/messages': known(list),
    'GET /v0/inboxes/:inbox/messages/:message': known(read),
    'POST /v0/inboxes/:inbox/messages/send': known(send),
    'POST /v0/inboxes/:inbox/messages/:message/reply': known(reply),
  },
})

export const simulators = { inbox }
