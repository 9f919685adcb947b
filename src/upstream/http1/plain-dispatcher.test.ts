import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import type { Dispatcher } from 'undici'
import { refusedWith } from '../../../test/harness/refusal.ts'
import { AppError } from '../../errors/app-error.ts'
import { Deadline } from '../../lib/deadline.ts'
import { exchange, type Incoming } from '../exchange.ts'
import {
  createPlainDispatcher,
  type PlainDispatcher,
  type PlainDispatcherSettings,
} from './plain-dispatcher.ts'
import { testCertificate, testKey } from './testing/certificate.ts'

type Request = { readonly socket: Socket; readonly text: string; readonly connection: number }
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const opened: { server: Server; sockets: Set<Socket> }[] = []
const dispatchers: PlainDispatcher[] = []

after(async () => {
  for (const dispatcher of dispatchers) await dispatcher.destroy()
  for (const { server, sockets } of opened) {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})

/** A vendor that receives each request unchanged with its connection number. */
async function vendor(
  answer: (request: Request) => void,
  secure = false,
): Promise<{ origin: string; connections: () => number }> {
  let connections = 0
  const sockets = new Set<Socket>()
  const listen = (socket: Socket): void => {
    connections += 1
    const connection = connections
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes: Buffer) =>
      answer({ socket, text: bytes.toString('latin1'), connection }),
    )
  }
  const server = secure
    ? createTlsServer({ key: testKey, cert: testCertificate }, listen)
    : createServer({ noDelay: true }, listen)
  opened.push({ server, sockets })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: secure ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    connections: () => connections,
  }
}

function dispatcherOf(settings: Partial<PlainDispatcherSettings> = {}): PlainDispatcher {
  const dispatcher = createPlainDispatcher({ idleMs: 60_000, ...settings })
  dispatchers.push(dispatcher)
  return dispatcher
}

function ask(
  dispatcher: PlainDispatcher,
  origin: string,
  { body = '{}', timeoutMs = 20_000, path = '/', headers = {} } = {},
): Promise<Incoming> {
  const deadline = new Deadline(timeoutMs)
  return exchange(
    dispatcher,
    { origin, path, method: 'POST', headers, body },
    { deadline, maxBytes: 1_000_000 },
  ).finally(() => deadline.end())
}

describe('consecutive requests', () => {
  it('use the same connection, byte for byte as written', async () => {
    const seen: string[] = []
    const { origin, connections } = await vendor(({ socket, text }) => {
      seen.push(text)
      socket.write(OK)
    })
    const dispatcher = dispatcherOf()
    assert.equal((await ask(dispatcher, origin, { headers: { 'x-a': '1' } })).text, 'ok')
    assert.equal((await ask(dispatcher, origin, { body: '{"a":"\u{fc}"}' })).text, 'ok')
    const host = new URL(origin).host
    assert.deepEqual(seen, [
      `POST / HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\nx-a: 1\r\naccept-encoding: identity\r\ncontent-length: 2\r\n\r\n{}`,
      `POST / HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\naccept-encoding: identity\r\ncontent-length: 10\r\n\r\n{"a":"\xc3\xbc"}`,
    ])
    assert.equal(connections(), 1)
  })

  it('use a new connection after the server closed one or announced that', async () => {
    const { origin, connections } = await vendor(({ socket, connection }) => {
      if (connection === 1) socket.end(OK.replace('200 OK', '200 OK\r\nconnection: close'))
      else if (connection === 2)
        socket.write(OK.replace('200 OK', '200 OK\r\nkeep-alive: timeout=1'))
      else socket.write(OK)
    })
    const dispatcher = dispatcherOf()
    for (let round = 0; round < 4; round += 1)
      assert.equal((await ask(dispatcher, origin)).text, 'ok')
    assert.equal(connections(), 3)
  })

  it('use a new connection when the last one was idle too long', async () => {
    const { origin, connections } = await vendor(({ socket }) => socket.write(OK))
    const dispatcher = dispatcherOf({ idleMs: Number.MIN_VALUE })
    for (let round = 0; round < 3; round += 1)
      assert.equal((await ask(dispatcher, origin)).text, 'ok')
    assert.equal(connections(), 3)
  })

  it('never receive bytes that followed the previous response', async () => {
    const { origin, connections } = await vendor(({ socket, connection }) =>
      socket.write(connection === 1 ? `${OK}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil` : OK),
    )
    const dispatcher = dispatcherOf()
    assert.equal((await ask(dispatcher, origin)).text, 'ok')
    assert.equal((await ask(dispatcher, origin)).text, 'ok')
    assert.equal(connections(), 2)
  })

  it('keep a connection usable when a request could not be sent', async () => {
    const { origin, connections } = await vendor(({ socket }) => socket.write(OK))
    const dispatcher = dispatcherOf()
    await ask(dispatcher, origin)
    await assert.rejects(
      ask(dispatcher, origin, { headers: { 'x-a': 'a\r\nb' } }),
      refusedWith('upstream_error'),
    )
    await ask(dispatcher, origin)
    assert.equal(connections(), 1)
  })
})

