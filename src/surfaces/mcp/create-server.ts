import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { versionOfTollgate } from '../../lib/version.ts'
import type { ToolHost } from './tool-host.ts'

const INSTRUCTIONS =
  'Tollgate sells actions by the call from one balance. discover finds the action for a task, describe tells its parameters and price, run makes the call. A call that fails costs nothing. Give run a max_cost_cents to cap a call and an idempotency_key to repeat it safely.'

/** Greets clients and lists the tools. One serves all: it remembers nothing of any. */
export function createServer({ listed }: ToolHost): Server {
  const server = new Server(
    { name: 'tollgate', title: 'Tollgate', version: versionOfTollgate() },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...listed] }))
  return server
}
