import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type * as Messages from '@modelcontextprotocol/sdk/types.js'
import { versionOfTollgate } from '../../lib/version.ts'
import { ExchangeTransport } from './exchange-transport.ts'
import type { ToolHost } from './tool-host.ts'

export const INSTRUCTIONS =
  'Tollgate runs pay-per-call actions from one balance. discover finds the action for a task, describe returns its parameters and price, run makes the call. Failed calls are not charged. Pass max_cost_cents to run to limit the cost of a call, and idempotency_key to repeat it safely.'

export const SERVER_INFO = { name: 'tollgate', title: 'Tollgate', version: versionOfTollgate() }

/** The server of the SDK, behind its transport, and the checks of messages. */
export type McpServer = Pick<
  typeof Messages,
  'isJSONRPCNotification' | 'isJSONRPCRequest' | 'isJSONRPCResponse'
> & { readonly transport: ExchangeTransport }

/**
 * Creates the server that initializes clients and lists the tools. It is stateless and serves all
 * clients. It is never closed, because closing would cut off calls in flight. Loading the SDK takes
 * 0.2 s and 9 MB.
 */
export async function createServer({ listed }: ToolHost): Promise<McpServer> {
  const [sdk, messages] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  const server = new sdk.Server(SERVER_INFO, {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: INSTRUCTIONS,
  })
  server.setRequestHandler(messages.ListToolsRequestSchema, () => ({ tools: [...listed] }))
  return connectServer(server, messages)
}

export async function connectServer(
  server: Server,
  { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse }: Omit<McpServer, 'transport'>,
): Promise<McpServer> {
  const transport = new ExchangeTransport()
  await server.connect(transport)
  return { transport, isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse }
}