describe('many requests', () => {
  it('open at most the allowed connections, and are all served', async () => {
    const waiting: Socket[] = []
    const { origin, connections } = await vendor(({ socket }) => {
      waiting.push(socket)
      if (waiting.length === 2) for (const one of waiting.splice(0)) one.write(OK)
    })
    const dispatcher = dispatcherOf({ connections: 2 })
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(dispatcher, origin)))
    assert.deepEqual(
      answers.map(({ text }) => text),
      Array.from({ length: 6 }, () => 'ok'),
    )
    assert.equal(connections(), 2)
  })

  it('time out in the queue without contacting the vendor', async () => {
    const seen: string[] = []
    const first = Promise.withResolvers<Socket>()
    const { origin } = await vendor(({ socket, text }) => {
      seen.push(text.split(' ')[1] ?? '')
      if (seen.length === 1) first.resolve(socket)
      else socket.write(OK)
    })
    const dispatcher = dispatcherOf({ connections: 1 })
    const held = ask(dispatcher, origin, { path: '/first' })
    const socket = await first.promise
    await assert.rejects(
      ask(dispatcher, origin, { path: '/late', timeoutMs: 1 }),
      refusedWith('upstream_timeout'),
    )
    const next = ask(dispatcher, origin, { path: '/next' })
    socket.write(OK)
    assert.deepEqual([(await held).text, (await next).text], ['ok', 'ok'])
    assert.deepEqual(seen, ['/first', '/next'])
  })
})

describe('failures', () => {
  it('fails only the request whose connection closes before its response ends', async () => {
    const { origin } = await vendor(({ socket, connection }) =>
      connection === 1
        ? socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')
        : socket.write(OK),
    )
    const dispatcher = dispatcherOf()
    await assert.rejects(ask(dispatcher, origin), refusedWith('upstream_error'))
    assert.equal((await ask(dispatcher, origin)).text, 'ok')
  })

  it('fails for a response that is not HTTP', async () => {
    const { origin } = await vendor(({ socket }) => socket.write('SSH-2.0-OpenSSH\r\n\r\n'))
    await assert.rejects(ask(dispatcherOf(), origin), refusedWith('upstream_error'))
  })

  it('closes the connection of a silent vendor at the deadline', async () => {
    const closed = Promise.withResolvers<void>()
    const { origin } = await vendor(({ socket }) => socket.once('close', () => closed.resolve()))
    await assert.rejects(
      ask(dispatcherOf(), origin, { timeoutMs: 30 }),
      refusedWith('upstream_timeout'),
    )
    await closed.promise
  })

  it('stops waiting for a connection that does not open', async () => {
    const { origin } = await vendor(() => undefined)
    await assert.rejects(
      ask(dispatcherOf({ connectMs: 20 }), origin.replace('http:', 'https:')),
      refusedWith('upstream_timeout'),
    )
  })

  it("fails with the system's error for a closed port", async () => {
    await assert.rejects(ask(dispatcherOf(), 'http://127.0.0.1:1'), { code: 'ECONNREFUSED' })
  })

  it('never connects to an address that the guard rejects', async () => {
    const { origin, connections } = await vendor(({ socket }) => socket.write(OK))
    const guard = (): never => {
      throw new AppError('bad_url')
    }
    await assert.rejects(ask(dispatcherOf({ opening: { guard } }), origin), refusedWith('bad_url'))
    assert.equal(connections(), 0)
  })

  it('fails current and later requests of a stopped dispatcher', async () => {
    const arrived = Promise.withResolvers<void>()
    const { origin } = await vendor(() => arrived.resolve())
    const dispatcher = dispatcherOf()
    const open = ask(dispatcher, origin)
    await arrived.promise
    await Promise.all([assert.rejects(open, refusedWith('upstream_error')), dispatcher.destroy()])
    await assert.rejects(ask(dispatcher, origin), refusedWith('upstream_error'))
  })

  it('waits for active requests when closing, and accepts no others', async () => {
    const arrived = Promise.withResolvers<Socket>()
    const { origin } = await vendor(({ socket }) => arrived.resolve(socket))
    const dispatcher = dispatcherOf()
    const open = ask(dispatcher, origin)
    const socket = await arrived.promise
    const closed = dispatcher.close()
    await assert.rejects(ask(dispatcher, origin), refusedWith('upstream_error'))
    socket.write(OK)
    assert.equal((await open).text, 'ok')
    await closed
  })
})

