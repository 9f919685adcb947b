import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import type { Exchange } from './exchange.ts'

type Open = { readonly exchange: Exchange; readonly clientId: RequestId }

/**
 * Passes the requests of all clients to one server. It keeps no state beyond a POST, so any process
 * can answer any request. Request ids of different clients collide, so the server sees unique ids.
 */
export class ExchangeTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- required by the interface of the SDK
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void
  readonly #open = new Map<RequestId, Open>()
  #lastId = 0

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.()
  }

  /** Passes a request to the server, which answers it through `send`. */
  carry(message: JSONRPCRequest, exchange: Exchange): void {
    this.#lastId += 1
    this.#open.set(this.#lastId, { exchange, clientId: message.id })
    this.onmessage?.({ ...message, id: this.#lastId })
  }

  /** Sends responses. The server sends no requests or notifications of its own. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message || message.id === undefined) return
    const open = this.#open.get(message.id)
    this.#open.delete(message.id)
    open?.exchange.answer({ ...message, id: open.clientId })
  }
}
