import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/**
 * The result of a tool whose envelope is JSON text already. It goes into the message as it is: reading it and writing
 * it again would cost as much as all else that this surface does.
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
    // The text is for clients that know no structured content; the protocol asks servers to send both.
    this.json = `{"content":[{"type":"text","text":${JSON.stringify(envelope)}}],"structuredContent":${envelope}${tail}}`
  }
}

/** A message as it is sent. */
export function messageText(message: JSONRPCMessage): string {
  if (!('result' in message) || !(message.result instanceof RenderedResult))
    return JSON.stringify(message)
  return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${message.result.json}}`
}