describe('a response in parts', () => {
  it('arrives no faster than it is read, and completely', async () => {
    const part = 'x'.repeat(50_000)
    const { origin } = await vendor(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      for (let count = 0; count < 100; count += 1)
        socket.write(`${part.length.toString(16)}\r\n${part}\r\n`)
      socket.write('0\r\n\r\n')
    })
    let [size, most] = [0, 0]
    const ended = Promise.withResolvers<void>()
    const handler: Dispatcher.DispatchHandler = {
      onResponseData(controller, chunk) {
        size += chunk.length
        controller.pause()
        const before = size
        setImmediate(() => {
          most = Math.max(most, size - before)
          controller.resume()
        })
      },
      onResponseEnd: () => ended.resolve(),
      onResponseError: (_controller, error) => ended.reject(error),
    }
    dispatcherOf().dispatch({ origin, path: '/', method: 'GET', headers: {}, body: null }, handler)
    await ended.promise
    assert.equal(size, 5_000_000)
    assert.ok(most <= 64 * 1024, `${most} bytes came while paused`)
  })

  it('fails after silence in the middle, but not while its reader is paused', async () => {
    const { origin } = await vendor(({ socket }) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
    )
    const dispatcher = dispatcherOf()
    const request = { origin, path: '/', method: 'GET', headers: {}, body: null, bodyTimeout: 20 }
    const [pausing, waiting] = [
      Promise.withResolvers<Dispatcher.DispatchController>(),
      Promise.withResolvers<Error>(),
    ]
    let pausingFailed = false
    dispatcher.dispatch(request, {
      onResponseData(controller) {
        controller.pause()
        pausing.resolve(controller)
      },
      onResponseError: () => (pausingFailed = true),
    })
    const controller = await pausing.promise
    const parts: string[] = []
    dispatcher.dispatch(request, {
      onResponseData: (_controller, chunk) => parts.push(chunk.toString()),
      onResponseError: (_controller, error) => waiting.resolve(error),
    })
    assert.ok(refusedWith('upstream_timeout')(await waiting.promise))
    assert.deepEqual([parts, pausingFailed], [['half'], false])
    controller.resume()
  })
})

describe('a pause', () => {
  it('that begins before the connection opens delays the response', async () => {
    const { origin } = await vendor(({ socket }) => socket.write(OK))
    const dispatcher = dispatcherOf()
    const paused = Promise.withResolvers<Dispatcher.DispatchController>()
    const events: string[] = []
    const ended = Promise.withResolvers<void>()
    dispatcher.dispatch(
      { origin, path: '/', method: 'GET', headers: {}, body: null },
      {
        onRequestStart(controller) {
          controller.pause()
          paused.resolve(controller)
        },
        onResponseStart: () => events.push('answer'),
        onResponseEnd: () => ended.resolve(),
        onResponseError: (_controller, error) => ended.reject(error),
      },
    )
    // Another, later request that was answered shows that the first could have been.
    await ask(dispatcher, origin)
    const controller = await paused.promise
    assert.deepEqual(events, [])
    controller.resume()
    await ended.promise
    assert.deepEqual(events, ['answer'])
  })
})

