import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import { publicId } from '../../lib/ids.ts'
import { fieldsOf, isFields, type Fields } from '../../lib/json-fields.ts'
import type { CalledAction } from '../http/log-calls.ts'
import { envelopeOf, isOfTestKey, logFault, toAppError } from '../http/render-error.ts'
import type { Exchange } from './exchange.ts'
import type { MethodCall, MethodResult } from './method.ts'
import { taskOfJob } from './modern/tasks.ts'
import { createProgress, noProgress, type Progress } from './progress.ts'
import { RenderedResult } from './rendered-result.ts'
import { RPC, RpcError } from './rpc-error.ts'
import { adviseForTools } from './tool-advice.ts'
import { splitActionName } from './tools/action-name.ts'
import { run } from './tools/run.ts'
import type { Tool, ToolDeps } from './tools/tool.ts'
import { tools } from './tools/tools.ts'

/** Serves `tools/list` and `tools/call`. */
export type ToolHost = {
  readonly listed: readonly ListedTool[]
  /** Throws RpcError for an unknown tool. Errors of a tool are results. */
  call(call: MethodCall): Promise<MethodResult>
}

export type ToolHostDeps = ToolDeps & { readonly progressEveryMs: number }

const listed = tools.map(({ name, title, description, input, output, annotations }) => ({
  name,
  title,
  description,
  inputSchema: { ...input },
  ...(output === undefined ? {} : { outputSchema: output }),
  annotations,
}))

/** Creates the host of the gateway's tools. */
export function createToolHost(deps: ToolHostDeps): ToolHost {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return {
    listed,
    async call(call) {
      const named = call.params['name']
      const name = typeof named === 'string' ? named : ''
      const tool = byName.get(name)
      if (tool === undefined)
        throw new RpcError(
          RPC.invalidParams,
          `Unknown tool "${name.slice(0, 60)}". The tools are ${[...byName.keys()].join(', ')}.`,
        )
      return callTool(deps, tool, call)
    },
  }
}

async function callTool(deps: ToolHostDeps, tool: Tool, call: MethodCall): Promise<MethodResult> {
  const { params, exchange, client } = call
  const { request } = exchange
  const hasSchema = tool.output !== undefined
  try {
    const input = readInput(deps, tool, params['arguments'] ?? {})
    const reply = await tool.call(deps, {
      request,
      input,
      idempotencyKey: keyOf(fieldsOf(params['_meta'])),
      progress: progressOf(deps, fieldsOf(params['_meta']), exchange),
      signal: exchange.signal,
      client,
    })
    if (reply.inputRequests !== undefined)
      return { resultType: 'input_required', inputRequests: reply.inputRequests }
    const { body, meta = null, jobId } = reply
    if (client?.hasTasks === true && jobId !== undefined) return taskOfJob(jobId)
    const form = client === null ? 'both' : hasSchema ? 'modern-both' : 'modern-text'
    return new RenderedResult(body, { meta, form })
  } catch (error) {
    const known = toAppError(error)
    logFault(known, error, request)
    if (tool === run) deps.callLogger.failed(request, error, calledAction(params['arguments']))
    return new RenderedResult(JSON.stringify(toolError(known, request)), {
      isError: true,
      form: client === null ? 'both' : 'modern-text',
    })
  }
}

/** The action that the arguments of `run` name, also when they are invalid. */
function calledAction(args: unknown): CalledAction {
  const { service, action } = splitActionName(fieldsOf(args))
  return { surface: 'mcp', service: textOrNull(service), action: textOrNull(action) }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
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

function keyOf(meta: Fields): string | null {
  const key = meta['idempotencyKey']
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
  { progressToken }: Fields,
  exchange: Exchange,
): Progress {
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return noProgress
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
