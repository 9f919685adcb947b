import type { OutgoingHttpHeaders } from 'node:http'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { messageText } from './rendered-result.ts'

/**
 * One POST and its answer. The answer is JSON, unless something is to be told before it (progress): then it becomes a
 * stream of events. Settles when it was sent, or when the client has gone.
 */
export class Exchange {
  readonly request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #takesEvents: boolean
  readonly #takesJson: boolean
  readonly #done = Promise.withResolvers<void>()
  #leaving: AbortController | undefined
  #isGone = false
  #isStream = false

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.request = request
    this.#reply = reply
    this.#takesEvents = accepts(request, 'text/event-stream')
    this.#takesJson = accepts(request, 'application/json')
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return
      this.#isGone = true
      this.#leaving?.abort()
      this.#done.resolve()
    })
  }

  get done(): Promise<void> {
    return this.#done.promise
  }

  /** Aborts when the client has gone. */
  get signal(): AbortSignal {
    this.#leaving ??= new AbortController()
    if (this.#isGone) this.#leaving.abort()
    return this.#leaving.signal
  }

  /** Tells the client something before the answer, if it takes events. */
  tell(message: JSONRPCMessage): void {
    if (this.#isGone || !this.#takesEvents) return
    if (!this.#isStream) this.#startStream()
    this.#reply.raw.write(`event: message\ndata: ${messageText(message)}\n\n`)
  }

  answer(message: JSONRPCMessage): void {
    if (this.#isGone) return
    if (this.#takesEvents && !this.#takesJson && !this.#isStream) this.#startStream()
    if (this.#isStream) this.#reply.raw.end(`event: message\ndata: ${messageText(message)}\n\n`)
    else this.#reply.type('application/json; charset=utf-8').send(messageText(message))
    this.#done.resolve()
  }

  #startStream(): void {
    this.#isStream = true
    this.#reply.hijack()
    // Asked of proxies in between: nginx would collect events before passing them on.
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
