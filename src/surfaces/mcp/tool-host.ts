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
import { createProgress, silent, type Progress } from './progress.ts'
import { RenderedResult } from './rendered-result.ts'
import type { Tool, ToolParts } from './tools/tool.ts'
import { tools } from './tools/tools.ts'

/** What answers `tools/list` and `tools/call`. */
export type ToolHost = {
  readonly listed: readonly ListedTool[]
  /** Throws McpError for what never reaches a tool; what a tool refuses is a result. */
  call(
    params: JSONRPCRequest['params'],
    exchange: Exchange,
  ): Promise<RenderedResult | CallToolResult>
}

export type ToolHostOptions = ToolParts & { readonly progressEveryMs: number }

const listed = tools.map(({ name, title, description, input, annotations }) => ({
  name,
  title,
  description,
  inputSchema: { ...input },
  annotations,
}))

/** The product's tools. */
export function createToolHost(options: ToolHostOptions): ToolHost {
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
          `There is no tool named "${name.slice(0, 60)}": there are ${[...byName.keys()].join(', ')}.`,
        )
      return callTool(options, tool, params, exchange)
    },
  }
}

async function callTool(
  options: ToolHostOptions,
  tool: Tool,
  params: JSONRPCRequest['params'],
  exchange: Exchange,
): Promise<RenderedResult> {
  const { request } = exchange
  try {
    const input = readInput(options, tool, params?.['arguments'] ?? {})
    const { body, meta = null } = await tool.call(options, {
      request,
      input,
      idempotencyKey: keyOf(params),
      progress: progressOf(options, params, exchange),
      signal: exchange.signal,
    })
    return new RenderedResult(body, { meta })
  } catch (error) {
    const known = toAppError(error)
    logFault(known, error, request)
    const envelope: Data = envelopeOf(known, publicId('request', request.id), isOfTestKey(request))
    const seconds = known.retryAfterSeconds
    return new RenderedResult(
      JSON.stringify(
        seconds === undefined ? envelope : { ...envelope, retry_after_seconds: seconds },
      ),
      { isError: true },
    )
  }
}

function readInput({ calls }: ToolHostOptions, tool: Tool, args: unknown): Data {
  const { readSent = (given: Data) => given } = tool
  const sent = isFields(args) ? readSent(withoutNulls(args)) : args
  try {
    return calls.validator.validate(tool.input, sent)
  } catch (error) {
    if (isFields(sent)) tool.explainSlip?.(sent)
    throw error
  }
}

/** Many clients (CrewAI, Langflow) send null for each argument that a model left out, and no tool takes one. */
function withoutNulls(sent: Data): Data {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
}

function keyOf(params: JSONRPCRequest['params']): string | null {
  const key = params?._meta?.['idempotencyKey']
  if (key === undefined || key === null) return null
  if (typeof key !== 'string')
    throw new AppError('invalid_params', '_meta.idempotencyKey must be text.', {
      param: '_meta.idempotencyKey',
      fix: 'Send a fresh UUID for each new call, and the same one when you repeat it.',
    })
  return key
}

function progressOf(
  { progressEveryMs }: ToolHostOptions,
  params: JSONRPCRequest['params'],
  exchange: Exchange,
): Progress {
  const progressToken = params?._meta?.progressToken
  if (progressToken === undefined) return silent
  return createProgress(
    (facts) =>
      exchange.tell({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, ...facts },
      }),
    progressEveryMs,
  )
}