describe('over TLS', () => {
  it('shares a connection, and checks names against the certificate', async () => {
    const { origin, connections } = await vendor(({ socket }) => socket.write(OK), true)
    const dispatcher = dispatcherOf({ opening: { ca: testCertificate } })
    for (let round = 0; round < 3; round += 1)
      assert.equal((await ask(dispatcher, origin)).text, 'ok')
    assert.equal(connections(), 1)
    await assert.rejects(ask(dispatcher, origin.replace('localhost', '127.0.0.1')), {
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
    await assert.rejects(ask(dispatcherOf(), origin), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  })

  it('reads a response larger than one record completely', async () => {
    const text = 'y'.repeat(300_000)
    const { origin } = await vendor(
      ({ socket }) =>
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`),
      true,
    )
    assert.equal((await ask(dispatcherOf({ opening: { ca: testCertificate } }), origin)).text, text)
  })
})

describe('a request with beforeBytes', () => {
  const announced = (
    dispatcher: PlainDispatcher,
    origin: string,
    beforeBytes: () => Promise<unknown>,
    timeoutMs = 20_000,
  ): Promise<Incoming> => {
    const deadline = new Deadline(timeoutMs)
    return exchange(
      dispatcher,
      { origin, path: '/', method: 'POST', headers: {}, body: '{}' },
      { deadline, maxBytes: 1_000_000, beforeBytes },
    ).finally(() => deadline.end())
  }

  it('is sent only after it was recorded, on a new and a reused connection', async () => {
    const seen: string[] = []
    const { origin, connections } = await vendor(({ socket }) => {
      seen.push('bytes')
      socket.write(OK)
    })
    const dispatcher = dispatcherOf()
    for (let round = 0; round < 2; round += 1) {
      const { text } = await announced(dispatcher, origin, async () => {
        await new Promise((later) => setImmediate(later))
        seen.push(`written down, ${connections()} connection`)
      })
      assert.equal(text, 'ok')
    }
    assert.deepEqual(seen, [
      'written down, 1 connection',
      'bytes',
      'written down, 1 connection',
      'bytes',
    ])
  })

  it('is not recorded before a connection is open', async () => {
    const never = (): Promise<never> => assert.fail('written down')
    const { origin } = await vendor(({ socket }) => socket.write(OK))
    // The name never resolves.
    const lost = dispatcherOf({ opening: { guard: () => () => undefined } })
    await assert.rejects(
      announced(lost, origin.replace('127.0.0.1', 'localhost'), never, 50),
      refusedWith('upstream_timeout'),
    )
    await assert.rejects(announced(dispatcherOf(), 'http://127.0.0.1:1', never))
  })

  it('is never sent when recording fails, nor after its deadline', async () => {
    let asked = 0
    const { origin } = await vendor(() => (asked += 1))
    await assert.rejects(
      announced(dispatcherOf(), origin, () => Promise.reject(new AppError('overloaded'))),
      refusedWith('overloaded'),
    )
    const late = Promise.withResolvers<void>()
    await assert.rejects(
      announced(dispatcherOf(), origin, () => late.promise, 50),
      refusedWith('upstream_timeout'),
    )
    late.resolve()
    await new Promise((later) => setImmediate(later))
    assert.equal(asked, 0)
  })

  it('is recorded first with a dispatcher that ignores beforeBytes', async () => {
    const seen: string[] = []
    const { origin } = await vendor(({ socket }) => socket.write(OK))
    const dispatcher = dispatcherOf()
    const plain: PlainDispatcher = {
      ...dispatcher,
      dispatch: (request, handler) => (seen.push('sent'), dispatcher.dispatch(request, handler)),
    }
    const { callsBeforeBytes: _, ...unaware } = plain
    const deadline = new Deadline(20_000)
    await exchange(
      unaware,
      { origin, path: '/', method: 'POST', headers: {}, body: '{}' },
      { deadline, maxBytes: 1_000, beforeBytes: async () => seen.push('written down') },
    )
    deadline.end()
    assert.deepEqual(seen, ['written down', 'sent'])
  })
})
