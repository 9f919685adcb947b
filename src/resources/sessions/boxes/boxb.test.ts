/** The requests and WebSocket messages of the boxb driver, and its handling of the replies. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { beforeEach, describe, it } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { startWebSocketVendor } from '../../../../test/harness/vendors/websocket-vendor.ts'
import {
  startVendor,
  type VendorReply,
  type VendorRequest,
} from '../../../../test/harness/vendors/vendor.ts'
import { createLanes } from '../../../calls/lanes/lanes.ts'
import { createCatalog } from '../../../catalog/index.ts'
import type { Reply, WireRequest } from '../../../catalog/vocabulary/wire.ts'
import { AppError } from '../../../errors/app-error.ts'
import { systemClock } from '../../../lib/clock.ts'
import { createPlainDispatcher } from '../../../upstream/http1/plain-dispatcher.ts'
import { createReadyBoxes } from '../ready-boxes.ts'
import { createBoxb, wrapped } from './boxb.ts'

const vendor = await startVendor()
const talking = await startWebSocketVendor(vendor)
const dispatcher = createPlainDispatcher({ idleMs: 1_000 })
cleanUp(() => dispatcher.destroy())
const lanes = createLanes({
  catalog: createCatalog(),
  upstreams: new Map([['boxb', { url: vendor.url, credentials: { KEY: 'operator-key' } }]]),
  guardedDispatcher: dispatcher,
  operatorDispatcher: dispatcher,
  inHouse: new Set(),
  simulatorUrl: vendor.url,
  userAgent: 'x',
})
const box =
  createReadyBoxes(lanes.targetOf, systemClock)('boxb', 'live', 'a') ??
  assert.fail('boxb is configured')
const { signal } = new AbortController()
const order = { id: 'x', template: undefined, envs: { A: '1' }, lifeMs: 1_200_000 }
const machine = {
  id: 'sb-1',
  state: 'started',
  toolboxProxyUrl: 'https://proxy.app.daytona.io/toolbox',
}
const preview = {
  sandboxId: 'sb-1',
  url: 'https://2280-sb-1.proxy.daytona.work',
  token: 'machine-token',
}
const handle = { id: 'sb-1', token: 'machine-token', origin: 'machine', template: 'python' }

beforeEach(() => void (vendor.requests.length = 0))

function respond(reply: (request: VendorRequest) => VendorReply): void {
  vendor.answerWith(reply)
}
function asked(): unknown[] {
  return vendor.requests.map(({ method, path, body }) => [
    method,
    path,
    ...(body === undefined ? [] : [body]),
  ])
}
const made = ({ method, path }: VendorRequest): VendorReply => {
  if (method === 'POST' && path === '/sandbox') return { body: machine }
  if (path.endsWith('/preview-url')) return { body: preview }
  return { status: path === '/machine/sb-1/process/session' ? 201 : 200, body: '' }
}

describe('boxb', () => {
  it('creates a machine that stops when unused, prolongs it and closes it, even if it is gone', async () => {
    respond((request) => (request.method === 'DELETE' ? { status: 404 } : made(request)))
    assert.deepEqual(await box.create(order), handle)
    await box.prolong(handle, 1_200_000)
    await box.close(handle)
    assert.deepEqual(asked(), [
      [
        'POST',
        '/sandbox',
        {
          env: { A: '1' },
          labels: { tollgate_session: 'ses_x', 'code-toolbox-language': 'python' },
          autoStopInterval: 20,
          autoDeleteInterval: 0,
        },
      ],
      ['GET', '/sandbox/sb-1/ports/2280/preview-url'],
      ['POST', '/machine/sb-1/process/session', { sessionId: 'tollgate' }],
      ['POST', '/sandbox/sb-1/last-activity', {}],
      ['DELETE', '/sandbox/sb-1'],
    ])
  })

  it('creates the machine for the language of its template', async () => {
    respond(made)
    assert.equal((await box.create({ ...order, template: 'typescript' }))['template'], 'typescript')
    assert.equal(
      (vendor.requests[0]?.body as { labels: Record<string, string> }).labels[
        'code-toolbox-language'
      ],
      'typescript',
    )
  })

  it('never sends the operator’s key to the machine', async () => {
    respond(made)
    await box.create(order)
    vendor.answerWith(() => ({ body: { exitCode: 0 } }))
    await box.run(handle, { command: 'ls' }, signal)
    talking.converseWith((socket) => socket.close(1000))
    await box.run(handle, { code: 'f()', language: 'python' }, signal)
    const inside = [
      ...vendor.requests.filter(({ path }) => path.startsWith('/machine/')),
      ...talking.asked.slice(-1),
    ]
    assert.deepEqual(
      inside.map(({ headers }) => [headers.authorization, headers['x-daytona-preview-token']]),
      [1, 2, 3].map(() => [undefined, 'machine-token']),
    )
    assert.deepEqual(
      vendor.requests
        .filter(({ path }) => !path.startsWith('/machine/'))
        .map(({ headers }) => headers.authorization),
      ['Bearer operator-key', 'Bearer operator-key'],
    )
  })

  it('finds only its own live machines, by their label', async () => {
    const labels = { tollgate_session: 'ses_x' }
    const list = [
      { id: 'b1', labels, state: 'started' },
      { id: 'b2', labels: { tollgate_session: 'ses_y' }, state: 'started' },
      { id: 'b3', labels, state: 'creating' },
      { id: 'b4', labels, state: 'destroyed' },
      { id: 'b5', labels, state: 'stopping' },
      { id: 'b6', labels, state: 'error' },
      null,
    ]
    for (const body of [{ items: list, nextCursor: null }, list]) {
      respond(() => ({ body }))
      assert.deepEqual(await box.find('x'), [{ id: 'b1' }, { id: 'b3' }])
    }
    assert.deepEqual(asked()[0], [
      'GET',
      '/sandbox?labels=%7B%22tollgate_session%22%3A%22ses_x%22%7D&limit=100',
    ])
    respond(() => ({ body: { message: 'odd' } }))
    assert.deepEqual(await box.find('x'), [])
  })

  it('throws upstream_not_found if the machine has stopped or is gone', async () => {
    const refusals: VendorReply[] = [
      {
        status: 400,
        body: {
          message:
            'bad request: failed to resolve container IP after 3 attempts: no IP address found. Is the Sandbox started?',
        },
      },
      { status: 400, body: { message: 'bad request: failed to get runner info: 404 Not Found' } },
      {
        status: 401,
        body: { message: 'unauthorized: authentication failed: Auth key header is invalid' },
      },
      { status: 404, body: { message: 'not found: sandbox container not found' } },
      { status: 307, headers: { location: 'https://app.daytona.io/login' } },
    ]
    for (const refusal of refusals) {
      respond(() => refusal)
      talking.refuseWith(refusal as { status: number; body?: unknown })
      await assert.rejects(box.run(handle, { command: 'ls' }, signal), {
        code: 'upstream_not_found',
      })
      await assert.rejects(box.run(handle, { code: '1', language: 'python' }, signal), {
        code: 'upstream_not_found',
      })
      await assert.rejects(box.run(handle, { code: '1', language: 'javascript' }, signal), {
        code: 'upstream_not_found',
      })
    }
    respond(() => ({
      status: 404,
      body: { message: 'Sandbox with ID sb-1 not found', statusCode: 404 },
    }))
    await assert.rejects(box.prolong(handle, 1_200_000), { code: 'upstream_not_found' })
  })

  it('does not report a machine missing after a failing host or a refused operator key', async () => {
    respond(() => ({ status: 502, body: '' }))
    await assert.rejects(box.run(handle, { command: 'ls' }, signal), { code: 'upstream_error' })
    respond(() => ({ status: 401, body: { message: 'Unauthorized', statusCode: 401 } }))
    await assert.rejects(box.create(order), { code: 'upstream_not_configured' })
  })
})

describe('a boxb machine that starts slowly', () => {
  const waiting = createBoxb(0)
  const missing = new AppError('upstream_not_found')

  /** Returns these bodies in order, for any request; throws those that are errors. */
  function inTurn(...bodies: unknown[]): {
    ask: (wire: WireRequest) => Promise<Reply>
    asked: string[]
  } {
    const paths: string[] = []
    return {
      asked: paths,
      ask: async ({ method, path }) => {
        paths.push(`${method} ${path}`)
        const body = bodies.shift()
        if (body instanceof Error) throw body
        return { status: 200, headers: {}, body }
      },
    }
  }
  const create = (ask: (wire: WireRequest) => Promise<Reply>) =>
    waiting.create(ask, { label: 'ses_x', envs: {}, lifeMs: 60_000 }, {})

  it('is polled until it has started and is reachable, in any region', async () => {
    const { ask, asked: paths } = inTurn(
      { id: 'sb-1', state: 'creating' },
      { id: 'sb-1', state: 'starting' },
      { ...machine, toolboxProxyUrl: 'https://proxy.app-eu.daytona.io/toolbox' },
      preview,
      missing,
      missing,
      '',
    )
    assert.equal((await create(ask))['origin'], 'machine-eu')
    const shell = 'POST /sb-1/process/session'
    assert.deepEqual(paths, [
      'POST /sandbox',
      'GET /sandbox/sb-1',
      'GET /sandbox/sb-1',
      'GET /sandbox/sb-1/ports/2280/preview-url',
      shell,
      shell,
      shell,
    ])
  })

  it('is only contacted at the vendor’s own host, even if its reported address differs', async () => {
    for (const toolboxProxyUrl of [
      'https://evil.example/proxy.app-eu.daytona.io/',
      'http://proxy.app-eu.daytona.io/toolbox',
      'https://proxy.app-eu.daytona.io.evil.example/',
      '',
    ]) {
      assert.equal(
        (await create(inTurn({ ...machine, toolboxProxyUrl }, preview, '').ask))['origin'],
        'machine',
      )
    }
  })

  for (const state of ['error', 'build_failed', 'destroyed', 'stopped']) {
    it(`is closed after reaching the state "${state}"`, async () => {
      const { ask, asked: paths } = inTurn({ id: 'sb-1', state: 'creating' }, { id: 'sb-1', state })
      await assert.rejects(create(ask), { code: 'upstream_error' })
      assert.equal(paths.at(-1), 'DELETE /sandbox/sb-1')
    })
  }

  it('is closed after a later failure, with an error that does not imply a refused order', async () => {
    for (const code of [
      'upstream_busy',
      'upstream_not_configured',
      'upstream_conflict',
      'upstream_rejected',
      'upstream_not_found',
    ] as const) {
      const { ask, asked: paths } = inTurn(
        { id: 'sb-1', state: 'creating' },
        new AppError(code),
        new AppError(code),
      )
      await assert.rejects(create(ask), { code: 'upstream_error' })
      assert.deepEqual(paths, ['POST /sandbox', 'GET /sandbox/sb-1', 'DELETE /sandbox/sb-1'])
      await assert.rejects(create(inTurn(new AppError(code)).ask), { code })
    }
    await assert.rejects(
      create(inTurn({ id: 'sb-1', state: 'creating' }, new AppError('upstream_timeout')).ask),
      { code: 'upstream_timeout' },
    )
    await assert.rejects(create(inTurn({ state: 'creating' }).ask), { code: 'upstream_error' })
    await assert.rejects(create(inTurn(machine, { token: '' }).ask), { code: 'upstream_error' })
  })
})

