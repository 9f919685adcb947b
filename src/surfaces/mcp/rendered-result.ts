import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/**
 * How a result contains the envelope. Older protocols get text and structured content. In the modern
 * one, only tools with an output schema have structured content, so long answers are sent once.
 * Errors are text in both: clients check structured content against the tool's output schema.
 */
export type ResultForm = 'both' | 'modern-text' | 'modern-both'

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
      form = 'both',
    }: {
      readonly form?: ResultForm
      readonly isError?: boolean
      readonly meta?: Readonly<Record<string, unknown>> | null
    } = {},
  ) {
    const tail = `${isError ? ',"isError":true' : ''}${meta === null ? '' : `,"_meta":${JSON.stringify(meta)}`}`
    const kind = form === 'both' ? '' : '"resultType":"complete",'
    const structured = isError || form === 'modern-text' ? '' : `,"structuredContent":${envelope}`
    // MCP asks servers to send text too, for clients that do not support structured content.
    this.json = `{${kind}"content":[{"type":"text","text":${JSON.stringify(envelope)}}]${structured}${tail}}`
  }
}

/** Serializes a message. */
export function messageText(message: JSONRPCMessage): string {
  if (!('result' in message) || !(message.result instanceof RenderedResult))
    return JSON.stringify(message)
  return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${message.result.json}}`
}
