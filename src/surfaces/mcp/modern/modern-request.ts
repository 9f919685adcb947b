/** Requests of protocol 2026-07-28, which carry version and capabilities in `_meta`, mirrored in headers. */
import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import type { IncomingHttpHeaders } from 'node:http'
import { fieldsOf, isFields, type Fields } from '../../../lib/json-fields.ts'
import { OLDER_VERSIONS } from '../older-versions.ts'
import { RPC, RpcError } from '../rpc-error.ts'

export const MODERN_VERSION = '2026-07-28'
export const SUPPORTED_VERSIONS: readonly string[] = [MODERN_VERSION, ...OLDER_VERSIONS]

export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const
export const TASKS = 'io.modelcontextprotocol/tasks'

/** The client of a modern request, as the request describes it. */
export type ModernClient = {
  /** Whether a form can ask the person. */
  readonly canElicit: boolean
  readonly hasTasks: boolean
  /** Answers to the requests of an earlier result. */
  readonly inputResponses: Fields
}

/** Whether a request speaks the modern protocol, in its body or in its header. */
export function isModern(message: JSONRPCRequest, headers: IncomingHttpHeaders): boolean {
  return (
    Object.hasOwn(fieldsOf(message.params?._meta), META.version) ||
    headers['mcp-protocol-version'] === MODERN_VERSION
  )
}

/** Checks version, headers and metadata. Throws RpcError with an HTTP status. */
export function readModernRequest(
  { method, params }: JSONRPCRequest,
  headers: IncomingHttpHeaders,
): ModernClient {
  const meta = fieldsOf(params?._meta)
  const { [META.version]: version, [META.capabilities]: capabilities } = meta
  if (typeof version !== 'string') throw invalidMeta(META.version)
  requireHeader(headers, 'MCP-Protocol-Version', version)
  if (version !== MODERN_VERSION)
    throw new RpcError(RPC.unsupportedVersion, 'Unsupported protocol version.', {
      status: 400,
      data: { supported: SUPPORTED_VERSIONS, requested: version },
    })
  if (!isFields(capabilities)) throw invalidMeta(META.capabilities)
  requireHeader(headers, 'Mcp-Method', method)
  const named = nameOf(method, fieldsOf(params))
  if (named !== null) requireHeader(headers, 'Mcp-Name', named)
  return {
    canElicit: canElicit(capabilities['elicitation']),
    hasTasks: isFields(fieldsOf(capabilities['extensions'])[TASKS]),
    inputResponses: fieldsOf(params?.['inputResponses']),
  }
}

/** A client without modes supports forms. */
function canElicit(elicitation: unknown): boolean {
  return isFields(elicitation) && (!('url' in elicitation) || 'form' in elicitation)
}

const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** The field that Mcp-Name mirrors. Null for methods without one. */
function nameOf(method: string, params: Fields): string | null {
  const field = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined
  const value = field === undefined ? undefined : params[field]
  return typeof value === 'string' ? value : null
}

function requireHeader(headers: IncomingHttpHeaders, name: string, wanted: string): void {
  const given = headers[name.toLowerCase()]
  if (typeof given === 'string' && (name === 'Mcp-Name' ? decode(given) : given) === wanted) return
  throw new RpcError(
    RPC.headerMismatch,
    given === undefined
      ? `The header ${name} is missing.`
      : `The header ${name} does not match the body.`,
    { status: 400 },
  )
}

const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/

function decode(value: string): string {
  const [, encoded] = ENCODED.exec(value) ?? []
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString()
}

function invalidMeta(field: string): RpcError {
  return new RpcError(RPC.invalidParams, `params._meta["${field}"] is missing or invalid.`, {
    status: 400,
  })
}
