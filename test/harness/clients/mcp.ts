/** A client of /mcp that sends bare JSON-RPC, over the bed of `app.ts`. */
import type { LightMyRequestResponse } from 'fastify'
import type { AppBed } from '../beds/app.ts'

export type Envelope = {
  readonly ok: boolean
  readonly data: Record<string, unknown>
  readonly error: {
    readonly code: string
    readonly param: string | null
    readonly fix: string
    readonly details?: Record<string, unknown>
  }
  readonly charged_cents: number
  readonly charged_micros: number
  readonly request_id: string
  readonly retry_after_seconds?: number
  readonly test?: true
}
export type ToolResult = {
  readonly content: { type: string; text: string }[]
  readonly structuredContent: Envelope
  readonly isError?: boolean
  readonly _meta?: Record<string, unknown>
}

export const MCP_HEADERS = {
  host: 'gate.example',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-06-18',
}

export function mcpClient(bed: AppBed) {
  let lastId = 0
  const send = (
    message: unknown,
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> => bed.post('/mcp', message, { ...MCP_HEADERS, ...headers })
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the type of the result
  const ask = async <Result>(
    method: string,
    params?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ result: Result; error?: { code: number; message: string } }> => {
    lastId += 1
    const reply = await send(
      { jsonrpc: '2.0', id: lastId, method, ...(params === undefined ? {} : { params }) },
      headers,
    )
    return reply.json()
  }
  return {
    send,
    ask,
    async tool(
      name: string,
      input: Record<string, unknown> = {},
      { key, meta }: { readonly key?: string; readonly meta?: Record<string, unknown> } = {},
    ): Promise<ToolResult> {
      const { result } = await ask<Omit<ToolResult, 'structuredContent'> & Partial<ToolResult>>(
        'tools/call',
        { name, arguments: input, ...(meta === undefined ? {} : { _meta: meta }) },
        key === undefined ? {} : { authorization: `Bearer ${key}` },
      )
      // Errors have the envelope as text only.
      const { structuredContent = JSON.parse(result.content[0]?.text ?? '{}') as Envelope } = result
      return { ...result, structuredContent }
    },
  }
}
