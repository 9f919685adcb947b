import type { OutgoingHttpHeaders } from 'node:http'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { onGone } from '../http/connections/client-gone.ts'
import { messageText } from './rendered-result.ts'

/**
 * One POST and its response. The response is JSON, or an event stream once a notification precedes
 * it. `done` resolves when the response is sent or the client disconnects.
 */
export class Exchange {
  readonly request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #acceptsEvents: boolean
  readonly #acceptsJson: boolean
  readonly #done = Promise.withResolvers<void>()
  #disconnect: AbortController | undefined
  #isGone = false
  #isStream = false

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.request = request
    this.#reply = reply
    this.#acceptsEvents = accepts(request, 'text/event-stream')
    this.#acceptsJson = accepts(request, 'application/json')
    onGone(reply.raw, () => {
      this.#isGone = true
      this.#disconnect?.abort()
      this.#done.resolve()
    })
  }

  get done(): Promise<void> {
    return this.#done.promise
  }

  /** Aborts when the client disconnects. */
  get signal(): AbortSignal {
    this.#disconnect ??= new AbortController()
    if (this.#isGone) this.#disconnect.abort()
    return this.#disconnect.signal
  }

  /** Sends a notification before the response, if the client accepts events. */
  notify(message: JSONRPCMessage): void {
    if (this.#isGone || !this.#acceptsEvents) return
    if (!this.#isStream) this.#startStream()
    this.#reply.raw.write(`event: message\ndata: ${messageText(message)}\n\n`)
  }

  /** Sends the response. `status` applies unless a notification has started the stream. */
  answer(message: JSONRPCMessage, status = 200): void {
    if (this.#isGone) return
    if (this.#acceptsEvents && !this.#acceptsJson && !this.#isStream) this.#startStream()
    if (this.#isStream) this.#reply.raw.end(`event: message\ndata: ${messageText(message)}\n\n`)
    else this.#reply.code(status).type('application/json; charset=utf-8').send(messageText(message))
    this.#done.resolve()
  }

  #startStream(): void {
    this.#isStream = true
    this.#reply.hijack()
    // Without x-accel-buffering, nginx would collect events before forwarding them.
    this.#reply.raw.writeHead(200, {
      ...(this.#reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
  }
}

function accepts({ headers: { accept = '*/*' } }: FastifyRequest, type: string): boolean {
  return (
    accept.includes(type) ||
    accept.includes('*/*') ||
    accept.includes(`${type.split('/')[0] ?? ''}/*`)
  )
}