describe('a boxb command', () => {
  it('has separate output streams and an exit code', async () => {
    respond(() => ({ body: { cmdId: 'c1', exitCode: 3, stdout: 'o', stderr: 'e', output: 'oe' } }))
    assert.deepEqual(await box.run(handle, { command: 'ls' }, signal), {
      stdout: 'o',
      stderr: 'e',
      exitCode: 3,
    })
    assert.deepEqual(await box.run(handle, { code: 'ls', language: 'bash' }, signal), {
      stdout: 'o',
      stderr: 'e',
      exitCode: 3,
    })
    const [first, second] = vendor.requests
    assert.deepEqual(
      [first?.method, first?.path, first?.headers['x-daytona-split-output']],
      ['POST', '/machine/sb-1/process/session/tollgate/exec', 'true'],
    )
    assert.deepEqual(first?.body, { command: wrapped('ls', 60), runAsync: false })
    assert.deepEqual(second?.body, first?.body)
  })

  it('runs once, in a new shell, if the old shell has ended', async () => {
    for (const [status, message] of [
      [404, 'not found: session not found'],
      [400, 'bad request: failed to write command: broken pipe'],
    ] as const) {
      let execs = 0
      vendor.requests.length = 0
      respond(({ path }) => {
        if (!path.endsWith('/exec'))
          return { status: path.endsWith('/session') ? 201 : 404, body: '' }
        execs += 1
        return execs === 1
          ? { status, body: { message } }
          : { body: { exitCode: 0, stdout: 'hi', stderr: '' } }
      })
      assert.deepEqual(await box.run(handle, { command: 'ls' }, signal), {
        stdout: 'hi',
        stderr: '',
        exitCode: 0,
      })
      const shell = '/machine/sb-1/process/session'
      assert.deepEqual(
        vendor.requests.map(({ method, path }) => [method, path]),
        [
          ['POST', `${shell}/tollgate/exec`],
          ['DELETE', `${shell}/tollgate`],
          ['POST', shell],
          ['POST', `${shell}/tollgate/exec`],
        ],
      )
    }
  })

  /** Runs the command in a local shell, as the vendor does. */
  function runLocally(
    command: string,
    { before = '' } = {},
  ): { stdout: string; stderr: string; code: number | null } {
    const { stdout, stderr, status } = spawnSync('sh', {
      input: `${before}\n{ ${wrapped(command, 30)}; }\n`,
      encoding: 'utf8',
      timeout: 60_000,
      env: { PATH: process.env['PATH'], HOME: '/' },
    })
    return { stdout, stderr, code: status }
  }

  it('runs unchanged in its own shell in the home folder, without waiting for background jobs', () => {
    assert.deepEqual(
      runLocally(`pwd; echo "a 'b' $((1 + 1))" # )\ncat <<END >&2\n(\nEND\nexit 3`),
      {
        stdout: "/\na 'b' 2\n",
        stderr: '(\n',
        code: 3,
      },
    )
    assert.deepEqual(runLocally('sleep 20 & echo started'), {
      stdout: 'started\n',
      stderr: '',
      code: 0,
    })
    assert.deepEqual(runLocally('cat; kill -9 $$'), { stdout: '', stderr: '', code: 137 })
  })

  it('does not run partially if the disk is too full to store it', () => {
    assert.deepEqual(
      runLocally('echo ran', {
        before: `base64() { command base64 "$@"; echo 'disk full' >&2; return 1; }`,
      }),
      { stdout: '', stderr: 'disk full\n', code: 1 },
    )
  })

  it('is ended if it takes too long, with exit code 124 and its output so far', () => {
    // `timeout` receives this signal when its time is over.
    assert.deepEqual(
      runLocally('echo so far; echo oh >&2; kill -ALRM $PPID; sleep 20; echo late'),
      {
        stdout: 'so far\n',
        stderr: 'oh\n',
        code: 124,
      },
    )
    assert.match(wrapped('ls', 7), /timeout -k 2 7 /)
  })
})

