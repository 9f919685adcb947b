import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { startWebSocketVendor } from '../../test/harness/vendors/websocket-vendor.ts'
import { bearer, keyQuery, type Auth } from '../catalog/vocabulary/wire.ts'
import { AppError } from '../errors/app-error.ts'
import { Deadline } from '../lib/deadline.ts'
import type { VendorSocket, Message } from './vendor-socket.ts'
import { createGuard } from './guard.ts'
import { createPlainDispatcher } from './http1/plain-dispatcher.ts'
import type { PermitRequest, Gate } from './limits/gate.ts'
import { FREE_PERMIT, refusePermit } from './limits/permit.ts'
import type { Sent } from './sent.ts'
import { splitBaseUrl, type Target } from './target.ts'
import { withVendorSocket, type SocketRequest } from './with-vendor-socket.ts'

const vendor = await startWebSocketVendor()
const dispatcher = createPlainDispatcher({ idleMs: 1_000 })
cleanUp(() => dispatcher.destroy())

function target(auth: Auth = bearer(), extra: Partial<Target> = {}): Target {
  return {
    service: 'shop',
    vendor: { baseUrl: 'https://api.vendor.example', auth, docsUrl: 'https://vendor.example/docs' },
    ...splitBaseUrl(`${vendor.url}/base`),
    credentials: { KEY: 'very-secret' },
    dispatcher,
    ...extra,
  }
}

function exchange<T>(
  to: Target,
  request: SocketRequest,
  use: (socket: VendorSocket) => Promise<T>,
  deadline = new Deadline(60_000),
): Promise<T> {
  return withVendorSocket(
    to,
    request,
    { deadline, vendorKey: 'call-1', now: () => 0 },
    use,
  ).finally(() => deadline.end())
}

async function allOf(
  socket: VendorSocket,
): Promise<{ messages: Message[]; closeCode: number | null }> {
  const messages = await Array.fromAsync(socket)
  return { messages, closeCode: socket.closeCode }
}

async function failureOf(
  to: Target,
  use: (socket: VendorSocket) => Promise<unknown> = allOf,
  deadline?: Deadline,
): Promise<AppError> {
  try {
    await exchange(to, { path: '/talk' }, use, deadline)
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error
  }
  return assert.fail('it went well')
}

describe('a WebSocket to a vendor', () => {
  it('opens with path, query and credentials, sends first messages, returns the close code', async () => {
    vendor.converseWith((socket) => {
      const received: string[] = []
      socket.on('message', (bytes, isBinary) => {
        received.push(`${isBinary ? 'bytes' : 'text'} ${bytes.toString()}`)
        if (received.length < 3) return
        socket.send(received.join(', '))
        socket.send(Buffer.from([1, 0, 255]))
        socket.close(4008)
      })
    })
    const results = await exchange(
      target(),
      {
        path: '/talk',
        query: { cmd: ['sh', '-c'] },
        headers: { 'x-more': '1' },
        first: ['one', Buffer.from('two'), 'three'],
      },
      allOf,
    )
    assert.deepEqual(results, {
      messages: ['text one, bytes two, text three', Buffer.from([1, 0, 255])],
      closeCode: 4008,
    })
    const { url, headers } = vendor.asked.at(-1) ?? assert.fail('it was asked')
    assert.deepEqual(
      [url, headers.authorization, headers['x-more'], headers['idempotency-key']],
      ['/base/talk?cmd=sh&cmd=-c', 'Bearer very-secret', '1', 'call-1'],
    )
  })

  it('carries credentials where the vendor requires them, and none if anonymous', async () => {
    vendor.converseWith((socket) => socket.close(1000))
    await exchange(target(keyQuery('token')), { path: '/talk' }, allOf)
    assert.equal(vendor.asked.at(-1)?.url, '/base/talk?token=very-secret')
    await exchange(target(), { path: '/talk', anonymous: true }, allOf)
    assert.equal(vendor.asked.at(-1)?.headers.authorization, undefined)
  })

  it('delivers messages sent before the close, and reports a missing close code', async () => {
    vendor.converseWith((socket) => {
      for (let at = 0; at < 500; at += 1) socket.send(String(at))
      socket.close()
    })
    const { messages, closeCode } = await exchange(target(), { path: '/talk' }, allOf)
    assert.deepEqual([messages.length, messages.at(-1), closeCode], [500, '499', 1005])
  })

  it('delivers messages to a reader that was busy until the close', async () => {
    const isBusy = Promise.withResolvers<void>()
    vendor.converseWith((socket) => {
      socket.send('first')
      void isBusy.promise.then(() => {
        socket.send('second')
        socket.close(1000)
      })
    })
    const received = await exchange(target(), { path: '/talk' }, async (socket) => {
      const messages: Message[] = []
      for await (const message of socket) {
        messages.push(message)
        isBusy.resolve()
        while (socket.closeCode === null) await nextTurn()
      }
      return messages
    })
    assert.deepEqual(received, ['first', 'second'])
  })

  it("answers the vendor's pings", async () => {
    vendor.converseWith((socket) => {
      socket.on('pong', (bytes) => {
        socket.send(`echo ${bytes.toString()}`)
        socket.close(1000)
      })
      socket.ping(Buffer.from('there?'))
    })
    assert.deepEqual(await exchange(target(), { path: '/talk' }, allOf), {
      messages: ['echo there?'],
      closeCode: 1000,
    })
  })

  it('is closed when the reader finishes or fails', async () => {
    const closed: Promise<number>[] = []
    vendor.converseWith((socket) => {
      closed.push(new Promise((done) => socket.on('close', done)))
      socket.send('hello')
    })
    const first = await exchange(target(), { path: '/talk' }, async (socket) => {
      for await (const message of socket) return message
      return undefined
    })
    assert.equal(first, 'hello')
    await assert.rejects(
      exchange(target(), { path: '/talk' }, () => Promise.reject(new RangeError('mine'))),
      RangeError,
    )
    assert.deepEqual(await Promise.all(closed), [1000, 1000])
  })
})

