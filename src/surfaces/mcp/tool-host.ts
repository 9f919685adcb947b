import {
  ErrorCode,
  McpError,
  type CallToolResult,
  type JSONRPCRequest,
  type Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import { publicId } from '../../lib/ids.ts'
import { isFields } from '../../lib/json-fields.ts'
import { envelopeOf, isOfTestKey, logFault, toAppError } from '../http/render-error.ts'
import type { Exchange } from './exchange.ts'
import { createProgress, noProgress, type Progress } from './progress.ts'
import { RenderedResult } from './rendered-result.ts'
import { adviseForTools } from './tool-advice.ts'
import type { Tool, ToolDeps } from './tools/tool.ts'
import { tools } from './tools/tools.ts'

/** Serves `tools/list` and `tools/call`. */
export type ToolHost = {
  readonly listed: readonly ListedTool[]
  /** Throws McpError for an unknown tool. Errors of a tool are results. */
  call(
    params: JSONRPCRequest['params'],
    exchange: Exchange,
  ): Promise<RenderedResult | CallToolResult>
}

export type ToolHostDeps = ToolDeps & { readonly progressEveryMs: number }

const listed = tools.map(({ name, title, description, input, annotations }) => ({
  name,
  title,
  description,
  inputSchema: { ...input },
  annotations,
}))

/** Creates the host of the gateway's tools. */
export function createToolHost(deps: ToolHostDeps): ToolHost {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return {
    listed,
    async call(params, exchange) {
      const named = params?.['name']
      const name = typeof named === 'string' ? named : ''
      const tool = byName.get(name)
      if (tool === undefined)
        throw new McpError(
          ErrorCode.InvalidParams,
          `Unknown tool "${name.slice(0, 60)}". The tools are ${[...byName.keys()].join(', ')}.`,
        )
      return callTool(deps, tool, params, exchange)
    },
  }
}

async function callTool(
  deps: ToolHostDeps,
  tool: Tool,
  params: JSONRPCRequest['params'],
  exchange: Exchange,
): Promise<RenderedResult> {
  const { request } = exchange
  try {
    const input = readInput(deps, tool, params?.['arguments'] ?? {})
    const { body, meta = null } = await tool.call(deps, {
      request,
      input,
      idempotencyKey: keyOf(params),
      progress: progressOf(deps, params, exchange),
      signal: exchange.signal,
    })
    return new RenderedResult(body, { meta })
  } catch (error) {
    const known = toAppError(error)
    logFault(known, error, request)
    return new RenderedResult(JSON.stringify(toolError(known, request)), { isError: true })
  }
}

/** The error envelope of HTTP, with advice that names tools, and the seconds of Retry-After. */
function toolError(known: AppError, request: Exchange['request']): Data {
  const envelope = envelopeOf(known, publicId('request', request.id), isOfTestKey(request))
  const seconds = known.retryAfterSeconds
  return {
    ...envelope,
    error: { ...envelope.error, fix: adviseForTools(known) },
    ...(seconds === undefined ? {} : { retry_after_seconds: seconds }),
  }
}

function readInput({ calls }: ToolHostDeps, tool: Tool, args: unknown): Data {
  const { readSent = (given: Data) => given } = tool
  const sent = isFields(args) ? readSent(withoutNulls(args)) : args
  try {
    return calls.validator.validate(tool.input, sent)
  } catch (error) {
    if (isFields(sent)) tool.explainSlip?.(sent)
    throw error
  }
}

/** Many clients (CrewAI, Langflow) send null for each omitted argument. No tool accepts null. */
function withoutNulls(sent: Data): Data {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
}

function keyOf(params: JSONRPCRequest['params']): string | null {
  const key = params?._meta?.['idempotencyKey']
  if (key === undefined || key === null) return null
  if (typeof key !== 'string')
    throw new AppError('invalid_params', '_meta.idempotencyKey must be text.', {
      param: '_meta.idempotencyKey',
      fix: 'Send a new UUID for each call, and the same one when you repeat a call.',
    })
  return key
}

function progressOf(
  { progressEveryMs }: ToolHostDeps,
  params: JSONRPCRequest['params'],
  exchange: Exchange,
): Progress {
  const progressToken = params?._meta?.progressToken
  if (progressToken === undefined) return noProgress
  return createProgress(
    (facts) =>
      exchange.notify({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, ...facts },
      }),
    progressEveryMs,
  )
}
