import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Micros } from '../../lib/money.ts'
import type { CallerLine } from '../../llm/ask/caller-line.ts'
import { Gatherer } from './gather.ts'

/** The response of the HTTP server as a line to the caller. */
export class ResponseLine implements CallerLine {
  readonly #reply: FastifyReply
  readonly #raw: ServerResponse
  readonly #gatherer: Gatherer
  #listeners: (() => void)[] = []
  #isFull = false
  isGone = false

  constructor(reply: FastifyReply) {
    this.#reply = reply
    this.#raw = reply.raw
    this.#gatherer = new Gatherer((bytes) => {
      if (!this.isGone && !this.#raw.write(bytes)) this.#isFull = true
    })
    // Hung up while the key was looked at.
    this.isGone = this.#raw.destroyed
    this.#raw.once('close', () => {
      if (this.#raw.writableFinished) return
      this.isGone = true
      for (const listener of this.#listeners.splice(0)) listener()
    })
  }

  /** HTTP/1.0, which proxies such as nginx speak unless told otherwise, has no chunks and nothing after the body. */
  get #canTrail(): boolean {
    return this.#reply.request.raw.httpVersion !== '1.0'
  }

  onGone(listener: () => void): void {
    if (this.isGone) listener()
    else this.#listeners.push(listener)
  }

  start({ model }: { readonly model: string }): void {
    // Asked of proxies in between: nginx would collect events before passing them on.
    const headers = {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-model': model,
    }
    this.#raw.writeHead(200, {
      ...(this.#reply.getHeaders() as OutgoingHttpHeaders),
      ...headers,
      ...(this.#canTrail ? { trailer: 'X-Charged-Micros' } : {}),
    })
    // Only now: what goes wrong before is answered as any other error.
    this.#reply.hijack()
  }

  write(bytes: Buffer): boolean {
    if (this.isGone) return true
    this.#gatherer.add(bytes)
    return !this.#isFull
  }

  onDrain(listener: () => void): void {
    this.#raw.on('drain', () => {
      this.#isFull = false
      listener()
    })
  }

  end(bytes: Buffer, charged: Micros): void {
    if (this.isGone) return
    if (this.#canTrail) this.#raw.addTrailers({ 'x-charged-micros': charged.toString() })
    this.#raw.end(Buffer.concat([...this.#gatherer.take(), bytes]))
  }
}
