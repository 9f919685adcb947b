import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import type { Exchange } from './exchange.ts'

type Open = { readonly exchange: Exchange; readonly clientsId: RequestId }

/**
 * Carries the requests of every client to one server. Nothing outlives its POST, so any process may answer any of them.
 * Clients number their requests as they like and alike; within the server each request has a number of its own.
 */
export class ExchangeTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the interface of the SDK has it so
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void
  readonly #open = new Map<RequestId, Open>()
  #lastId = 0

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.()
  }

  /** Hands a request to the server, which answers it through `send`. */
  carry(message: JSONRPCRequest, exchange: Exchange): void {
    this.#lastId += 1
    this.#open.set(this.#lastId, { exchange, clientsId: message.id })
    this.onmessage?.({ ...message, id: this.#lastId })
  }

  /** Answers alone: the server has nothing to tell or to ask that nobody asked for. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message || message.id === undefined) return
    const open = this.#open.get(message.id)
    this.#open.delete(message.id)
    open?.exchange.answer({ ...message, id: open.clientsId })
  }
}
