/** Errors of tools in the official clients, which check structured content of every result. */
import assert from 'node:assert/strict'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { before, describe, it } from 'node:test'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'

let bed: AppBed
let url: URL
before(async () => {
  bed = await openAppBed()
  url = new URL(`${await bed.app.listen({ port: 0, host: '127.0.0.1' })}/mcp`)
})

/** Invalid calls of every tool that can fail. */
const FAILING: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
  ['discover', {}],
  ['discover', { query: 'x', limit: 99_999 }],
  ['describe', { service: 'semantic', action: 'nowhere' }],
  ['run', { action: 'semantic/search', params: {} }],
  ['result', { job_id: 'job_unknown' }],
  ['budget', { do: 'end', id: 'agk_unknown' }],
  ['balance', { unknown: 1 }],
  ['session', { session_id: 'ses_unknown', command: 'ls' }],
  ['close', { session_id: 'ses_unknown' }],
]

const client = { name: 'test', version: '1' }

describe('an error of a tool', () => {
  const requestInit = () => ({ headers: { Authorization: `Bearer ${bed.liveKey}` } })
  const clients = {
    'sdk 1': async () => {
      const old = new Client(client)
      // The SDK's own types disagree under exactOptionalPropertyTypes.
      await old.connect(new StreamableHTTPClientTransport(url, { requestInit: requestInit() }))
      return old
    },
    'client 2, pinned to 2026-07-28': async () => {
      const modern = new ModernClient(client, {
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      })
      await modern.connect(new ModernTransport(url, { requestInit: requestInit() }))
      return modern
    },
    'client 2, older protocol': async () => {
      const modern = new ModernClient(client)
      await modern.connect(new ModernTransport(url, { requestInit: requestInit() }))
      return modern
    },
  }
  for (const [name, connect] of Object.entries(clients))
    it(`reaches the model with its fix and without structured content: ${name}`, async () => {
      const connected = await connect()
      await connected.listTools()
      for (const [tool, input] of FAILING) {
        const result = await connected.callTool({ name: tool, arguments: input })
        assert.deepEqual([result.isError, result['structuredContent']], [true, undefined], tool)
        assert.match(JSON.stringify(result.content), /\\"fix\\":/, tool)
      }
      await connected.close()
    })
})