describe('boxb code', () => {
  const python = (code = 'f()') => box.run(handle, { code, language: 'python' }, signal)
  function replies(closeCode: number, ...messages: object[]): void {
    talking.converseWith((socket) => {
      socket.on('message', () => {
        for (const message of messages) socket.send(JSON.stringify(message))
        socket.close(closeCode)
      })
    })
  }
  const completed = { type: 'control', text: 'completed' }

  it('runs in the machine’s persistent interpreter if it is Python', async () => {
    const received: unknown[] = []
    talking.converseWith((socket) => {
      socket.on('message', (bytes) => {
        received.push(JSON.parse(bytes.toString()))
        for (const message of [
          { type: 'stdout', text: 'hi\n' },
          { type: 'news', text: 'x' },
          { type: 'stderr', text: 'careful\n' },
          { type: 'stdout', text: 'ho\n' },
          completed,
        ])
          socket.send(JSON.stringify(message))
        socket.close(1000)
      })
    })
    assert.deepEqual(await python(), { stdout: 'hi\nho\n', stderr: 'careful\n', exitCode: 0 })
    assert.deepEqual(received, [{ code: 'f()', timeout: 60 }])
    assert.equal(talking.asked.at(-1)?.url, '/machine/sb-1/process/interpreter/execute')
  })

  it('writes its traceback to stderr and exits with code 1 if it fails', async () => {
    replies(
      1000,
      { type: 'stdout', text: 'so far\n' },
      {
        type: 'error',
        name: 'ZeroDivisionError',
        value: 'division by zero',
        traceback: 'Traceback …\n',
      },
      completed,
    )
    assert.deepEqual(await python(), { stdout: 'so far\n', stderr: 'Traceback …\n', exitCode: 1 })
    replies(1000, { type: 'error', name: 'E', value: 'v' }, completed)
    assert.equal((await python()).stderr, 'E: v\n')
  })

  it('has exit code 124 and its output so far if it takes too long', async () => {
    for (const [closeCode, ...more] of [
      [4008],
      [1000, { type: 'control', text: 'interrupted' }],
      [4008, { type: 'control', text: 'interrupted' }],
    ] as const) {
      replies(closeCode, { type: 'stdout', text: 'so far\n' }, ...more)
      assert.deepEqual(await python(), { stdout: 'so far\n', stderr: '', exitCode: 124 })
    }
  })

  it('exits with code 1 if it ends its interpreter', async () => {
    replies(1001, { type: 'stdout', text: 'so far\n' })
    assert.deepEqual(await python(), { stdout: 'so far\n', stderr: '', exitCode: 1 })
  })

  it('throws upstream_error if the vendor did not run it or lost it', async () => {
    replies(1008)
    await assert.rejects(python(), { code: 'upstream_error' })
    talking.converseWith((socket) => socket.terminate())
    await assert.rejects(python(), { code: 'upstream_error' })
  })

  it('is aborted when the caller disconnects', async () => {
    const leaving = new AbortController()
    talking.converseWith(() => leaving.abort())
    await assert.rejects(
      box.run(handle, { code: 'while True: pass', language: 'python' }, leaving.signal),
      { code: 'upstream_timeout' },
    )
  })

  it('runs separately if it is JavaScript, or in the template’s language if none was given', async () => {
    respond(() => ({ body: { exitCode: 2, result: '1\n', artifacts: null } }))
    const inTypescript = { ...handle, template: 'typescript' }
    assert.deepEqual(await box.run(handle, { code: 'f()', language: 'javascript' }, signal), {
      stdout: '1\n',
      stderr: '',
      exitCode: 2,
    })
    await box.run(inTypescript, { code: 'f()', language: 'javascript' }, signal)
    await box.run(inTypescript, { code: 'f()', language: 'python', isAssumed: true }, signal)
    await box.run(
      { ...handle, template: 'javascript' },
      { code: 'f()', language: 'python', isAssumed: true },
      signal,
    )
    assert.deepEqual(
      asked(),
      ['javascript', 'javascript', 'typescript', 'javascript'].map((language) => [
        'POST',
        '/machine/sb-1/process/code-run',
        { code: 'f()', language, timeout: 60 },
      ]),
    )
    replies(1000, completed)
    const before = talking.asked.length
    await box.run(inTypescript, { code: 'f()', language: 'python' }, signal)
    await box.run(handle, { code: 'f()', language: 'python', isAssumed: true }, signal)
    assert.equal(talking.asked.length, before + 2)
    respond(() => ({ status: 408, body: { message: 'command execution timeout' } }))
    assert.deepEqual(await box.run(handle, { code: 'f()', language: 'javascript' }, signal), {
      stdout: '',
      stderr: '',
      exitCode: 124,
    })
  })

  it('uses the template’s language for test keys too, if none was given', async () => {
    const simulated =
      createReadyBoxes(() => null, systemClock)('boxb', 'test', 'a') ??
      assert.fail('it is simulated')
    for (const [template, code] of [
      ['typescript', 'console.log("a")'],
      ['javascript', 'console.log("a")'],
      ['python', 'print("a")'],
    ] as const) {
      const made = await simulated.create({ ...order, id: template, template })
      assert.equal(
        (await simulated.run(made, { code, language: 'python', isAssumed: true }, signal)).stdout,
        'a\n',
      )
      assert.equal(
        (await simulated.run(made, { code: 'print("b")', language: 'python' }, signal)).stdout,
        'b\n',
      )
    }
  })

  it('marks each request that waits for the program with runsProgram', async () => {
    const marks: unknown[] = []
    const ask = async ({ runsProgram }: WireRequest): Promise<Reply> => ({
      status: 200,
      headers: {},
      body: { exitCode: marks.push(runsProgram) },
    })
    const one = createBoxb(0)
    const never = () => assert.fail('it uses plain requests')
    await one.run(ask, handle, { command: 'ls' }, 60, {}, never)
    await one.run(ask, handle, { code: 'f()', language: 'javascript' }, 60, {}, never)
    await assert.rejects(
      one.run(ask, handle, { code: 'f()', language: 'python' }, 60, {}, async ({ runsProgram }) =>
        assert.fail(String(marks.push(runsProgram))),
      ),
    )
    assert.deepEqual(marks, [true, true, true])
  })
})
