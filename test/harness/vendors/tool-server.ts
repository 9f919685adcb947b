/** An MCP server by the official SDK, over Streamable HTTP with sessions. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { cleanUp } from '../clean-up.ts'

type Json = Record<string, unknown>

export type ToolServer = {
  readonly url: string
  /** Arguments of the calls, by tool. */
  readonly calls: { readonly tool: string; readonly input: unknown }[]
  /** The value of "authorization" of each request. */
  readonly keys: (string | undefined)[]
  /** Sessions that are not ended. */
  openSessions(): number
}

/** `answer`: the result of a call. `isJson`: answers in JSON instead of an event stream. */
export async function startToolServer(
  tools: readonly Json[],
  answer: (tool: string, input: Json) => Json,
  isJson = false,
): Promise<ToolServer> {
  const calls: ToolServer['calls'] = []
  const keys: ToolServer['keys'] = []
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  async function open(): Promise<StreamableHTTPServerTransport> {
    const server = new Server({ name: 'tools', version: '1.0.0' }, { capabilities: { tools: {} } })
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
      params?.cursor === undefined
        ? {
            tools: tools.slice(0, 2),
            ...(tools.length > 2 ? { nextCursor: 'more' } : {}),
          }
        : { tools: tools.slice(2) },
    )
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      calls.push({ tool: params.name, input: params.arguments })
      return answer(params.name, params.arguments ?? {})
    })
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: isJson,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await server.connect(transport)
    return transport
  }
  const http = createServer((request, response) => {
    keys.push(request.headers.authorization)
    const known = sessions.get(sessionOf(request))
    void (known === undefined ? open() : Promise.resolve(known)).then((transport) =>
      transport.handleRequest(request, response),
    )
  })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  cleanUp(() => {
    http.closeAllConnections()
    http.close()
  })
  const { port } = http.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, calls, keys, openSessions: () => sessions.size }
}

function sessionOf({ headers }: IncomingMessage): string {
  return String(headers['mcp-session-id'] ?? '')
}
