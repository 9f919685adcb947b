import assert from 'node:assert/strict'
import { connect, type AddressInfo } from 'node:net'
import { before, describe, it } from 'node:test'
import { openAppBed, type AppBed } from '../../../../test/harness/beds/app.ts'

/** Sends `text` and returns the whole response, until the gateway closes the connection. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let answer = ''
  socket.on('data', (part: string) => (answer += part))
  socket.write(text)
  await new Promise((resolve, reject) => socket.once('close', resolve).once('error', reject))
  return answer
}

describe('every response forbids browsers to guess its type', () => {
  let bed: AppBed
  let port = 0
  before(async () => {
    bed = await openAppBed()
    bed.vendor.answerWith(() => ({ body: { requestId: 'r', results: [] } }))
    await bed.app.listen({ port: 0, host: '127.0.0.1' })
    port = (bed.app.server.address() as AddressInfo).port
  })

  const paths = [
    '/healthz',
    '/readyz',
    '/',
    '/api',
    '/api/v1/balance',
    '/api/v1/transactions',
    '/api/v1/agents',
    '/openapi.json',
    '/llms.txt',
    '/llms/core.txt',
    '/llms-full.txt',
    '/api/run/none/such',
    '/nowhere',
    '/%',
    '/api/llm/v1/models',
    '/mcp',
    '/.well-known/oauth-protected-resource',
    '/balance',
  ]
  for (const path of paths) {
    it(`GET ${path}, with a key and without`, async () => {
      for (const headers of [{}, { authorization: `Bearer ${bed.liveKey}` }]) {
        const { headers: sent, statusCode } = await bed.app.inject({ url: path, headers })
        assert.equal(sent['x-content-type-options'], 'nosniff', String(statusCode))
      }
    })
  }

  it('POST of a call, a router request, an MCP message and a rejected body', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const answers = [
      await bed.post('/api/run/semantic/search', { query: 'x' }),
      await bed.post('/api/run/semantic/search', '{"query":'),
      await bed.post('/api/run/semantic/search', 'x', { 'content-type': 'text/plain' }),
      await bed.post('/api/llm/v1/chat/completions', { model: 'none', messages: [] }),
      await bed.post('/api/fetch', { url: 'http://10.0.0.1/' }),
      await bed.post('/mcp', message, { accept: 'application/json, text/event-stream' }),
    ]
    for (const { headers, statusCode } of answers)
      assert.equal(headers['x-content-type-options'], 'nosniff', String(statusCode))
  })

  const read = (path: string, headers = '', body = '') =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`
  const requests: Readonly<Record<string, () => string>> = {
    'a call that is read from the socket': () =>
      read('/api/run/semantic/search', `authorization: Bearer ${bed.liveKey}\r\n`, '{"query":"x"}'),
    'a stream of the router': () =>
      read(
        '/api/llm/v1/chat/completions',
        `authorization: Bearer ${bed.testKey}\r\n`,
        '{"model":"auto","stream":true,"max_tokens":5,"messages":[{"role":"user","content":"hi"}]}',
      ),
    'a call without a key': () => read('/api/run/semantic/search', '', '{"query":"x"}'),
    'a request that is not HTTP': () => 'invalidSetting\r\n\r\n',
    'headers that are too large': () =>
      `GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`,
    'a request without a host': () => 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n',
  }
  for (const [name, text] of Object.entries(requests)) {
    it(name, async () => {
      const answer = await exchange(port, text())
      assert.match(answer, /^HTTP\/1\.1 \d{3} /)
      assert.equal(
        answer.split('\r\n\r\n')[0]?.match(/\r\nx-content-type-options: nosniff(?=\r\n|$)/gi)
          ?.length,
        1,
        answer.slice(0, 500),
      )
    })
  }
})
