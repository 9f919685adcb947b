export type RpcFacts = {
  /** The HTTP status of the modern protocol. 200 by default. */
  readonly status?: number
  readonly data?: Readonly<Record<string, unknown>>
}

/** Codes of JSON-RPC, and of the Model Context Protocol 2026-07-28. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const

/** A protocol error of a request. It is sent with the id of the request. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly status: number
  readonly data: RpcFacts['data']

  constructor(code: number, message: string, { status = 200, data }: RpcFacts = {}) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }

  /** The error object of the response. */
  toJson() {
    return {
      code: this.code,
      message: this.message,
      ...(this.data === undefined ? {} : { data: this.data }),
    }
  }
}
