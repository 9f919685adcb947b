/** The requests of the drivers, and their handling of the replies. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Agent } from 'undici'
import {
  startVendor,
  type VendorReply,
  type VendorRequest,
} from '../../../../test/harness/vendors/vendor.ts'
import { createLanes } from '../../../calls/lanes/lanes.ts'
import type { LaneSources } from '../../../calls/lanes/lane-parts.ts'
import { createCatalog } from '../../../catalog/index.ts'
import { systemClock } from '../../../lib/clock.ts'
import type { Reply, WireRequest } from '../../../catalog/vocabulary/wire.ts'
import { Gate } from '../../../upstream/limits/gate.ts'
import { Limiter } from '../../../upstream/limits/limiter.ts'
import { parseBody } from '../../../upstream/parse-body.ts'
import { boxa } from './boxa.ts'
import { createBoxb } from './boxb.ts'
import { boxc } from './boxc.ts'
import { createBoxd } from './boxd.ts'
import { createReadyBoxes } from '../ready-boxes.ts'
import type { ReadyBox } from '../session-deps.ts'

const vendor = await startVendor()
const dispatcher = new Agent()
const sources: LaneSources = {
  catalog: createCatalog(),
  upstreams: new Map(
    ['boxa', 'boxb', 'boxc', 'boxd', 'boxe'].map((label) => [
      label,
      {
        url: vendor.url,
        credentials: { KEY: 'operator-key', TEAM_ID: 'team', PROJECT_ID: 'project' },
      },
    ]),
  ),
  guardedDispatcher: dispatcher,
  operatorDispatcher: dispatcher,
  inHouse: new Set(),
  simulatorUrl: vendor.url,
  userAgent: 'x',
}
const lanes = createLanes(sources)
const boxFor = createReadyBoxes(lanes.targetOf, systemClock)
const box = (service: string): ReadyBox =>
  boxFor(service, 'live', 'a') ?? assert.fail('the service is configured')
const order = { id: 'x', template: undefined, envs: { A: '1' }, lifeMs: 1_200_000 }
const { signal } = new AbortController()

function respond(reply: (request: VendorRequest) => VendorReply): VendorRequest[] {
  vendor.requests.length = 0
  vendor.answerWith(reply)
  return vendor.requests
}
const lines = (...rows: object[]): string => rows.map((row) => JSON.stringify(row)).join('\n')

describe('boxa', () => {
  const handle = { id: 'i9x', token: 'machine-token', traffic: '' }

  it('creates a machine with an interpreter, prolongs it and closes it, even if it is gone', async () => {
    const asked = respond(({ method }) =>
      method === 'DELETE'
        ? { status: 404 }
        : { status: 201, body: { sandboxID: 'i9x', envdAccessToken: 'machine-token' } },
    )
    assert.deepEqual(await box('boxa').create(order), handle)
    await box('boxa').prolong(handle, 1_200_000)
    await box('boxa').close(handle)
    assert.deepEqual(
      asked.map(({ method, path, body }) => [method, path, body]),
      [
        [
          'POST',
          '/v2/sandboxes',
          {
            templateID: 'code-interpreter-v1',
            timeout: 1200,
            envVars: { A: '1' },
            metadata: { tollgate_session: 'ses_x' },
          },
        ],
        ['POST', '/sandboxes/i9x/timeout', { timeout: 1200 }],
        ['DELETE', '/sandboxes/i9x', undefined],
      ],
    )
    assert.equal(asked[0]?.headers['x-api-key'], 'operator-key')
  })

  it('finds only its own machines, by their label, even if the vendor lists others', async () => {
    const asked = respond(() => ({
      body: [
        { sandboxID: 'i1', metadata: { tollgate_session: 'ses_x' } },
        { sandboxID: 'i2', metadata: { tollgate_session: 'ses_y' } },
        { sandboxID: 'i3' },
        null,
      ],
    }))
    assert.deepEqual(await box('boxa').find('x'), [{ id: 'i1' }])
    assert.deepEqual(
      asked.map(({ method, path }) => [method, path]),
      [['GET', '/v2/sandboxes?metadata=tollgate_session%3Dses_x']],
    )
    respond(() => ({ body: { message: 'odd' } }))
    assert.deepEqual(await box('boxa').find('x'), [])
  })

  it('runs code in its language’s interpreter, without sending the operator’s key', async () => {
    const asked = respond(() => ({
      body: lines(
        { type: 'stdout', text: 'hi\n' },
        { type: 'news', text: 'x' },
        { type: 'result', text: '42', is_main_result: true },
        { type: 'stderr', text: 'careful\n' },
      ),
    }))
    assert.deepEqual(
      await box('boxa').run(handle, { code: 'f()', language: 'javascript' }, signal),
      { stdout: 'hi\n42', stderr: 'careful\n', exitCode: 0 },
    )
    const [{ path, body, headers }] = asked as [VendorRequest]
    assert.deepEqual([path, body], ['/machine/execute', { code: 'f()', language: 'javascript' }])
    assert.deepEqual(
      [
        headers['x-api-key'],
        headers['x-access-token'],
        headers['e2b-sandbox-id'],
        headers['e2b-sandbox-port'],
      ],
      [undefined, 'machine-token', 'i9x', '49999'],
    )
    respond(() => ({ body: lines({ type: 'error', name: 'E', value: 'v', traceback: 'E: v' }) }))
    assert.deepEqual(await box('boxa').run(handle, { code: '1/0', language: 'python' }, signal), {
      stdout: '',
      stderr: 'E: v',
      exitCode: 1,
    })
  })

  it('separates a command’s output from the interpreter’s, and returns its exit code', async () => {
    const asked = respond(() => ({
      body: lines({
        type: 'stdout',
        text: 'noise\u001etollgate\u001e{"stdout": "out", "stderr": "err", "code": -9}\n',
      }),
    }))
    assert.deepEqual(await box('boxa').run(handle, { command: 'rm "x" && $y' }, signal), {
      stdout: 'out',
      stderr: 'err',
      exitCode: 137,
    })
    const { code } = asked[0]?.body as { code: string }
    assert.ok(code.includes(Buffer.from('rm "x" && $y').toString('base64')))
    respond(() => ({ body: lines({ type: 'error', name: 'E', value: 'v', traceback: 'no bash' }) }))
    await assert.rejects(box('boxa').run(handle, { command: 'x' }, signal), {
      code: 'upstream_error',
    })
  })

  it('throws upstream_not_found if the machine has ended, also when prolonging it', async () => {
    respond(() => ({ status: 502, body: { message: 'The sandbox was not found' } }))
    await assert.rejects(box('boxa').run(handle, { command: 'x' }, signal), {
      code: 'upstream_not_found',
    })
    respond(() => ({ status: 404, body: { message: 'x' } }))
    await assert.rejects(box('boxa').prolong(handle, 1_200_000), { code: 'upstream_not_found' })
  })

  it('does not report a machine missing that is not ready yet or whose host fails', async () => {
    respond(() => ({
      status: 502,
      body: { message: 'The sandbox is running but port is not open', port: 49999 },
    }))
    await assert.rejects(box('boxa').run(handle, { command: 'x' }, signal), {
      code: 'upstream_conflict',
    })
    respond(() => ({ status: 502, body: '<html>Bad Gateway</html>' }))
    await assert.rejects(box('boxa').run(handle, { command: 'x' }, signal), {
      code: 'upstream_error',
    })
    await assert.rejects(box('boxa').create(order), { code: 'upstream_error' })
  })
})

describe('boxc', () => {
  const handle = { session: 's_1', name: 'box-1' }

  it('creates a machine of a runtime or an image, not stored after its end, and closes it', async () => {
    const asked = respond(() => ({ body: { sandbox: { name: 'box-1' }, session: { id: 's_1' } } }))
    const base = {
      name: 'ses-x',
      projectId: 'project',
      timeout: 1_200_000,
      resources: { vcpus: 2 },
      env: { A: '1' },
      region: 'iad1',
      persistent: false,
    }
    assert.deepEqual(await box('boxc').create(order), handle)
    await box('boxc').create({ ...order, template: 'python3.13' })
    await box('boxc').create({ ...order, template: 'ubuntu:24.04' })
    await box('boxc').close(handle)
    assert.deepEqual(
      asked.map(({ method, path, body }) => [method, path, body]),
      [
        ['POST', '/v3/sandboxes?teamId=team', base],
        ['POST', '/v2/sandboxes?teamId=team', { ...base, runtime: 'python3.13' }],
        ['POST', '/v3/sandboxes?teamId=team', { ...base, image: 'ubuntu:24.04' }],
        ['POST', '/v2/sandboxes/sessions/s_1/stop?teamId=team', {}],
        ['DELETE', '/v2/sandboxes/box-1?teamId=team&projectId=project', undefined],
      ],
    )
  })

  it('finds its machine by name, without resuming it', async () => {
    const asked = respond(() => ({ body: { sandbox: { name: 'ses-x' }, session: { id: 's_1' } } }))
    assert.deepEqual(await box('boxc').find('x'), [{ session: 's_1', name: 'ses-x' }])
    assert.deepEqual(
      asked.map(({ method, path }) => [method, path]),
      [['GET', '/v2/sandboxes/ses-x?teamId=team&projectId=project&resume=false']],
    )
    for (const reply of [
      { status: 404, body: {} },
      { body: { sandbox: { name: 'another' }, session: { id: 's_2' } } },
      { body: { sandbox: { name: 'ses-x' }, session: { id: 's_1', status: 'stopped' } } },
    ]) {
      respond(() => reply)
      assert.deepEqual(await box('boxc').find('x'), [])
    }
  })

  it('runs a command, and code passed in the environment', async () => {
    const asked = respond(() => ({
      body: lines(
        { command: { id: 'c', exitCode: null } },
        { stream: 'stdout', data: 'o' },
        { stream: 'stderr', data: 'e' },
        { stream: 'stdout', data: 'p' },
        { command: { id: 'c', exitCode: 3 } },
      ),
    }))
    assert.deepEqual(await box('boxc').run(handle, { command: 'ls' }, signal), {
      stdout: 'op',
      stderr: 'e',
      exitCode: 3,
    })
    await box('boxc').run(handle, { code: 'print("1")', language: 'python' }, signal)
    const [command, code] = asked.map(
      ({ body }) => body as { args: string[]; env?: Record<string, string> },
    )
    assert.deepEqual(command?.args, ['-lc', 'ls'])
    assert.match(code?.args[1] ?? '', / python3 "\$file"$/)
    assert.equal(Buffer.from(code?.env?.['TOLLGATE_CODE'] ?? '', 'base64').toString(), 'print("1")')
  })

  it('throws upstream_not_found if the machine has ended, also within a successful response', async () => {
    respond(() => ({
      body: lines(
        { command: { exitCode: null } },
        { stream: 'error', data: { code: 'session_ended', message: 'x' } },
      ),
    }))
    await assert.rejects(box('boxc').run(handle, { command: 'x' }, signal), {
      code: 'upstream_not_found',
    })
    respond(() => ({ status: 404, body: { error: { message: 'x' } } }))
    await assert.rejects(box('boxc').run(handle, { command: 'x' }, signal), {
      code: 'upstream_not_found',
    })
  })
})

it('a response without a program result is an upstream_error for every driver', async () => {
  const works = [
    { command: 'ls' },
    { code: 'f()', language: 'python' },
    { code: 'f()', language: 'javascript' },
  ] as const
  for (const body of [
    '',
    '<!doctype html><title>Maintenance</title>',
    '{}',
    '[]',
    '{"error":"busy"}',
    '{"message":"x"}\n',
    'null',
  ]) {
    for (const work of works) {
      for (const one of [
        boxa,
        boxc,
        createBoxd(systemClock),
        ...('code' in work && work.language === 'python' ? [] : [createBoxb(0)]),
      ]) {
        const ask = async (): Promise<Reply> => ({
          status: 200,
          headers: {},
          body: parseBody(body),
        })
        const ran = one.run(ask, { id: 'i', session: 's' }, work, 60, { TEAM_ID: 'team' }, () =>
          assert.fail('it uses plain requests'),
        )
        await assert.rejects(ran, { code: 'upstream_error' }, `${body} of ${JSON.stringify(work)}`)
      }
    }
  }
})

it('a request that waits for the caller’s program is marked with runsProgram', async () => {
  for (const [one, body] of [
    [boxa, lines({ type: 'stdout', text: '' })],
    [boxc, lines({ command: { exitCode: 0 } })],
  ] as const) {
    const wires: WireRequest[] = []
    const ask = async (wire: WireRequest): Promise<Reply> => ({
      status: 200,
      headers: {},
      body: wires.push(wire) > 0 ? body : '',
    })
    await one.run(
      ask,
      { id: 'i', session: 's' },
      { code: 'while True: pass', language: 'python' },
      60,
      { TEAM_ID: 'team' },
      () => assert.fail('it uses plain requests'),
    )
    assert.deepEqual(
      wires.map(({ runsProgram }) => runsProgram),
      [true],
    )
  }
})

describe('boxd', () => {
  const handle = { id: 'dbx_1' }

  it('creates a devbox and closes it', async () => {
    const asked = respond(() => ({ body: { id: 'dbx_1', status: 'running' } }))
    assert.deepEqual(await box('boxd').create({ ...order, template: 'blue' }), handle)
    await box('boxd').close(handle)
    assert.deepEqual(
      asked.map(({ method, path, body }) => [method, path, body]),
      [
        [
          'POST',
          '/v1/devboxes/create_and_await_running',
          {
            blueprint_name: 'blue',
            environment_variables: { A: '1' },
            metadata: { tollgate_session: 'ses_x' },
            launch_parameters: { resource_size_request: 'SMALL', keep_alive_time_seconds: 1200 },
          },
        ],
        ['POST', '/v1/devboxes/dbx_1/shutdown?force=true', {}],
      ],
    )
  })

  it('finds its devboxes in all pages of running ones', async () => {
    const asked = respond(({ path }) => ({
      body: path.includes('starting_after')
        ? { devboxes: [{ id: 'd3', metadata: { tollgate_session: 'ses_x' } }], has_more: false }
        : {
            devboxes: [
              { id: 'd1', metadata: { tollgate_session: 'ses_x' } },
              { id: 'd2', metadata: {} },
            ],
            has_more: true,
          },
    }))
    assert.deepEqual(await box('boxd').find('x'), [{ id: 'd1' }, { id: 'd3' }])
    assert.deepEqual(
      asked.map(({ path }) => path),
      [
        '/v1/devboxes?status=running&limit=100',
        '/v1/devboxes?status=running&limit=100&starting_after=d2',
      ],
    )
  })

  it('polls a command until it has ended', async () => {
    let polls = 0
    const asked = respond(({ path }) => {
      if (path.includes('/execute?')) return { body: { execution_id: 'e1', status: 'running' } }
      polls += 1
      return polls === 1
        ? { status: 408, body: {} }
        : {
            body: {
              execution_id: 'e1',
              status: 'completed',
              exit_status: 2,
              stdout: 'o',
              stderr: 'e',
            },
          }
    })
    assert.deepEqual(await box('boxd').run(handle, { command: 'ls' }, signal), {
      stdout: 'o',
      stderr: 'e',
      exitCode: 2,
    })
    assert.deepEqual(
      asked.map(({ path }) => path),
      [
        '/v1/devboxes/dbx_1/execute?last_n=10000',
        ...Array<string>(2).fill('/v1/devboxes/dbx_1/executions/e1/wait_for_status?last_n=10000'),
      ],
    )
  })

  it('gives each command its own UUID of version 7, which the vendor requires', async () => {
    const asked = respond(() => ({
      body: { execution_id: 'e1', status: 'completed', exit_status: 0 },
    }))
    for (const command of ['ls', 'ls']) await box('boxd').run(handle, { command }, signal)
    const names = asked.map(({ body }) => (body as { command_id: string }).command_id)
    for (const name of names)
      assert.match(name, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(new Set(names).size, 2)
  })

  it('ends a command after its time limit, with exit code 124', async () => {
    const asked = respond(({ path }) =>
      path.includes('wait_for_status')
        ? { status: 408, body: {} }
        : { body: { execution_id: 'e1', status: 'running', stdout: 'so far' } },
    )
    assert.deepEqual(await box('boxd').run(handle, { command: 'sleep 999' }, signal), {
      stdout: 'so far',
      stderr: '',
      exitCode: 124,
    })
    assert.equal(asked.at(-1)?.path, '/v1/devboxes/dbx_1/executions/e1/kill')
  })

  it('runs code from a file', async () => {
    const asked = respond(({ path }) => ({
      body: path.includes('execute')
        ? { execution_id: 'e1', status: 'completed', exit_status: 0, stdout: '1\n' }
        : {},
    }))
    await box('boxd').run(handle, { code: 'print(1)', language: 'python' }, signal)
    const { file_path: file, contents } = asked[0]?.body as { file_path: string; contents: string }
    assert.deepEqual(
      [contents, (asked[1]?.body as { command: string }).command],
      ['print(1)', `python3 ${file}`],
    )
  })
})

describe('boxd snapshots', () => {
  const snapshots = (): NonNullable<ReadyBox['snapshots']> =>
    box('boxd').snapshots ?? assert.fail('the driver has snapshots')

  it('are ordered with their id as the name, polled, and deleted, even if they are gone', async () => {
    const asked = respond(({ path }) =>
      path.endsWith('_async')
        ? { body: { id: 'snp/1' } }
        : path.endsWith('/delete')
          ? { status: 404, body: {} }
          : { body: { status: 'complete' } },
    )
    assert.equal(await snapshots().order({ id: 'dbx_1' }, 'x'), 'snp/1')
    await snapshots().wait('snp/1', signal)
    await snapshots().delete('snp/1')
    assert.deepEqual(
      asked.map(({ method, path, body }) => [method, path, body]),
      [
        ['POST', '/v1/devboxes/dbx_1/snapshot_disk_async', { name: 'snap_x' }],
        ['GET', '/v1/devboxes/disk_snapshots/snp%2F1/status', undefined],
        ['POST', '/v1/devboxes/disk_snapshots/snp%2F1/delete', {}],
      ],
    )
  })

  it('start a devbox instead of a blueprint', async () => {
    const asked = respond(() => ({ body: { id: 'dbx_1' } }))
    await box('boxd').create({ ...order, snapshot: 'snp_1' })
    const { snapshot_id: snapshot, blueprint_name: template } = asked[0]?.body as Record<
      string,
      unknown
    >
    assert.deepEqual([snapshot, template], ['snp_1', undefined])
  })

  it('are polled until the vendor has finished, and fail with the vendor’s message', async () => {
    const states = [
      { status: 'in_progress' },
      { status: 'in_progress' },
      { status: 'error', error_message: 'full disk' },
    ]
    const wires: WireRequest[] = []
    const ask = async (wire: WireRequest): Promise<Reply> => ({
      status: 200,
      headers: {},
      body: states[wires.push(wire) - 1],
    })
    await assert.rejects(async () => createBoxd(systemClock).snapshots?.wait(ask, 'snp_1'), {
      code: 'upstream_error',
      message: 'The vendor could not take the snapshot: full disk. Nothing was charged.',
    })
    assert.deepEqual(
      wires.map(({ afterMs }) => afterMs),
      [undefined, 2000, 2000],
    )
    for (const body of [{}, { status: 'deleted' }]) {
      respond(() => ({ body }))
      await assert.rejects(snapshots().wait('snp_1', signal), { code: 'upstream_error' })
    }
    await assert.rejects(
      snapshots().order({ id: 'dbx_1' }, 'x'),
      { code: 'upstream_error' },
      'a reply without an id is a failure',
    )
  })

  it('are found by name in all pages of the operator’s snapshots', async () => {
    const asked = respond(({ path }) => ({
      body: path.includes('starting_after')
        ? { snapshots: [{ id: 's3', name: 'snap_x' }], has_more: false }
        : {
            snapshots: [
              { id: 's1', name: 'snap_x' },
              { id: 's2', name: 'nightly' },
            ],
            has_more: true,
          },
    }))
    assert.deepEqual(await snapshots().find('x'), ['s1', 's3'])
    assert.deepEqual(
      asked.map(({ path }) => path),
      [
        '/v1/devboxes/disk_snapshots?limit=100',
        '/v1/devboxes/disk_snapshots?limit=100&starting_after=s2',
      ],
    )
  })

  it('exist in one process if simulated, and are not found in another', async () => {
    const [one, other] = [
      createReadyBoxes(lanes.targetOf, systemClock)('boxd', 'test', 'a'),
      boxFor('boxd', 'test', 'a'),
    ]
    const reference = await one?.snapshots?.order({ id: 'm' }, 'y')
    assert.deepEqual(await one?.create({ ...order, snapshot: reference }), { id: 'x' })
    await assert.rejects(async () => other?.create({ ...order, snapshot: reference }), {
      code: 'upstream_not_found',
    })
  })
})

it('closing a machine that the vendor no longer has succeeds', async () => {
  respond(() => ({ status: 404, body: { message: 'not found' } }))
  for (const service of ['boxa', 'boxb', 'boxc', 'boxd', 'boxe'])
    await assert.doesNotReject(async () => box(service).close({ id: 'i', session: 's', name: 'n' }))
})

it('failing machines of one account open the circuit breaker for that account only', async () => {
  const store = {
    take: () => assert.fail('nothing is limited'),
    pause: async () => {},
    pauses: async () => [],
  }
  const gate = new Gate({
    limiter: new Limiter({
      label: 'boxa',
      allowance: null,
      store,
      now: systemClock,
      alarm: () => () => {},
    }),
    now: systemClock,
    onPause: () => {},
  })
  const gated = createReadyBoxes(
    createLanes({ ...sources, gates: { gateOf: () => gate } }).targetOf,
    systemClock,
  )
  const run = async (accountId: string): Promise<unknown> =>
    gated('boxa', 'live', accountId)?.run(
      { id: 'i9x', token: 't', traffic: '' },
      { code: '1', language: 'python' },
      signal,
    )
  respond(() => ({ status: 502, body: {} }))
  for (let time = 0; time < 5; time += 1) await assert.rejects(run('a'), { code: 'upstream_error' })
  await assert.rejects(run('a'), { code: 'upstream_busy' })
  respond(() => ({ body: lines({ type: 'stdout', text: 'hi' }) }))
  assert.deepEqual(await run('b'), { stdout: 'hi', stderr: '', exitCode: 0 })
})
