/**
 * Connects many clients to one browser. Each client gets a session of the browser target, so that it
 * sees only the events that it asked for, and its own ids.
 */
import { AppError } from '../../../errors/app-error.ts'
import { readEnvelope, rewriteEnvelope, type Envelope } from './cdp-envelope.ts'
import type { CdpPipe } from './cdp-pipe.ts'
import { findRefusal } from './cdp-rules.ts'

export type HubClient = {
  receive(text: string): void
  /** The client broke the protocol, or the browser does not keep up with it. */
  fail(reason: string): void
}
export type HubConnection = {
  /** Never throws; a message that cannot be forwarded fails the client. */
  send(text: string): void
  close(): void
}
export type CdpHub = {
  /** Rejects with AppError if the browser does not answer. */
  connect(client: HubClient): Promise<HubConnection>
}

type Connected = HubClient & { readonly root: string; unanswered: number }
type Waiting =
  | { readonly client: Connected; readonly id: number; readonly sessionId: string }
  | { readonly resolve: (sessionId: string) => void }
type Command = { id: number; method: string; params?: unknown; sessionId?: string }

const CONNECT_TIMEOUT_MS = 10_000
const MOST_UNANSWERED = 10_000

export function createCdpHub(pipe: CdpPipe): CdpHub {
  /** By the id of the command on the pipe. */
  const waiting = new Map<number, Waiting>()
  /** The client of each session. */
  const clients = new Map<string, Connected>()
  let lastId = 0

  function ask(command: Omit<Command, 'id'>, answer: Waiting): boolean {
    lastId += 1
    if (!pipe.send(JSON.stringify({ ...command, id: lastId }))) return false
    waiting.set(lastId, answer)
    return true
  }

  function answered(text: string, envelope: Envelope & { readonly id: number }): void {
    const answer = waiting.get(envelope.id)
    if (answer === undefined) return
    waiting.delete(envelope.id)
    if ('resolve' in answer) {
      const { result } = JSON.parse(text) as { result?: { sessionId?: string } }
      answer.resolve(result?.sessionId ?? '')
      return
    }
    const { client, id, sessionId } = answer
    client.unanswered -= 1
    client.receive(
      rewriteEnvelope(text, envelope, {
        id,
        sessionId: sessionId === client.root ? null : sessionId,
      }),
    )
  }

  function deliver(text: string): void {
    const envelope = readEnvelope(text)
    if (envelope === null) return
    if (envelope.id !== null) {
      answered(text, { ...envelope, id: envelope.id })
      return
    }
    const client = clients.get(envelope.sessionId ?? '')
    if (client === undefined) return
    if (envelope.attached !== null) clients.set(envelope.attached, client)
    if (envelope.detached !== null) clients.delete(envelope.detached)
    const sessionId = envelope.sessionId === client.root ? null : envelope.sessionId
    client.receive(rewriteEnvelope(text, envelope, { id: null, sessionId }))
  }

  pipe.onMessage((text) => {
    try {
      deliver(text)
    } catch {
      // A message of another form than Chromium's has no client.
    }
  })

  function forward(client: Connected, text: string): void {
    const command = readCommand(text)
    if (command === null) {
      client.fail('A message is not a command of the DevTools protocol.')
      return
    }
    const { id, method, params, sessionId } = command
    const reject = (code: number, message: string): void =>
      client.receive(JSON.stringify({ id, error: { code, message }, sessionId }))
    if (sessionId !== undefined && clients.get(sessionId) !== client)
      return reject(-32_001, 'Session with given id not found.')
    const refusal = findRefusal(method, params)
    if (refusal !== null) return reject(-32_000, refusal)
    const session = sessionId ?? client.root
    if (
      client.unanswered >= MOST_UNANSWERED ||
      !ask({ method, params, sessionId: session }, { client, id, sessionId: session })
    ) {
      client.fail('The browser does not keep up with the commands.')
      return
    }
    client.unanswered += 1
  }

  async function openRoot(): Promise<string> {
    let timer: NodeJS.Timeout | undefined
    const root = await new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(''), CONNECT_TIMEOUT_MS)
      if (!ask({ method: 'Target.attachToBrowserTarget' }, { resolve })) resolve('')
    })
    clearTimeout(timer)
    if (root === '') throw new AppError('upstream_timeout', 'The browser does not answer.')
    return root
  }

  return {
    async connect({ receive, fail }) {
      const client: Connected = { receive, fail, root: await openRoot(), unanswered: 0 }
      clients.set(client.root, client)
      return {
        send(text) {
          try {
            forward(client, text)
          } catch {
            // JSON.stringify throws a RangeError for values that JSON.parse accepts.
            client.fail('A message is nested too deeply.')
          }
        },
        close() {
          for (const [session, owner] of clients) if (owner === client) clients.delete(session)
          for (const [id, answer] of waiting)
            if ('client' in answer && answer.client === client) waiting.delete(id)
          pipe.send(
            JSON.stringify({
              id: (lastId += 1),
              method: 'Target.detachFromTarget',
              params: { sessionId: client.root },
            }),
          )
        },
      }
    },
  }
}

function readCommand(text: string): Command | null {
  try {
    const { id, method, params, sessionId } = JSON.parse(text) as Partial<Command>
    if (typeof id !== 'number' || typeof method !== 'string') return null
    if (sessionId !== undefined && typeof sessionId !== 'string') return null
    return { id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }
  } catch {
    return null
  }
}
