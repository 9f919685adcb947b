import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { versionOfTollgate } from '../../lib/version.ts'
import type { ToolHost } from './tool-host.ts'

export const INSTRUCTIONS =
  'Tollgate runs pay-per-call actions from one balance. discover finds the action for a task, describe returns its parameters and price, run makes the call. Failed calls are not charged. Pass max_cost_cents to run to limit the cost of a call, and idempotency_key to repeat it safely.'

export const SERVER_INFO = { name: 'tollgate', title: 'Tollgate', version: versionOfTollgate() }

/** Creates the server that initializes clients and lists the tools. It is stateless and serves all clients. */
export function createServer({ listed }: ToolHost): Server {
  const server = new Server(SERVER_INFO, {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: INSTRUCTIONS,
  })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...listed] }))
  return server
}
