/** A server with the tools, resources and prompts that the conformance suite names, behind the product's transport. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import * as messages from '@modelcontextprotocol/sdk/types.js'
import Fastify from 'fastify'
import { newId } from '../../../src/lib/ids.ts'
import { acceptJsonBodies } from '../../../src/surfaces/http/bodies/json-body.ts'
import { checkHosts } from '../../../src/surfaces/mcp/allowed-hosts.ts'
import { connectServer } from '../../../src/surfaces/mcp/create-server.ts'
import { mountServer } from '../../../src/surfaces/mcp/mcp-routes.ts'
import type { Method, Methods } from '../../../src/surfaces/mcp/method.ts'
import { META, SUPPORTED_VERSIONS } from '../../../src/surfaces/mcp/modern/modern-request.ts'
import { cleanUp } from '../../harness/clean-up.ts'
import { CACHED, contentMethods } from './fixture-contents.ts'
import { fixtureTools } from './fixture-tools.ts'

const SERVER_INFO = { name: 'fixtures', version: '1' }
const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} }

const shared = new Map<string, Method>([
  ['tools/call', (call) => fixtureTools.call(call)],
  ...contentMethods,
])
const METHODS: Methods = {
  shared,
  modern: new Map<string, Method>([
    [
      'server/discover',
      () => ({
        supportedVersions: SUPPORTED_VERSIONS,
        capabilities: CAPABILITIES,
        _meta: { [META.serverInfo]: SERVER_INFO },
        ...CACHED,
      }),
    ],
    ['tools/list', () => ({ tools: fixtureTools.listed, ...CACHED })],
  ]),
}

function createFixtureServer(): Server {
  const server = new Server(SERVER_INFO, { capabilities: { ...CAPABILITIES, logging: {} } })
  server.setRequestHandler(messages.ListToolsRequestSchema, () => ({
    tools: [...fixtureTools.listed],
  }))
  server.setRequestHandler(messages.SetLevelRequestSchema, () => ({}))
  return server
}

/** Its address on loopback. */
export async function startFixtureServer(): Promise<string> {
  const app = Fastify({ genReqId: () => newId(Date.now()), forceCloseConnections: true })
  acceptJsonBodies(app)
  app.addHook('onRequest', checkHosts('https://fixtures.example'))
  await mountServer(app, {
    create: () => connectServer(createFixtureServer(), messages),
    methods: METHODS,
    bodyLimitBytes: 100_000,
  })
  cleanUp(() => app.close())
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/mcp`
}
