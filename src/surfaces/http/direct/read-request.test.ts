import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { fc } from '../../../../test/harness/property.ts'
import { readRequestHead } from './read-request.ts'

const ADDRESSES = ['/api/run/', '/api/llm/']
const head = (lines: readonly string[], first = 'POST /api/run/a/b?c=d HTTP/1.1'): Buffer =>
  Buffer.from([first, ...lines, '', ''].join('\r\n'), 'latin1')
const read = (bytes: Buffer) => readRequestHead(bytes, ADDRESSES)

const PLAIN = ['Host: gate.example', 'Content-Length: 2']

type Read = { readonly url: string; readonly headers: IncomingHttpHeaders }

/** Parses the bytes with Node's HTTP server. Null if the server rejects them. */
async function nodesReader(): Promise<(bytes: Buffer) => Promise<Read | null>> {
  let read: Read | null = null
  const server = createServer(({ url = '', headers }, response) => {
    read = { url, headers }
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUp(() => server.close())
  const { port } = server.address() as AddressInfo
  return async (bytes) => {
    read = null
    const socket = connect(port, '127.0.0.1')
    socket.write(bytes)
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
    socket.destroy()
    return read
  }
}

describe('the head of a request', () => {
  it('has the address, headers with lower-case names, and the position and length of the body', () => {
    const bytes = head([
      ...PLAIN,
      'X-Name: \t a value, \xe9\t ',
      'X-Empty:',
      'connection: Keep-Alive',
    ])
    const given = read(Buffer.concat([bytes, Buffer.from('{}')]))
    assert.deepEqual(given, {
      url: '/api/run/a/b?c=d',
      headers: {
        host: 'gate.example',
        'content-length': '2',
        'x-name': 'a value, \xe9',
        'x-empty': '',
        connection: 'Keep-Alive',
      },
      headBytes: bytes.length,
      bodyBytes: 2,
    })
  })

  const others: readonly [string, Buffer][] = [
    ['that is incomplete', head(PLAIN).subarray(0, -1)],
    ['to another address', head(PLAIN, 'POST /api/v1/agents HTTP/1.1')],
    ['with another method', head(PLAIN, 'GET /api/run/a/b HTTP/1.1')],
    ['of another version', head(PLAIN, 'POST /api/run/a/b HTTP/1.0')],
    ['with a space in its address', head(PLAIN, 'POST /api/run/a b HTTP/1.1')],
    ['with a byte in its address that is not ASCII', head(PLAIN, 'POST /api/run/\xe9 HTTP/1.1')],
    ['with an absolute address', head(PLAIN, 'POST http://gate.example/api/run/a/b HTTP/1.1')],
    ['without a host', head(['Content-Length: 2'])],
    ['without a length', head(['Host: gate.example'])],
    ['with an invalid length', head(['Host: gate.example', 'Content-Length: +2'])],
    ['with two lengths', head([...PLAIN, 'content-length: 2'])],
    ['with a list of lengths', head(['Host: gate.example', 'Content-Length: 2, 2'])],
    ['with a repeated name', head([...PLAIN, 'X-One: 1', 'x-one: 2'])],
    ['in chunks', head([...PLAIN, 'Transfer-Encoding: chunked'])],
    ['with Expect: 100-continue', head([...PLAIN, 'Expect: 100-continue'])],
    [
      'that asks for another protocol',
      head([...PLAIN, 'Connection: Upgrade', 'Upgrade: websocket']),
    ],
    ['with Connection: close', head([...PLAIN, 'Connection: close'])],
    ['with a folded line', head([...PLAIN, 'X-One: 1', ' 2'])],
    ['with a space after a name', head([...PLAIN, 'X-One : 1'])],
    ['with a line without a name', head([...PLAIN, ': 1'])],
    ['with a line without a colon', head([...PLAIN, 'X-One'])],
    ['with a line feed alone', head([...PLAIN, 'X-One: 1\nX-Two: 2'])],
    ['with a carriage return alone', head([...PLAIN, 'X-One: 1\rX-Two: 2'])],
    ['with a NUL', head([...PLAIN, 'X-One: \0'])],
    ['with the name __proto__', head([...PLAIN, '__proto__: 1'])],
    [
      'of more than a hundred fields',
      head([...PLAIN, ...Array.from({ length: 99 }, (_, place) => `X-${place}: 1`)]),
    ],
    ['with Set-Cookie', head([...PLAIN, 'Set-Cookie: a=b'])],
    ['with Proxy-Connection', head([...PLAIN, 'Proxy-Connection: close'])],
    ['longer than 8 KiB', head([...PLAIN, `X-One: ${'1'.repeat(8_192)}`])],
  ]
  for (const [name, bytes] of others)
    it(`${name} is left to Node’s HTTP server`, () => assert.equal(read(bytes), null))

  it('is read as Node’s HTTP server reads it', async () => {
    const byNode = await nodesReader()
    const name = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          'Accept',
          'X-One',
          'x-two',
          'Idempotency-Key',
          'Cookie',
          'constructor',
          "!#$%&'*+.^_`|~9",
        ),
      },
      fc.constantFrom(
        'Connection',
        'Proxy-Connection',
        'Set-Cookie',
        'TE',
        'Transfer-Encoding',
        'Content-Length',
        'Host',
        'X (1)',
        'X\t',
        '',
      ),
    )
    const value = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.string({
        unit: fc.constantFrom(
          ' ',
          '\t',
          'a',
          ':',
          ',',
          '\x7f',
          '\r',
          '\n',
          '\0',
          '\xff',
          '\xa0',
          '0',
          '2',
        ),
        maxLength: 6,
      }),
      fc.constantFrom('keep-alive', 'chunked', '2'),
    )
    const line = fc
      .tuple(name, fc.constantFrom(':', ': ', ':\t', ' :'), value)
      .map((parts) => parts.join(''))
    let taken = 0
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 4 }), async (lines) => {
        const bytes = Buffer.concat([head([...PLAIN, ...lines]), Buffer.from('{}')])
        const here = read(bytes)
        if (here === null) return
        taken += 1
        const there = await byNode(bytes)
        assert.deepEqual(
          { url: here.url, headers: here.headers, body: bytes.toString('latin1', here.headBytes) },
          { ...there, body: '{}' },
        )
      }),
      { numRuns: 400 },
    )
    assert.ok(taken > 50, `only ${taken} requests were read here`)
  })
})
