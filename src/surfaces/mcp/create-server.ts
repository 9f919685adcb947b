import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { ErrorCode, McpError, type JSONRPCRequest, type ServerNotification, type ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import type { Data } from '../../catalog/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import { publicId } from '../../lib/ids.ts'
import { envelopeOf, logFault, toAppError } from '../http/render-error.ts'
import type { Exchange } from './exchange.ts'
import { createProgress, silent, type Progress } from './progress.ts'
import { RenderedResult } from './rendered-result.ts'
import type { Tool, ToolParts } from './tools/tool.ts'
import { tools } from './tools/tools.ts'

export type ServerOptions = ToolParts & {
  readonly exchangeOf: (id: Extra['requestId']) => Exchange | undefined
  readonly progressEveryMs: number
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

const INSTRUCTIONS =
  'Tollgate sells actions by the call from one balance. discover finds the action for a task, describe tells its parameters and price, run makes the call. A call that fails costs nothing. Give run a max_cost_cents to cap a call and an idempotency_key to repeat it safely.'

const TOOL_LIST = { tools: tools.map(({ name, title, description, input, annotations }) => ({ name, title, description, inputSchema: input, annotations })) }

/** The tools, as a server of the official SDK. One serves all clients: it remembers nothing of any. */
export function createServer(options: ServerOptions): Server {
  const server = new Server({ name: 'tollgate', title: 'Tollgate', version: '0.1.0' }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS })
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  // The SDK's own handlers of tools read question and answer against schemas several times over, which costs more than
  // a whole call does; the tool's schema reads the question here.
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    if (method === 'tools/list') return TOOL_LIST
    if (method !== 'tools/call') throw new McpError(ErrorCode.MethodNotFound, 'Method not found')
    const tool = byName.get(String(params?.['name']))
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool named "${String(params?.['name']).slice(0, 60)}": there are ${[...byName.keys()].join(', ')}.`)
    const exchange = options.exchangeOf(extra.requestId)
    return exchange === undefined ? {} : callTool(options, tool, params, extra, exchange)
  }
  return server
}

async function callTool(options: ServerOptions, tool: Tool, params: JSONRPCRequest['params'], extra: Extra, { request }: Exchange): Promise<RenderedResult> {
  try {
    const input = options.calls.validator.validate(tool.input, params?.['arguments'] ?? {})
    const { body, meta = null } = await tool.call(options, { request, input, idempotencyKey: keyOf(params), progress: progressOf(options, extra), signal: extra.signal })
    return new RenderedResult(body, { meta })
  } catch (error) {
    const known = toAppError(error)
    logFault(known, error, request)
    const envelope: Data = envelopeOf(known, publicId('request', request.id))
    const seconds = known.retryAfterSeconds
    return new RenderedResult(JSON.stringify(seconds === undefined ? envelope : { ...envelope, retry_after_seconds: seconds }), { isError: true })
  }
}

function keyOf(params: JSONRPCRequest['params']): string | null {
  const key = params?._meta?.['idempotencyKey']
  if (key === undefined || key === null) return null
  if (typeof key !== 'string') throw new AppError('invalid_params', '_meta.idempotencyKey must be text.', { param: '_meta.idempotencyKey', fix: 'Send a fresh UUID for each new call, and the same one when you repeat it.' })
  return key
}

function progressOf({ progressEveryMs }: ServerOptions, { _meta, sendNotification }: Extra): Progress {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return silent
  return createProgress((facts) => sendNotification({ method: 'notifications/progress', params: { progressToken, ...facts } }), progressEveryMs)
}
