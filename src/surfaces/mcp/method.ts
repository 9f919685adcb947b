import type { Fields } from '../../lib/json-fields.ts'
import type { Exchange } from './exchange.ts'
import type { ModernClient } from './modern/modern-request.ts'
import type { RenderedResult } from './rendered-result.ts'

/** A result as an object, or already serialized. */
export type MethodResult = Fields | RenderedResult

/** A request of a method. `client` is null in the older protocols. */
export type MethodCall = {
  readonly params: Fields
  readonly exchange: Exchange
  readonly client: ModernClient | null
}

/** Throws RpcError. */
export type Method = (call: MethodCall) => Promise<MethodResult> | MethodResult

export type Methods = {
  readonly shared: ReadonlyMap<string, Method>
  /** Adds to, or replaces, the shared methods. */
  readonly modern: ReadonlyMap<string, Method>
}
