import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/**
 * The result of a tool with its envelope as JSON text, which goes into the message unchanged.
 * Parsing and serializing it again would double the cost of this surface.
 */
export class RenderedResult {
  [field: string]: unknown
  readonly json: string

  constructor(
    envelope: string,
    {
      isError = false,
      meta = null,
    }: {
      readonly isError?: boolean
      readonly meta?: Readonly<Record<string, unknown>> | null
    } = {},
  ) {
    const tail = `${isError ? ',"isError":true' : ''}${meta === null ? '' : `,"_meta":${JSON.stringify(meta)}`}`
    // MCP asks servers to send text too, for clients that do not support structured content.
    this.json = `{"content":[{"type":"text","text":${JSON.stringify(envelope)}}],"structuredContent":${envelope}${tail}}`
  }
}

/** Serializes a message. */
export function messageText(message: JSONRPCMessage): string {
  if (!('result' in message) || !(message.result instanceof RenderedResult))
    return JSON.stringify(message)
  return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${message.result.json}}`
}
