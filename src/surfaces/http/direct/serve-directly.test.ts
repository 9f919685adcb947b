import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, it, mock } from 'node:test'
import Fastify from 'fastify'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { DirectRequest } from './direct-request.ts'
import { createCallStarts } from './call-starts.ts'
import type { GroupOf } from './group-callers.ts'
import { serveDirectly, type DirectService } from './serve-directly.ts'

const NOW_MS = Date.UTC(2026, 10, 22, 1, 2, 3, 456)
const NO_LOAD = { capacity: () => Number.POSITIVE_INFINITY, countRejection: () => {} }
const LIMITS = { headersMs: 60_000, requestMs: 60_000, checkEveryMs: 60_000, stalledMs: 60_000 }

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void
type Bed = {
  readonly server: Server
  readonly service: DirectService
  readonly port: number
  readonly served: { readonly url: string; readonly isDirect: boolean }[]
}

/** A server that echoes requests and records whether each was served directly. */
async function openServer({
  answer = echo,
  limits = LIMITS,
  load = NO_LOAD,
  groupOf = () => '',
}: {
  readonly answer?: Answer
  readonly limits?: typeof LIMITS
  readonly load?: typeof NO_LOAD
  readonly groupOf?: GroupOf
} = {}): Promise<Bed> {
  const served: { url: string; isDirect: boolean }[] = []
  const server = createServer((request, response) => {
    served.push({ url: request.url ?? '', isDirect: (request as unknown) instanceof DirectRequest })
    let body = ''
    request.on('data', (bytes: Buffer) => (body += bytes.toString()))
    request.on('end', () => answer(request, response, body))
    request.resume()
  })
  const service = serveDirectly(server, {
    addresses: ['/run/'],
    now: () => NOW_MS,
    starts: createCallStarts({ load }),
    groupOf,
    limits,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUp(() => {
    server.closeAllConnections()
    service.closeIdle()
    server.close()
  })
  return { server, service, port: (server.address() as AddressInfo).port, served }
}

function echo({ url }: IncomingMessage, response: ServerResponse, body: string): void {
  const text = `${url} ${body}`
  response.writeHead(200, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

function open(port: number): {
  readonly socket: Socket
  readonly received: () => string
  until(text: string | RegExp): Promise<string>
  readonly closed: Promise<unknown>
} {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('utf8')
  let all = ''
  socket.on('data', (text: string) => (all += text))
  socket.on('error', () => socket.destroy())
  cleanUp(() => socket.destroy())
  return {
    socket,
    received: () => all,
    closed: once(socket, 'close'),
    async until(text) {
      while (!(typeof text === 'string' ? all.includes(text) : text.test(all))) {
        assert.ok(!socket.closed, `closed before ${String(text)} came: ${all}`)
        await turn()
      }
      return all
    },
  }
}

const post = (path: string, body: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: gate\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

describe('a request that is served directly', () => {
  it('gets a normal response, and the connection stays open', async () => {
    const { port, served } = await openServer()
    const { socket, until, received } = open(port)
    socket.write(post('/run/a', 'one'))
    await until('/run/a one')
    assert.equal(
      received(),
      'HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 10\r\nDate: Sun, 22 Nov 2026 01:02:03 GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=65\r\n\r\n/run/a one',
    )
    socket.write(post('/run/b', 'zwölf €'))
    await until('/run/b zwölf €')
    assert.deepEqual(served, [
      { url: '/run/a', isDirect: true },
      { url: '/run/b', isDirect: true },
    ])
  })

  it('can arrive in pieces, split at any byte', async () => {
    const { port, served } = await openServer()
    const bytes = Buffer.from(post('/run/a', '{"query":"é"}'))
    const headBytes = bytes.indexOf('\r\n\r\n') + 4
    for (let place = 1; place < bytes.length; place += 3) {
      const { socket, until } = open(port)
      await once(socket, 'connect')
      socket.write(bytes.subarray(0, place))
      await turn()
      await turn()
      socket.write(bytes.subarray(place))
      await until('/run/a {"query":"é"}')
      socket.destroy()
      assert.equal(served.at(-1)?.url, '/run/a', `cut at ${place} of ${headBytes}`)
    }
    assert.ok(served.some(({ isDirect }) => isDirect))
  })

  it('passes the connection to Node’s HTTP server for any other request', async () => {
    const { port, served } = await openServer()
    const { socket, until } = open(port)
    socket.write(post('/run/a', 'one'))
    await until('/run/a one')
    socket.write('GET /page HTTP/1.1\r\nHost: gate\r\n\r\n')
    await until('/page ')
    socket.write(post('/run/c', 'three'))
    await until('/run/c three')
    socket.write(
      `POST /run/d HTTP/1.1\r\nHost: gate\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n0\r\n\r\n`,
    )
    await until('/run/d four')
    assert.deepEqual(
      served.map(({ isDirect }) => isDirect),
      [true, false, false, false],
    )
  })

  it('above 16 KiB is read by Node’s HTTP server', async () => {
    const { port, served } = await openServer()
    const { socket, until } = open(port)
    socket.write(post('/run/a', `${'x'.repeat(100_000)}end`))
    await until(/x{100000}end$/)
    assert.deepEqual(served, [{ url: '/run/a', isDirect: false }])
  })

  it('is answered before pipelined requests, which are answered in order', async () => {
    const { port, served } = await openServer()
    const { socket, until, received } = open(port)
    socket.write(post('/run/a', 'one') + post('/run/b', 'two'))
    await until('/run/b two')
    socket.write(post('/run/c', 'three'))
    await until('/run/c three')
    assert.deepEqual([...received().matchAll(/\/run\/\w (?:one|two|three)/g)].map(String), [
      '/run/a one',
      '/run/b two',
      '/run/c three',
    ])
    assert.deepEqual(
      served.map(({ url }) => url),
      ['/run/a', '/run/b', '/run/c'],
    )
  })

  it('is answered before a request that arrives while it is in progress', async () => {
    const waiting: (() => void)[] = []
    const { port, served } = await openServer({
      answer: (...parts) =>
        parts[0].url === '/run/a' ? waiting.push(() => echo(...parts)) : echo(...parts),
    })
    const { socket, until, received } = open(port)
    socket.write(post('/run/a', 'one'))
    while (waiting.length === 0) await turn()
    socket.write(post('/run/b', 'two'))
    for (let count = 0; count < 20; count += 1) await turn()
    assert.deepEqual([served.length, received()], [1, ''])
    waiting[0]?.()
    await until('/run/b two')
    assert.ok(received().indexOf('/run/a one') < received().indexOf('/run/b two'))
  })

  it('notifies its route when the caller hangs up', async () => {
    const closed = Promise.withResolvers<boolean>()
    const began = Promise.withResolvers<undefined>()
    const { port } = await openServer({
      answer: (_request, response) => {
        response.once('close', () => closed.resolve(response.writableFinished))
        began.resolve(undefined)
      },
    })
    const { socket } = open(port)
    socket.write(post('/run/a', 'one'))
    await began.promise
    socket.destroy()
    assert.equal(await closed.promise, false)
  })
})

it('ends a response after the caller hung up, as Node’s HTTP server does', async () => {
  const app = Fastify()
  const began = Promise.withResolvers<undefined>()
  const gone = Promise.withResolvers<undefined>()
  const over = Promise.withResolvers<boolean>()
  app.post('/run/:name', async (_request, reply) => {
    const closed = once(reply.raw, 'close')
    began.resolve(undefined)
    await closed
    gone.resolve(undefined)
    try {
      return await reply.send({ late: true })
    } finally {
      over.resolve(reply.sent)
    }
  })
  serveDirectly(app.server, {
    addresses: ['/run/'],
    now: () => NOW_MS,
    starts: createCallStarts({ load: NO_LOAD }),
    groupOf: () => '',
    limits: LIMITS,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  cleanUp(() => app.close())
  const { socket } = open((app.server.address() as AddressInfo).port)
  socket.write(post('/run/a', '{}', 'Content-Type: application/json\r\n'))
  await began.promise
  socket.destroy()
  await gone.promise
  assert.equal(await over.promise, true)
})

it('does not report a response as finished when the caller rejected it', async () => {
  const closed = Promise.withResolvers<boolean>()
  const { port } = await openServer({
    answer: (_request, response) => {
      response.once('close', () => closed.resolve(response.writableFinished))
      response.writeHead(200, { 'content-length': 20_000_000 }).end(Buffer.alloc(20_000_000))
    },
  })
  const socket = connect(port, '127.0.0.1').pause()
  cleanUp(() => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.write(post('/run/a', ''))
  await once(socket, 'readable')
  socket.resetAndDestroy()
  assert.equal(await closed.promise, false)
})

it('does not send bytes written after the end of a response', async () => {
  const { port } = await openServer({
    answer: (_request, response) => {
      response.write(Buffer.from('all'))
      response.end()
      response.write(Buffer.from('STRAY'))
    },
  })
  const { socket, until, received } = open(port)
  socket.write(post('/run/a', ''))
  await until('0\r\n\r\n')
  socket.write(post('/run/a', ''))
  await until(/(0\r\n\r\n[\s\S]*){2}/)
  assert.doesNotMatch(received(), /STRAY/)
})

it('decides the framing of a response in one place, for any way of setting headers', async () => {
  const answers: Record<string, (response: ServerResponse) => unknown> = {
    '/run/spelt': (response) =>
      response.writeHead(200, { 'Content-Length': 2, Connection: 'close' }).end('ok'),
    '/run/empty': (response) => response.writeHead(204).end(),
  }
  const { port } = await openServer({
    answer: ({ url = '' }, response) => answers[url]?.(response),
  })
  const [spelt, empty] = [open(port), open(port)]
  spelt.socket.write(post('/run/spelt', ''))
  await spelt.closed
  assert.match(spelt.received(), /\r\n\r\nok$/)
  assert.doesNotMatch(spelt.received(), /chunked|keep-alive/i)
  empty.socket.write(post('/run/empty', ''))
  await empty.until('\r\n\r\n')
  assert.doesNotMatch(empty.received(), /chunked|content-length/i)
})

describe('a streamed response', () => {
  it('is sent part by part, with trailers at the end', async () => {
    const { port } = await openServer({
      answer: (_request, response) => {
        response.writeHead(200, { trailer: 'X-Charged' })
        response.write(Buffer.from('héllo'))
        response.write(Buffer.alloc(0))
        response.addTrailers({ 'x-charged': '7' })
        response.end(Buffer.from('!'))
      },
    })
    const { socket, until, received } = open(port)
    socket.write(post('/run/a', ''))
    await until('x-charged: 7\r\n\r\n')
    assert.match(
      received(),
      /\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nhéllo\r\n1\r\n!\r\n0\r\nx-charged: 7\r\n\r\n$/,
    )
  })

  it('is sent as fast as the client reads, and completely', async () => {
    const part = Buffer.alloc(1024 * 1024, 'p')
    let refused = 0
    const finished = Promise.withResolvers<undefined>()
    const { port } = await openServer({
      answer: (_request, response) => {
        let left = 20
        const more = (): void => {
          while (left > 0) {
            left -= 1
            if (response.write(part)) continue
            refused += 1
            response.once('drain', more)
            return
          }
          response.end()
        }
        response.once('finish', () => finished.resolve(undefined))
        more()
      },
    })
    const socket = connect(port, '127.0.0.1')
    cleanUp(() => socket.destroy())
    socket.write(post('/run/a', ''))
    let size = 0
    for await (const bytes of socket as AsyncIterable<Buffer>) {
      size += bytes.length
      if (bytes.subarray(-5).toString() === '0\r\n\r\n') break
    }
    await finished.promise
    assert.ok(size > 20 * part.length && refused > 0, `${size} bytes, ${refused} times to wait`)
  })
})

it('never sends a header value with a line break', async () => {
  const thrown = Promise.withResolvers<unknown>()
  const { port } = await openServer({
    answer: (_request, response) => {
      try {
        response.writeHead(200, { 'x-model': 'a\r\nset-cookie: b', 'content-length': 0 })
      } catch (error) {
        thrown.resolve(error)
        response.statusCode = 500
      }
      response.end()
    },
  })
  const { socket, until, received } = open(port)
  socket.write(post('/run/a', ''))
  await until('\r\n\r\n')
  assert.match(String(await thrown.promise), /x-model/)
  assert.match(received(), /^HTTP\/1\.1 500 /)
  assert.doesNotMatch(received(), /set-cookie/)
})

it('closes the connection after a response with Connection: close', async () => {
  const { port } = await openServer({
    answer: (_request, response) =>
      response.writeHead(400, { connection: 'close', 'content-length': 2 }).end('no'),
  })
  const { socket, closed, received } = open(port)
  socket.write(post('/run/a', ''))
  await closed
  assert.match(received(), /^HTTP\/1\.1 400 Bad Request\r\nconnection: close\r\n[\s\S]*\r\n\r\nno$/)
})

describe('a connection', () => {
  const UNREAD = 64 * 1024 * 1024
  const unread: readonly (readonly [string, (response: ServerResponse) => unknown])[] = [
    ['a response', (response) => response.end('x'.repeat(UNREAD))],
    ['a stream', (response) => response.write(Buffer.alloc(UNREAD))],
  ]
  for (const [kind, answer] of unread) {
    it(`is closed when its client reads nothing of ${kind}`, async () => {
      const finished = Promise.withResolvers<boolean>()
      const { port } = await openServer({
        limits: { ...LIMITS, stalledMs: 1 },
        answer: (_request, response) =>
          answer(response.once('close', () => finished.resolve(response.writableFinished))),
      })
      const { socket } = open(port)
      socket.pause().write(post('/run/a', ''))
      assert.equal(await finished.promise, false)
    })
  }

  const UNENDING = post('/run/a', 'one').slice(0, -1)
  const cases = [
    ['without a request', '', { ...LIMITS, headersMs: 0, checkEveryMs: 1 }],
    ['with an unfinished request', UNENDING, { ...LIMITS, requestMs: 0, checkEveryMs: 1 }],
  ] as const
  for (const [name, bytes, limits] of cases) {
    it(`${name} gets a client error, as in Node’s HTTP server`, async () => {
      const { server, port } = await openServer({ limits })
      const failed = once(server, 'clientError') as Promise<[NodeJS.ErrnoException, Socket]>
      open(port).socket.write(bytes)
      const [error, socket] = await failed
      assert.equal(error.code, 'ERR_HTTP_REQUEST_TIMEOUT')
      socket.destroy()
    })
  }

  it('that ends within a request gets a client error, too', async () => {
    const { server, port } = await openServer()
    const failed = once(server, 'clientError') as Promise<[NodeJS.ErrnoException, Socket]>
    open(port).socket.end(UNENDING)
    const [error, socket] = await failed
    assert.equal(error.code, 'HPE_INVALID_EOF_STATE')
    socket.destroy()
  })

  it('is closed one second after the announced keep-alive timeout', async () => {
    const { port } = await openServer({ limits: { ...LIMITS, checkEveryMs: 1 } })
    const { socket, until, closed } = open(port)
    socket.write(post('/run/a', 'one'))
    await until('Keep-Alive: timeout=65\r\n')
    await until('/run/a one')
    const laterMs = performance.now() + 66_001
    const clock = mock.method(performance, 'now', () => laterMs)
    await closed
    clock.mock.restore()
  })

  it('can be closed while idle, but not while it waits for a response', async () => {
    const waiting: (() => void)[] = []
    const { port, service } = await openServer({
      answer: (...parts) =>
        parts[0].url === '/run/slow' ? waiting.push(() => echo(...parts)) : echo(...parts),
    })
    const [idle, busy] = [open(port), open(port)]
    idle.socket.write(post('/run/a', 'one'))
    busy.socket.write(post('/run/slow', 'two'))
    await idle.until('/run/a one')
    while (waiting.length === 0) await turn()
    service.closeIdle()
    await idle.closed
    waiting[0]?.()
    await busy.until('/run/slow two')
  })
})

describe('a call during overload', () => {
  const overload = () => {
    let isOver = false
    return {
      load: {
        capacity: () => (isOver ? 1_000 : 0),
        countRejection: () => {},
      },
      end: () => (isOver = true),
    }
  }

  it('is rejected with 503 and Retry-After, and never starts', async () => {
    const { load } = overload()
    const { port, served } = await openServer({ load })
    const { socket, until, received } = open(port)
    socket.write(post('/run/a', 'one'))
    await until('"request_id"')
    const [head = '', body = ''] = received().split('\r\n\r\n')
    assert.match(head, /^HTTP\/1\.1 503 Service Unavailable\r\n/)
    assert.match(head, /\r\nRetry-After: 1\r\n/)
    const {
      error,
      request_id: id,
      charged_micros: charged,
    } = JSON.parse(body) as {
      error: { code: string; retryable: boolean }
      request_id: string
      charged_micros: number
    }
    assert.deepEqual([error.code, error.retryable, charged], ['overloaded', true, 0])
    assert.ok(
      head.includes(`X-Request-Id: ${id}`) && head.includes(`Content-Length: ${body.length}`),
    )
    assert.deepEqual(served, [])
  })

  it('starts as soon as there is capacity again', async () => {
    const { load, end } = overload()
    const { port, served } = await openServer({ load })
    const { socket, until, received } = open(port)
    socket.write(post('/run/a', 'one'))
    while (socket.bytesWritten === 0) await turn()
    end()
    await until('/run/a one')
    assert.deepEqual([served.length, received().includes('503')], [1, false])
  })

  it('does not wait behind the calls of an account with many', async () => {
    let capacity = 0
    const waiting: string[] = []
    const nowMs = performance.now()
    const clock = mock.method(performance, 'now', () => nowMs)
    const { port, served } = await openServer({
      load: { ...NO_LOAD, capacity: () => capacity },
      groupOf({ url }) {
        waiting.push(url)
        return url
      },
    })
    const calls = [...Array.from({ length: 20 }, () => '/run/flood'), '/run/polite']
    for (const [at, path] of calls.entries()) {
      open(port).socket.write(post(path, ''))
      while (waiting.length <= at) await turn()
    }
    capacity = 2
    while (served.length < calls.length) await turn()
    clock.mock.restore()
    assert.ok(served.findIndex(({ url }) => url === '/run/polite') < 2)
  })

  it('is rejected sooner than the next one of a client that ignores Retry-After', async () => {
    const { load } = overload()
    let rejections = 0
    const { port } = await openServer({
      load: { ...load, countRejection: () => void (rejections += 1) },
    })
    const [hasty, punctual] = [open(port), open(port)]
    hasty.socket.write(post('/run/a', 'one'))
    await hasty.until('"request_id"')
    hasty.socket.write(post('/run/b', 'two'))
    punctual.socket.write(post('/run/c', 'three'))
    await punctual.until('"request_id"')
    assert.equal(rejections, 2)
    hasty.socket.destroy()
  })

  it('is followed by the next call on the same connection after the overload', async () => {
    const { load, end } = overload()
    const { port, served } = await openServer({ load })
    const { socket, until } = open(port)
    socket.write(post('/run/a', 'one'))
    await until('"request_id"')
    end()
    socket.write(post('/run/b', 'two'))
    await until('/run/b two')
    assert.deepEqual(
      served.map(({ url }) => url),
      ['/run/b'],
    )
  })
})
