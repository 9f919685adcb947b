import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { findOwner } from '../../src/accounts/find-account.ts'
import { grantCredit } from '../../src/accounts/grant-credit.ts'
import { cents } from '../../src/lib/money.ts'
import { machineId } from '../../src/lib/machine/machine-id.ts'
import { findTestIsolation } from '../../src/resources/boxes/testing/find-isolation.ts'
import { makeDevice } from '../../src/resources/boxes/testing/make-device.ts'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { eventually } from '../harness/eventually.ts'
import { cloneDatabase, databaseUrl } from '../harness/postgres.ts'
import { openFireBed, type FireBed } from './bed.ts'

type Answer = {
  readonly ok: boolean
  readonly data?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: string; readonly param: string | null }
  readonly charged_micros: number
}

const data = dataFolder()
const { skip } = await findTestIsolation()
let settings: Readonly<Record<string, string>> = {}
let gateway: GatewayProcess
let key = ''
let bed: FireBed
const device = makeDevice()
const SITE = '127.77.0.3'
const site = createServer((request, response) => response.end(`page of ${request.url}`))

async function call(
  action: string,
  body: object,
  { url = gateway.url, as = key } = {},
): Promise<Answer & { readonly retryAfter: string | null; readonly status: number }> {
  const reply = await fetch(`${url}/api/run/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return {
    ...((await reply.json()) as Answer),
    retryAfter: reply.headers.get('retry-after'),
    status: reply.status,
  }
}

async function create(body: object = {}): Promise<string> {
  const { data: made, ...rest } = await call('sandbox/sandbox-create', body)
  assert.ok(made !== undefined, JSON.stringify(rest))
  return String(made['sandbox_id'])
}

async function execute(id: string, command: unknown, options = {}): Promise<Answer['data']> {
  const ran = await call('sandbox/sandbox-exec', { sandbox_id: id, command }, options)
  assert.ok(ran.ok, JSON.stringify(ran))
  return ran.data
}

/** The processes that have boxes. */
function boxesIn(homes: string): readonly string[] {
  return readdirSync(homes).filter(
    (name) => /^[0-9a-f]{8}$/.test(name) && readdirSync(join(homes, name)).length > 0,
  )
}

/** Control groups of the boxes of this test. */
function groupsOf(home: string): readonly string[] {
  return readdirSync(home).flatMap((box) => {
    const file = join(home, box, 'groups.json')
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : []
  })
}

describe('sandboxes of the gateway', { skip }, () => {
  before(async () => {
    const { database, target } = await cloneDatabase()
    settings = {
      DATABASE_URL: databaseUrl(target),
      DATA_DIR: data,
      IN_HOUSE: 'sandboxes',
      BOX_MAX: '3',
      BOX_MAX_PER_ACCOUNT: '3',
      BOX_MEMORY_MB: '256',
      BOX_DISK_MB: '32',
      BOX_UNLIMITED: 'true',
      BOX_NETWORK: 'guarded',
      LOG_LEVEL: 'info',
      ALLOW_PRIVATE_NETWORKS: `${SITE}/32`,
      ...(device === null ? {} : { BOX_GPUS: `T4=${device}` }),
    }
    gateway = await startGateway(settings)
    bed = await openFireBed({ database, target })
    key = /tg_live_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
    const owner = await findOwner(database)
    assert.ok(owner !== null)
    await grantCredit(
      { database, now: Date.now },
      { accountId: owner.accountId, mode: 'live', amount: cents('2000') },
    )
  })

  it('rejects a GPU and an unknown image by the name of the field, free', async () => {
    for (const [body, param] of [
      [{ gpu: 'H100' }, 'gpu'],
      [{ image: 'python:3.13-slim' }, 'image'],
      [{ image: '../../../etc' }, 'image'],
    ] as const) {
      const { error, charged_micros: charged } = await call('sandbox/sandbox-create', body)
      assert.deepEqual([error?.code, error?.param, charged], ['invalid_params', param, 0])
    }
  })

  it('runs commands, keeps files, reports its isolation and ends on request', async () => {
    const id = await create()
    assert.deepEqual(await execute(id, 'echo out; echo err >&2; echo $((1+1)) >n; exit 3'), {
      stdout: 'out\n',
      stderr: 'err\n',
      returncode: 3,
    })
    assert.equal((await execute(id, ['cat', 'n']))?.['stdout'], '2\n')
    const running = await call('sandbox/sandbox-status', { sandbox_id: id })
    assert.equal(running.data?.['status'], 'running')
    assert.match(String(running.data['isolation']), /gvisor|namespaces|bubblewrap/)
    assert.equal(running.charged_micros, 10_000)
    await call('sandbox/sandbox-terminate', { sandbox_id: id })
    const ended = await call('sandbox/sandbox-status', { sandbox_id: id })
    assert.equal(ended.data?.['status'], 'finished')
    const refused = await call('sandbox/sandbox-exec', { sandbox_id: id, command: 'true' })
    assert.deepEqual([refused.error?.code, refused.charged_micros], ['unknown_sandbox', 0])
  })

  it('reaches allowed hosts through the proxy, logs only the host, and not the gateway', async () => {
    await new Promise<void>((ready) => void site.listen(0, SITE, ready))
    cleanUp(() => site.close().closeAllConnections())
    const host = `${SITE}:${(site.address() as AddressInfo).port}`
    const id = await create()
    const ask = (url: string): string =>
      `perl -MSocket -e 'socket(S, 2, 1, 0); connect(S, sockaddr_in(3128, inet_aton("127.0.0.1"))) or die; syswrite(S, "GET ${url} HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\n\\r\\n"); print while <S>'`
    const page = await execute(id, ask(`http://${host}/path?secret=1`))
    assert.match(String(page?.['stdout']), /^HTTP\/1\.1 200[\s\S]*page of \/path\?secret=1/)
    const own = await execute(id, ask(`${gateway.url}/healthz`))
    assert.match(String(own?.['stdout']), /^HTTP\/1\.1 403/)
    await call('sandbox/sandbox-terminate', { sandbox_id: id })
    await eventually(() => assert.ok(gateway.output().includes(`"host":"${host}"`)))
    assert.ok(!gateway.output().includes('secret=1'))
  })

  it('answers 404 for a sandbox of another account, free', async () => {
    const id = await create()
    const { key: as } = await bed.account('100')
    for (const [action, rest] of [
      ['exec', { command: 'true' }],
      ['status', {}],
      ['terminate', {}],
    ] as const) {
      const other = await call(`sandbox/sandbox-${action}`, { sandbox_id: id, ...rest }, { as })
      assert.deepEqual(
        [other.status, other.error?.code, other.charged_micros],
        [404, 'unknown_sandbox', 0],
        action,
      )
    }
    assert.equal((await execute(id, 'echo mine'))?.['stdout'], 'mine\n')
    await call('sandbox/sandbox-terminate', { sandbox_id: id })
  })

  const noDevices = device === null && 'needs the right to create devices'
  it(
    'gives a GPU to one sandbox at a time, at the price of its tier',
    { skip: noDevices },
    async () => {
      const made = await call('sandbox/sandbox-create', { gpu: 'T4', timeout: 300 })
      assert.ok(made.ok, JSON.stringify(made))
      assert.equal(made.charged_micros, 300 * 164)
      const id = String(made.data?.['sandbox_id'])
      assert.equal((await execute(id, `head -c 4 ${device} | wc -c`))?.['stdout'], '4\n')
      const second = await call('sandbox/sandbox-create', { gpu: 'T4', timeout: 300 })
      assert.deepEqual([second.error?.code, second.charged_micros], ['overloaded', 0])
      await call('sandbox/sandbox-terminate', { sandbox_id: id })
      await eventually(async () => {
        const third = await call('sandbox/sandbox-create', { gpu: 'T4', timeout: 300 })
        assert.ok(third.ok, JSON.stringify(third))
        await call('sandbox/sandbox-terminate', { sandbox_id: third.data?.['sandbox_id'] })
      })
      await bed.assertSound()
    },
  )

  it('ends a sandbox whose first command fails', async () => {
    const id = await create({ command: 'exit 4' })
    await eventually(async () => {
      const { data: state } = await call('sandbox/sandbox-status', { sandbox_id: id })
      assert.deepEqual([state?.['status'], state?.['returncode']], ['failed', 4])
    })
  })

  it('answers overloaded, free, when the machine is full', async () => {
    const homes = join(data, 'boxes', machineId())
    // Boxes of earlier tests are removed after their end was reported.
    await eventually(() => assert.deepEqual(boxesIn(homes), []))
    const ids = await Promise.all([create(), create(), create()])
    const full = await call('sandbox/sandbox-create', {})
    assert.deepEqual([full.error?.code, full.charged_micros], ['overloaded', 0])
    assert.ok(Number(full.retryAfter) > 0)
    await Promise.all(ids.map((id) => call('sandbox/sandbox-terminate', { sandbox_id: id })))
  })

  it('relays calls between processes, and leaves nothing after the end of one', async () => {
    const id = await create()
    await execute(id, 'nohup sleep 1000 >/dev/null 2>&1 &')
    const other = await startGateway(settings, 'serve')
    assert.equal((await execute(id, 'echo here', { url: other.url }))?.['stdout'], 'here\n')
    const homes = join(data, 'boxes', machineId())
    const [home = ''] = boxesIn(homes)
    const groups = groupsOf(join(homes, home))
    const procs = groups.map((group) => readFileSync(join(group, 'cgroup.procs'), 'utf8').trim())
    const pids = procs.join('\n').split('\n').filter(Boolean)
    assert.ok(pids.length > 0 || groups.length === 0)
    await gateway.end('SIGKILL')
    await eventually(() => {
      for (const pid of pids) assert.ok(!existsSync(`/proc/${pid}`), pid)
      for (const group of groups) assert.ok(!existsSync(group), group)
      assert.ok(!existsSync(join(homes, home)))
    })
    assert.ok(!readFileSync('/proc/self/mountinfo', 'utf8').includes(homes))
    const lost = await call(
      'sandbox/sandbox-exec',
      { sandbox_id: id, command: 'true' },
      { url: other.url },
    )
    assert.equal(lost.error?.code, 'unknown_sandbox')
  })
})
