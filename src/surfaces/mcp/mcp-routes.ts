/** POST /mcp: the Model Context Protocol over Streamable HTTP, without sessions: every POST stands alone. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  ErrorCode,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  McpError,
  SUPPORTED_PROTOCOL_VERSIONS,
  type JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import type { Caller } from '../../keys/caller.ts'
import { publicId } from '../../lib/ids.ts'
import { SharedRoom } from '../../lib/fairness/shared-room.ts'
import { envelopeOf, isOfTestKey, logFault, toAppError } from '../http/render-error.ts'
import { checkHosts } from './allowed-hosts.ts'
import { createServer } from './create-server.ts'
import { Exchange } from './exchange.ts'
import { ExchangeTransport } from './exchange-transport.ts'
import { RESOURCE_PATH } from './protected-resource.ts'
import { createToolHost, type ToolHost } from './tool-host.ts'
import type { ToolParts } from './tools/tool.ts'

export type McpOptions = ToolParts & {
  /** Who calls and how often: the hooks of every paid route. */
  readonly guards: readonly onRequestHookHandler[]
  readonly bodyLimitBytes: number
  /** How often a client that asked hears how a long call stands; PROGRESS_EVERY_MS when left out. */
  readonly progressEveryMs?: number
}

const PROGRESS_EVERY_MS = 2_000
// Each keeps its request and its answer in memory; beyond this many, callers are asked to come back.
const MOST_IN_FLIGHT = 10_000

export async function mcpRoutes(
  app: FastifyInstance,
  { guards, bodyLimitBytes, progressEveryMs = PROGRESS_EVERY_MS, ...parts }: McpOptions,
): Promise<void> {
  const host = createToolHost({ ...parts, progressEveryMs })
  app.addHook('onRequest', checkHosts(parts.published.publicUrl))
  for (const guard of guards) app.addHook('onRequest', guard)
  await mountServer(app, { server: createServer(host), host, bodyLimitBytes })
}

export type Mounted = {
  readonly server: Server
  readonly host: ToolHost
  readonly bodyLimitBytes: number
}

/**
 * Puts a server of the SDK and the tools behind POST /mcp. The server is never closed: that would cut off what is in
 * flight, and it holds nothing else.
 */
export async function mountServer(
  app: FastifyInstance,
  { server, host, bodyLimitBytes }: Mounted,
): Promise<void> {
  const transport = new ExchangeTransport()
  await server.connect(transport)
  const room = new SharedRoom(MOST_IN_FLIGHT, 'calls')
  app.setErrorHandler(renderRpcError)
  app.post(RESOURCE_PATH, { bodyLimit: bodyLimitBytes }, async (request, reply) => {
    reply
      .header('x-request-id', publicId('request', request.id))
      .header('cache-control', 'no-store')
    checkVersion(request)
    const { body: message } = request
    if (!isJSONRPCRequest(message)) {
      if (!isJSONRPCNotification(message) && !isJSONRPCResponse(message)) throw notAMessage(message)
      // Numbers of requests mean something to their own client alone, so what comes without one concerns nobody here.
      return reply.code(202).send()
    }
    const account = (request.caller as Caller | undefined)?.accountId
    room.take(account)
    const exchange = new Exchange(request, reply)
    try {
      // Calls of tools go past the server: on its way it reads every message against several schemas, which costs as much
      // as a third of a paid call.
      if (message.method === 'tools/call')
        await (request.work = answerCall(host, message, exchange))
      else transport.carry(message, exchange)
      await exchange.done
    } finally {
      room.giveBack(account)
    }
    return reply
  })
}

// The SDK puts it before every message, on both ends.
const SDK_PREFIX = /^MCP error -?\d+: /

async function answerCall(
  host: ToolHost,
  { id, params }: JSONRPCRequest,
  exchange: Exchange,
): Promise<void> {
  try {
    exchange.answer({ jsonrpc: '2.0', id, result: await host.call(params, exchange) })
  } catch (error) {
    if (error instanceof McpError)
      exchange.answer({
        jsonrpc: '2.0',
        id,
        error: { code: error.code, message: error.message.replace(SDK_PREFIX, '') },
      })
    else
      exchange.answer({
        jsonrpc: '2.0',
        id,
        error: { code: ErrorCode.InternalError, message: toAppError(error).message },
      })
  }
}

function checkVersion({ headers }: FastifyRequest): void {
  const version = headers['mcp-protocol-version']
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return
  throw new AppError(
    'bad_request',
    `This gateway does not speak version "${String(version).slice(0, 40)}" of the protocol.`,
    { fix: `Send MCP-Protocol-Version with one of ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.` },
  )
}

function notAMessage(message: unknown): AppError {
  const what = Array.isArray(message)
    ? 'Batches are not taken.'
    : 'The body is not a JSON-RPC 2.0 message.'
  return new AppError('bad_request', what, {
    fix: 'Send one JSON-RPC 2.0 message: {"jsonrpc":"2.0","id":1,"method":"tools/list"}.',
  })
}

const SERVER_ERROR = -32000

/** What is refused before it reaches a tool: the status of HTTP, and the facts of the error envelope in JSON-RPC. */
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
  // Without a body after all, it was no JSON.
  const code =
    known.code !== 'bad_request'
      ? SERVER_ERROR
      : request.body === undefined
        ? ErrorCode.ParseError
        : ErrorCode.InvalidRequest
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
