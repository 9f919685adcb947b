import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, it, mock } from 'node:test'
import Fastify from 'fastify'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { DirectRequest } from './direct-request.ts'
import { serveDirectly, type DirectService } from './serve-directly.ts'

const NOW_MS = Date.UTC(2026, 10, 22, 1, 2, 3, 456)
const NO_LOAD = { admits: () => true, isShedding: () => false }
const LIMITS = { headersMs: 60_000, requestMs: 60_000, checkEveryMs: 60_000, stalledMs: 60_000 }

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void
type Bed = {
  readonly server: Server
  readonly service: DirectService
  readonly port: number
  readonly served: { readonly url: string; readonly isDirect: boolean }[]
}

/** A server that answers with what it was asked, and notes by which way each request came. */
async function openServer({
  answer = echo,
  limits = LIMITS,
  load = NO_LOAD,
}: {
  readonly answer?: Answer
  readonly limits?: typeof LIMITS
  readonly load?: typeof NO_LOAD
} = {}): Promise<Bed> {
  const served: { url: string; isDirect: boolean }[] = []
  const server = createServer((request, response) => {
    served.push({ url: request.url ?? '', isDirect: (request as unknown) instanceof DirectRequest })
    let body = ''
    request.on('data', (bytes: Buffer) => (body += bytes.toString()))
    request.on('end', () => answer(request, response, body))
    request.resume()
  })
  const service = serveDirectly(server, { addresses: ['/run/'], now: () => NOW_MS, load, limits })
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
  it('is answered like any other, and the connection goes on', async () => {
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

  it('may come in pieces, cut at any byte', async () => {
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

  it('leaves the connection to Node’s HTTP server when something else comes over it', async () => {
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

  it('of more than 16 KiB is read by Node’s HTTP server, however it comes', async () => {
    const { port, served } = await openServer()
    const { socket, until } = open(port)
    socket.write(post('/run/a', `${'x'.repeat(100_000)}end`))
    await until(/x{100000}end$/)
    assert.deepEqual(served, [{ url: '/run/a', isDirect: false }])
  })

  it('that others follow before its answer is answered first, and each of them in turn', async () => {
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

  it('that another follows while it is worked on is answered first', async () => {
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

  it('tells its route that the caller hung up', async () => {
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

it('an answer that comes after the caller hung up is over for its route, as with Node’s HTTP server', async () => {
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
    load: NO_LOAD,
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

it('an answer that its caller refused to take is not told as finished', async () => {
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

it('what is written after the end of an answer is not sent', async () => {
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

it('how an answer is framed is decided in one place, however its headers are written', async () => {
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

describe('an answer in parts', () => {
  it('goes out part by part, with its trailers at the end', async () => {
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

  it('comes no faster than it is taken, and whole in the end', async () => {
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

it('a header that could begin another one is never sent', async () => {
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

it('an answer that says so ends its connection', async () => {
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
    ['an answer', (response) => response.end('x'.repeat(UNREAD))],
    ['a stream', (response) => response.write(Buffer.alloc(UNREAD))],
  ]
  for (const [what, answer] of unread) {
    it(`whose client takes nothing of ${what} is closed`, async () => {
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
    ['on which nothing comes', '', { ...LIMITS, headersMs: 0, checkEveryMs: 1 }],
    ['on which a request does not end', UNENDING, { ...LIMITS, requestMs: 0, checkEveryMs: 1 }],
  ] as const
  for (const [name, bytes, limits] of cases) {
    it(`${name} is told so, as those of Node’s HTTP server are`, async () => {
      const { server, port } = await openServer({ limits })
      const told = once(server, 'clientError') as Promise<[NodeJS.ErrnoException, Socket]>
      open(port).socket.write(bytes)
      const [error, socket] = await told
      assert.equal(error.code, 'ERR_HTTP_REQUEST_TIMEOUT')
      socket.destroy()
    })
  }

  it('that its client ends in the middle of a request is told so as well', async () => {
    const { server, port } = await openServer()
    const told = once(server, 'clientError') as Promise<[NodeJS.ErrnoException, Socket]>
    open(port).socket.end(UNENDING)
    const [error, socket] = await told
    assert.equal(error.code, 'HPE_INVALID_EOF_STATE')
    socket.destroy()
  })

  it('is closed when no request has come for a second more than was announced', async () => {
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

  it('that is idle after an answer can be closed, one that waits for an answer goes on', async () => {
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

describe('a call that comes while the gateway has more work than it can take', () => {
  const overload = () => {
    let isOver = false
    return { load: { admits: () => isOver, isShedding: () => !isOver }, end: () => (isOver = true) }
  }

  it('is rejected with 503 and Retry-After, and never begins', async () => {
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

  it('is followed by the next one once the overload is over, on the same connection', async () => {
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
