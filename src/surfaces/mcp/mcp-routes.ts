/** POST /mcp: the Model Context Protocol over Streamable HTTP, without sessions. */
import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import type { Caller } from '../../keys/caller.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { publicId } from '../../lib/ids.ts'
import { SharedCapacity } from '../../lib/fairness/shared-capacity.ts'
import { envelopeOf, isOfTestKey, logFault, toAppError } from '../http/render-error.ts'
import { allowPages } from './allow-pages.ts'
import { checkHosts } from './allowed-hosts.ts'
import { createServer, type McpServer } from './create-server.ts'
import { Exchange } from './exchange.ts'
import { RESOURCE_PATH } from './protected-resource.ts'
import type { MethodResult, Methods } from './method.ts'
import { createMethods } from './methods.ts'
import { isModern, readModernRequest, SUPPORTED_VERSIONS } from './modern/modern-request.ts'
import { RenderedResult } from './rendered-result.ts'
import { RPC, RpcError } from './rpc-error.ts'
import { createToolHost } from './tool-host.ts'
import type { ToolDeps } from './tools/tool.ts'

export type McpDeps = ToolDeps & {
  /** Authentication and limits: the hooks of every paid route. */
  readonly guards: readonly onRequestHookHandler[]
  readonly bodyLimitBytes: number
  /** Interval of progress notifications. PROGRESS_EVERY_MS by default. */
  readonly progressEveryMs?: number
}

const PROGRESS_EVERY_MS = 2_000
// Each call holds its request and its response in memory. Further calls get 503 with Retry-After.
const MOST_IN_FLIGHT = 10_000

export async function mcpRoutes(
  app: FastifyInstance,
  { guards, bodyLimitBytes, progressEveryMs = PROGRESS_EVERY_MS, ...deps }: McpDeps,
): Promise<void> {
  const host = createToolHost({ ...deps, progressEveryMs })
  const methods = createMethods(deps, host)
  app.addHook('onRequest', checkHosts(deps.published.publicUrl))
  app.addHook('onRequest', allowPages(deps.published.publicUrl))
  for (const guard of guards) app.addHook('onRequest', guard)
  await mountServer(app, { create: () => createServer(host), methods, bodyLimitBytes })
}

export type Mounted = {
  /** Called by the first request. */
  readonly create: () => Promise<McpServer>
  readonly methods: Methods
  readonly bodyLimitBytes: number
}

/**
 * Serves the SDK's server and the tools at POST /mcp. The first request loads the SDK, because many
 * gateways never receive one.
 */
export async function mountServer(
  app: FastifyInstance,
  { create, methods, bodyLimitBytes }: Mounted,
): Promise<void> {
  let server: Promise<McpServer> | undefined
  const room = new SharedCapacity(MOST_IN_FLIGHT, 'calls')
  app.setErrorHandler(renderRpcError)
  app.post(RESOURCE_PATH, { bodyLimit: bodyLimitBytes }, async (request, reply) => {
    reply
      .header('x-request-id', publicId('request', request.id))
      .header('cache-control', 'no-store')
    const { body: message } = request
    const { transport, isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResponse } =
      await (server ??= create())
    const isModernRequest = isJSONRPCRequest(message) && isModern(message, request.headers)
    if (!isModernRequest) checkVersion(request)
    if (!isJSONRPCRequest(message)) {
      if (!isJSONRPCNotification(message) && !isJSONRPCResponse(message)) throw notAMessage(message)
      // Request ids are unique per client only, so a notification cannot name a request of this server.
      // A client of 2026-07-28 cancels a request by closing its response.
      return reply.code(202).send()
    }
    const account = (request.caller as Caller | undefined)?.accountId
    room.take(account)
    const exchange = new Exchange(request, reply)
    try {
      // These methods bypass the server of the SDK. It validates every message against several schemas,
      // which costs a third of a paid call, and it knows the older protocols only.
      if (isModernRequest) await (request.work = answerModern(methods, message, exchange))
      else if (methods.shared.has(message.method))
        await (request.work = answerShared(methods, message, exchange))
      else transport.carry(message, exchange)
      await exchange.done
    } finally {
      room.giveBack(account)
    }
    return reply
  })
}

/** Answers a request of the older protocols. */
async function answerShared(
  { shared }: Methods,
  { id, method, params }: JSONRPCRequest,
  exchange: Exchange,
): Promise<void> {
  await answer(exchange, id, async () =>
    shared.get(method)?.({ params: fieldsOf(params), exchange, client: null }),
  )
}

async function answerModern(
  { shared, modern }: Methods,
  message: JSONRPCRequest,
  exchange: Exchange,
): Promise<void> {
  const { id, method, params } = message
  await answer(exchange, id, async () => {
    const client = readModernRequest(message, exchange.request.headers)
    const perform = modern.get(method) ?? shared.get(method)
    if (perform === undefined)
      throw new RpcError(RPC.methodNotFound, `Unknown method "${method.slice(0, 60)}".`, {
        status: 404,
      })
    const result = await perform({ params: fieldsOf(params), exchange, client })
    return result instanceof RenderedResult ? result : { resultType: 'complete', ...result }
  })
}

async function answer(
  exchange: Exchange,
  id: JSONRPCRequest['id'],
  perform: () => Promise<MethodResult | undefined>,
): Promise<void> {
  try {
    exchange.answer({ jsonrpc: '2.0', id, result: (await perform()) ?? {} })
  } catch (error) {
    const known = error instanceof RpcError ? error : toRpcError(error, exchange.request)
    exchange.answer({ jsonrpc: '2.0', id, error: known.toJson() }, known.status)
  }
}

function toRpcError(error: unknown, request: FastifyRequest): RpcError {
  const known = toAppError(error)
  logFault(known, error, request)
  return new RpcError(RPC.internal, known.message)
}

function checkVersion({ headers }: FastifyRequest): void {
  const version = headers['mcp-protocol-version']
  if (version === undefined || SUPPORTED_VERSIONS.includes(String(version))) return
  throw new AppError(
    'bad_request',
    `Unsupported protocol version "${String(version).slice(0, 40)}".`,
    { fix: `Send MCP-Protocol-Version with one of ${SUPPORTED_VERSIONS.join(', ')}.` },
  )
}

function notAMessage(message: unknown): AppError {
  const problem = Array.isArray(message)
    ? 'Batches are not supported.'
    : 'The body is not a JSON-RPC 2.0 message.'
  return new AppError('bad_request', problem, {
    fix: 'Send one JSON-RPC 2.0 message: {"jsonrpc":"2.0","id":1,"method":"tools/list"}.',
  })
}

const SERVER_ERROR = -32000

/** Renders an error outside a tool: the HTTP status, and the error envelope as JSON-RPC `data`. */
function renderRpcError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = toAppError(error)
  logFault(known, error, request)
  if (known.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(known.retryAfterSeconds))
  const requestId = publicId('request', request.id)
  // An undefined body was not valid JSON.
  const code =
    known.code !== 'bad_request'
      ? SERVER_ERROR
      : request.body === undefined
        ? RPC.parseError
        : RPC.invalidRequest
  const body = {
    jsonrpc: '2.0',
    id: null,
    error: {
      code,
      message: known.message,
      data: envelopeOf(known, requestId, isOfTestKey(request)),
    },
  }
  return reply
    .header('x-request-id', requestId)
    .code(known.spec.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))
}