describe('a failing WebSocket', () => {
  for (const [status, code] of [
    [400, 'upstream_rejected'],
    [401, 'upstream_not_configured'],
    [403, 'upstream_not_configured'],
    [404, 'upstream_not_found'],
    [409, 'upstream_conflict'],
    [429, 'upstream_busy'],
    [500, 'upstream_error'],
    [502, 'upstream_error'],
    [504, 'upstream_timeout'],
    [302, 'upstream_error'],
  ] as const) {
    it(`maps status ${status} instead of a connection to ${code}, as for a request`, async () => {
      vendor.refuseWith({
        status,
        headers: { 'retry-after': '7', location: vendor.url },
        body: { message: 'no' },
      })
      const failure = await failureOf(target())
      assert.equal(failure.code, code)
      assert.deepEqual(failure.details, {
        upstream: { service: 'shop', status, code: null, message: null },
      })
      if (status === 429) assert.equal(failure.retryAfterSeconds, 7)
    })
  }

  it('is reported in the vendor’s words, without credentials and addresses', async () => {
    vendor.refuseWith({
      status: 404,
      body: { error: `no machine for very-secret at ${vendor.url}` },
    })
    const to = target()
    const failure = await failureOf({
      ...to,
      vendor: {
        ...to.vendor,
        readFailure: ({ body }) => ({
          code: 'upstream_not_found',
          message: (body as { error: string }).error,
        }),
      },
    })
    assert.deepEqual(failure.details?.['upstream'], {
      service: 'shop',
      status: 404,
      code: null,
      message: 'no machine for [hidden] at [hidden]',
    })
  })

  it('times out for a silent vendor at the deadline, after delivering its messages', async () => {
    vendor.refuseWith('hang')
    assert.equal((await failureOf(target(), allOf, new Deadline(50))).code, 'upstream_timeout')
    vendor.converseWith((socket) => socket.send('so far'))
    const deadline = new Deadline(60_000)
    const received: Message[] = []
    const failure = await failureOf(
      target(),
      async (socket) => {
        for await (const message of socket) {
          received.push(message)
          deadline.expire()
        }
      },
      deadline,
    )
    assert.deepEqual([failure.code, received], ['upstream_timeout', ['so far']])
  })

  it('sends nothing when the caller has already aborted', async () => {
    vendor.converseWith((socket) => socket.send('hello'))
    const deadline = new Deadline(60_000)
    deadline.expire()
    assert.equal((await failureOf(target(), allOf, deadline)).code, 'upstream_timeout')
  })

  it('is an upstream error for a broken, refused or non-WebSocket connection', async () => {
    for (const converseWrongly of ['terminate', 'write garbage'] as const) {
      vendor.converseWith((socket, request) =>
        converseWrongly === 'terminate'
          ? socket.terminate()
          : void request.socket.write(Buffer.from([0xff, 0xff, 0xff])),
      )
      assert.equal((await failureOf(target())).code, 'upstream_error')
    }
    assert.equal(
      (await failureOf(target(bearer(), splitBaseUrl('http://127.0.0.1:1')))).code,
      'upstream_error',
    )
    assert.equal(
      (await failureOf(target(bearer(), { headers: { 'x-odd': 'a\r\nb: c' } }))).code,
      'upstream_error',
    )
  })

  for (const [what, opcode] of [
    ['ping', 0x89],
    ['pong', 0x8a],
  ] as const) {
    it(`closes a connection that sends endless ${what} and reads nothing`, async () => {
      const one = Buffer.concat([Buffer.of(opcode, 125), Buffer.alloc(125)])
      vendor.converseWith((_socket, { socket }) => {
        socket.pause()
        socket.write(Buffer.alloc(120_000 * one.length, one))
      })
      const failure = await failureOf(target())
      assert.match(failure.message, /more than 20971520 bytes/)
    })
  }

  for (const [name, sizes] of [
    ['one message', [21]],
    ['many messages together', [7, 7, 7]],
  ] as const) {
    it(`closes and reports a connection with more than 20 MiB in ${name}`, async () => {
      vendor.converseWith((socket) => {
        for (const mebibytes of sizes) socket.send(Buffer.alloc(mebibytes * 1024 * 1024))
        socket.close(1000)
      })
      const { code, message, details } = await failureOf(target())
      assert.deepEqual(
        [code, (details?.['upstream'] as { status: number }).status],
        ['upstream_error', 101],
      )
      assert.match(message, /more than 20971520 bytes/)
    })
  }
})

