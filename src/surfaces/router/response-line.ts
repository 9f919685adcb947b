import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Micros } from '../../lib/money.ts'
import type { CallerLine } from '../../llm/ask/caller-line.ts'
import { onGone } from '../http/connections/client-gone.ts'
import { Gatherer } from './gather.ts'
import type { RouteReply } from '../http/route-objects.ts'

/** Writes a completion to the HTTP response of its caller. */
export class ResponseLine implements CallerLine {
  readonly #reply: RouteReply
  readonly #raw: ServerResponse
  readonly #gatherer: Gatherer
  #listeners: (() => void)[] = []
  #isFull = false
  isDisconnected = false

  constructor(reply: RouteReply) {
    this.#reply = reply
    this.#raw = reply.raw
    this.#gatherer = new Gatherer((bytes) => {
      if (!this.isDisconnected && !this.#raw.write(bytes)) this.#isFull = true
    })
    // The caller may have hung up during authentication.
    onGone(this.#raw, () => {
      this.isDisconnected = true
      for (const listener of this.#listeners.splice(0)) listener()
    })
  }

  /** HTTP/1.0 has neither chunks nor trailers. nginx uses it by default. */
  get #canTrail(): boolean {
    return this.#reply.request.raw.httpVersion !== '1.0'
  }

  onDisconnect(listener: () => void): void {
    if (this.isDisconnected) listener()
    else this.#listeners.push(listener)
  }

  start({ model }: { readonly model: string | null }): void {
    // Without x-accel-buffering, nginx would collect events before forwarding them.
    const headers = {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...(model === null ? {} : { 'x-model': model }),
    }
    this.#raw.writeHead(200, {
      ...(this.#reply.getHeaders() as OutgoingHttpHeaders),
      ...headers,
      ...(this.#canTrail ? { trailer: 'X-Charged-Micros' } : {}),
    })
    // Errors before this point get an ordinary error response.
    this.#reply.hijack()
  }

  write(bytes: Buffer): boolean {
    if (this.isDisconnected) return true
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
    if (this.isDisconnected) return
    if (this.#canTrail) this.#raw.addTrailers({ 'x-charged-micros': charged.toString() })
    this.#raw.end(Buffer.concat([...this.#gatherer.take(), bytes]))
  }
}
