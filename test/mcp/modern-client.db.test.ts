/** The official client of protocol 2026-07-28 against /mcp. */
import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { before, describe, it } from 'node:test'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'

let bed: AppBed
let url: URL
before(async () => {
  bed = await openAppBed()
  bed.vendor.answerWith(() => ({
    body: { requestId: 'r', results: [{ id: 'a', url: 'https://a.example/' }] },
  }))
  url = new URL(`${await bed.app.listen({ port: 0, host: '127.0.0.1' })}/mcp`)
})

describe('the official client, pinned to 2026-07-28', () => {
  it('needs two requests to the result of a paid call', async () => {
    let requests = 0
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    await client.connect(
      new StreamableHTTPClientTransport(url, {
        fetch: (...sent) => {
          requests += 1
          return fetch(...sent)
        },
        requestInit: { headers: { Authorization: `Bearer ${bed.liveKey}` } },
      }),
    )
    const { content } = await client.callTool({
      name: 'run',
      arguments: { action: 'semantic/search', params: { query: 'ledgers' } },
    })
    assert.match(JSON.stringify(content), /charged_micros[\\":]+10000/)
    assert.equal(requests, 2)
    assert.equal((await client.listTools()).tools.length, 8)
    assert.equal((await client.listPrompts()).prompts.length, 3)
    assert.equal((await client.readResource({ uri: 'tollgate://guide' })).contents.length, 1)
    await client.close()
  })
})
