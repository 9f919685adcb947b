import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, JSONRPCRequest, MessageExtraInfo, RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { Exchange } from './exchange.ts'

type Open = { readonly exchange: Exchange; readonly clientsId: RequestId }

/**
 * Carries every POST of every client to one server. Nothing outlives its POST, so any process may answer any of them.
 * Clients number their requests as they like and alike; within the server each request has a number of its own.
 */
export class ExchangeTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void
  readonly #open = new Map<RequestId, Open>()
  #lastId = 0

  get openCount(): number {
    return this.#open.size
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.()
  }

  /** Hands a request to the server; settles when its answer was sent or the client has gone. */
  async carry(message: JSONRPCRequest, exchange: Exchange): Promise<void> {
    this.#lastId += 1
    const id = this.#lastId
    this.#open.set(id, { exchange, clientsId: message.id })
    exchange.onGone(() => {
      this.#open.delete(id)
      this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'The client has gone.' } })
    })
    this.onmessage?.({ ...message, id })
    await exchange.done
  }

  /** The POST that a request of the server came in. */
  exchangeOf(id: RequestId): Exchange | undefined {
    return this.#open.get(id)?.exchange
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message) {
      const { relatedRequestId } = options ?? {}
      if (relatedRequestId !== undefined) this.exchangeOf(relatedRequestId)?.tell(message)
      return
    }
    const { id } = message
    if (id === undefined) return
    const open = this.#open.get(id)
    this.#open.delete(id)
    open?.exchange.answer({ ...message, id: open.clientsId })
  }
}