describe('the guard of a WebSocket', () => {
  const port = Number(new URL(vendor.url).port)
  const guarded = (allowPrivateNetworks: readonly string[]) => {
    const guard = createGuard({
      allowPrivateNetworks,
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    cleanUp(() => guard.close())
    return guard.vendors
  }

  for (const host of ['127.0.0.1', 'machines.vendor.example', 'localhost']) {
    it(`rejects ${host} on a private network, unless the operator opened it`, async () => {
      vendor.converseWith((socket) => socket.close(1000))
      const before = vendor.asked.length
      const place = splitBaseUrl(`http://${host}:${port}`)
      assert.equal(
        (await failureOf(target(bearer(), { ...place, dispatcher: guarded([]) }))).code,
        'upstream_error',
      )
      assert.equal(vendor.asked.length, before)
      assert.equal(
        (
          await exchange(
            target(bearer(), { ...place, dispatcher: guarded(['127.0.0.0/8']) }),
            { path: '/' },
            allOf,
          )
        ).closeCode,
        1000,
      )
    })
  }
})

describe('a WebSocket at the vendor’s gate', () => {
  const results: { sent: Sent; asker: PermitRequest; origin: string | undefined }[] = []
  const gate = {
    acquire: () => FREE_PERMIT,
    release: (_permit: unknown, sent: Sent, asker: PermitRequest, origin?: string) =>
      results.push({ sent, asker, origin }),
  } as unknown as Gate

  it('counts as one request, which ends with the connection and its result', async () => {
    vendor.converseWith((socket) => socket.close(1000))
    await exchange(target(bearer(), { gate }), { path: '/', runsProgram: true }, async () =>
      assert.equal(results.length, 0),
    )
    vendor.refuseWith({ status: 429, headers: { 'retry-after': '7' } })
    await failureOf(target(bearer(), { gate }))
    vendor.converseWith((socket) => socket.terminate())
    await failureOf(target(bearer(), { gate }))
    assert.deepEqual(
      results.map(({ sent, asker }) => [
        sent.ok || sent.failure.code,
        sent.ok ? undefined : sent.waitMs,
        asker.takesAnyTime,
      ]),
      [
        [true, undefined, true],
        ['upstream_busy', 7_000, undefined],
        ['upstream_error', undefined, undefined],
      ],
    )
  })

  it('is not opened when the gate refuses', async () => {
    const before = vendor.asked.length
    const failure = await failureOf(
      target(bearer(), {
        gate: { acquire: () => refusePermit('failing', 3_000) } as unknown as Gate,
      }),
    )
    assert.deepEqual(
      [failure.code, failure.retryAfterSeconds, vendor.asked.length],
      ['upstream_busy', 3, before],
    )
  })
})
