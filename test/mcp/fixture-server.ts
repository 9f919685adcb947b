/** A server with the tools that the conformance suite asks for by name, behind the same transport as the product's own. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  ListToolsRequestSchema,
  SetLevelRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js'
import Fastify from 'fastify'
import { newId } from '../../src/lib/ids.ts'
import { acceptJsonBodies } from '../../src/surfaces/http/bodies/json-body.ts'
import { mountServer } from '../../src/surfaces/mcp/mcp-routes.ts'
import { fieldsOf } from '../../src/lib/json-fields.ts'
import type { Method, Methods } from '../../src/surfaces/mcp/method.ts'
import type { ToolHost } from '../../src/surfaces/mcp/tool-host.ts'
import { cleanUp } from '../harness/clean-up.ts'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='

type Content = CallToolResult['content']
const text = (words: string): Content[number] => ({ type: 'text', text: words })
const image: Content[number] = { type: 'image', data: PNG, mimeType: 'image/png' }
const resource = (uri: string, mimeType: string, words: string): Content[number] => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
})

const ANSWERS: Readonly<Record<string, CallToolResult>> = {
  test_simple_text: { content: [text('This is a simple text response for testing.')] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] },
  test_embedded_resource: {
    content: [
      resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
  },
  test_multiple_content_types: {
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
  test_error_handling: {
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  },
  test_tool_with_logging: { content: [text('Logged.')] },
  test_tool_with_progress: { content: [text('Done.')] },
  json_schema_2020_12_tool: { content: [text('Understood.')] },
}

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
}

const host: ToolHost = {
  listed: Object.keys(ANSWERS).map((name) => ({
    name,
    description: `Fixture ${name}.`,
    inputSchema: name === 'json_schema_2020_12_tool' ? SCHEMA : { type: 'object' },
  })),
  async call({ params, exchange, client }) {
    const name = String(params['name'])
    const { progressToken } = fieldsOf(params['_meta'])
    if (name === 'test_tool_with_logging' && client === null)
      for (const data of [
        'Tool execution started',
        'Tool processing data',
        'Tool execution completed',
      ])
        exchange.notify({
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level: 'info', data },
        })
    if (
      name === 'test_tool_with_progress' &&
      (typeof progressToken === 'string' || typeof progressToken === 'number')
    )
      for (const progress of [0, 50, 100])
        exchange.notify({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        })
    return ANSWERS[name] ?? { content: [text(`There is no fixture ${name}.`)], isError: true }
  },
}

const shared = new Map<string, Method>([['tools/call', (call) => host.call(call)]])
const METHODS: Methods = {
  shared,
  modern: new Map<string, Method>([
    ...shared,
    ['tools/list', () => ({ tools: host.listed, ttlMs: 0, cacheScope: 'public' })],
  ]),
}

function createFixtureServer(): Server {
  const server = new Server(
    { name: 'fixtures', version: '1' },
    { capabilities: { tools: {}, logging: {} } },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...host.listed] }))
  server.setRequestHandler(SetLevelRequestSchema, () => ({}))
  return server
}

/** Its address on loopback. */
export async function startFixtureServer(): Promise<string> {
  const app = Fastify({ genReqId: () => newId(Date.now()), forceCloseConnections: true })
  acceptJsonBodies(app)
  await mountServer(app, {
    server: createFixtureServer(),
    methods: METHODS,
    bodyLimitBytes: 100_000,
  })
  cleanUp(() => app.close())
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/mcp`
}
