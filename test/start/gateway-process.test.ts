import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { newSecret } from '../../src/keys/format.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { dataFolder, startGateway } from '../harness/clients/gateway-process.ts'
import { startVendor } from '../harness/vendors/vendor.ts'

const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }

async function search(
  url: string,
  key: string,
): Promise<{ status: number; body: { ok: boolean; charged_cents: number } }> {
  const reply = await fetch(`${url}/api/run/semantic/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"query":"x"}',
  })
  return {
    status: reply.status,
    body: (await reply.json()) as { ok: boolean; charged_cents: number },
  }
}

async function balanceCents(url: string, key: string): Promise<number> {
  const reply = await fetch(`${url}/api/v1/balance`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return ((await reply.json()) as { data: { balance_cents: number } }).data.balance_cents
}

const keyIn = (text: string, mode: string): string =>
  new RegExp(`tg_${mode}_[0-9A-Za-z]{38}`).exec(text)?.[0] ?? ''

describe('npm start', () => {
  it('shows keys once, and balances survive a stop and a SIGKILL', async () => {
    const vendor = await startVendor()
    vendor.answerWith(() => ({ body: FOUND }))
    const environment = {
      DATA_DIR: dataFolder(),
      UPSTREAM_SEMANTIC_URL: vendor.url,
      UPSTREAM_SEMANTIC_KEY: 'k',
    }
    const first = await startGateway(environment)
    const key = keyIn(first.output(), 'live')
    assert.notEqual(keyIn(first.output(), 'test'), '')
    assert.match(first.output(), /curl -s/)
    assert.match(first.output(), /people link --account owner@localhost/)
    assert.ok(
      first.output().includes(`${first.url}/welcome?token=`),
      'a link that signs the owner in, at the address of this gateway',
    )
    assert.equal((await search(first.url, key)).body.charged_cents, 1)
    assert.equal(await first.end('SIGTERM'), 0)

    const second = await startGateway(environment)
    assert.doesNotMatch(second.output(), /tg_live_/)
    assert.equal(await balanceCents(second.url, key), 199)
    assert.equal((await search(second.url, key)).body.charged_cents, 1)
    await second.end('SIGKILL')

    const third = await startGateway(environment)
    assert.equal(await balanceCents(third.url, key), 198)
    assert.equal(await third.end('SIGTERM'), 0)
  })

  for (const launcher of ['launcher', 'npm'] as const)
    it(`ends when its ${launcher} is killed, and starts again on the same port`, async () => {
      const DATA_DIR = dataFolder()
      const first = await startGateway({ DATA_DIR }, launcher)
      const { port } = new URL(first.url)
      await first.end('SIGKILL')
      const second = await startGateway({ DATA_DIR, PORT: port })
      assert.equal(second.url, first.url)
      assert.equal(await second.end('SIGTERM'), 0)
    })

  it('starts immediately after SIGKILL of the gateway and its PostgreSQL, twice', async () => {
    const DATA_DIR = dataFolder()
    const { url, end, output } = await startGateway({ DATA_DIR })
    const key = keyIn(output(), 'live')
    const PORT = new URL(url).port
    let endLast = end
    for (let round = 0; round < 2; round += 1) {
      const lock = readFileSync(join(DATA_DIR, 'postgres/data/postmaster.pid'), 'utf8')
      process.kill(Number.parseInt(lock, 10), 'SIGKILL')
      await endLast('SIGKILL')
      const next = await startGateway({ DATA_DIR, PORT })
      assert.equal(await balanceCents(next.url, key), 200, `round ${round}`)
      endLast = next.end
    }
    assert.equal(await endLast('SIGTERM'), 0)
  })

  it('finishes a call in flight before it stops and accepts no new one', async () => {
    const vendor = await startVendor()
    let finish = (): void => undefined
    const asked = new Promise<void>((started) => {
      vendor.answerWith(async () => {
        started()
        await new Promise<void>((done) => (finish = done))
        return { body: FOUND }
      })
    })
    const gateway = await startGateway({
      DATA_DIR: dataFolder(),
      UPSTREAM_SEMANTIC_URL: vendor.url,
      UPSTREAM_SEMANTIC_KEY: 'k',
    })
    const call = search(gateway.url, keyIn(gateway.output(), 'live'))
    await asked
    const stopped = gateway.end('SIGTERM')
    finish()
    assert.deepEqual(await call.then(({ status, body }) => [status, body.charged_cents]), [200, 1])
    assert.equal(await stopped, 0)
    await assert.rejects(fetch(`${gateway.url}/healthz`))
  })

  it('reads TOLLGATE_OWNER_KEY without printing it, and a later start reports another one', async () => {
    const key = newSecret('live')
    const DATA_DIR = dataFolder()
    const gateway = await startGateway({ DATA_DIR, TOLLGATE_OWNER_KEY: key })
    assert.equal(await balanceCents(gateway.url, key), 200)
    assert.match(gateway.output(), /"Authorization: Bearer \$TOLLGATE_OWNER_KEY"/)
    assert.ok(!gateway.output().includes(key))
    await gateway.end('SIGTERM')
    for (const [given, isIgnored] of [
      [key, false],
      [newSecret('live'), true],
    ] as const) {
      const again = await startGateway({ DATA_DIR, TOLLGATE_OWNER_KEY: given })
      await again.end('SIGTERM')
      assert.equal(
        /TOLLGATE_OWNER_KEY is not a key of the owner account/.test(again.output()),
        isIgnored,
      )
      assert.ok(!again.output().includes(given))
    }
  })

  it('two concurrent starts on one empty folder create one owner, and both answer', async () => {
    const environment = { DATA_DIR: dataFolder() }
    const [one, two] = await Promise.all([startGateway(environment), startGateway(environment)])
    const key = keyIn(one.output() + two.output(), 'live')
    assert.deepEqual(
      [await balanceCents(one.url, key), await balanceCents(two.url, key)],
      [200, 200],
    )
    assert.equal((one.output() + two.output()).match(/Welcome to Tollgate/g)?.length, 1)
    await Promise.all([one.end('SIGTERM'), two.end('SIGTERM')])
  })

  it('shows the keys at the start that succeeds when the one before met a taken port', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    cleanUp(() => blocker.close())
    await new Promise((ready) => blocker.once('listening', ready))
    const { port } = blocker.address() as AddressInfo
    const DATA_DIR = dataFolder()
    await assert.rejects(
      startGateway({ DATA_DIR, PORT: String(port) }),
      new RegExp(`tollgate: Port ${port} on 127.0.0.1 is used by another program`),
    )
    const gateway = await startGateway({ DATA_DIR })
    assert.equal(await balanceCents(gateway.url, keyIn(gateway.output(), 'live')), 200)
    await gateway.end('SIGTERM')
  })

  it('rejects flags and names the environment as the source of settings', () => {
    for (const command of ['start', 'serve', 'work']) {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [join(import.meta.dirname, '../../run.mjs'), command, '--port', '80'],
        { encoding: 'utf8' },
      )
      assert.deepEqual([status, stdout], [2, ''])
      assert.match(
        stderr,
        new RegExp(
          `^tollgate: "${command}" takes no "--port"\\. Its settings come from the environment: PORT, `,
        ),
      )
    }
  })

  it('names the user who must install a read-only checkout', () => {
    const checkout = dataFolder()
    mkdirSync(join(checkout, 'packages/cli'), { recursive: true })
    for (const name of ['run.mjs', 'bundle.mjs', 'package-lock.json', 'packages/cli/commands.json'])
      copyFileSync(join(import.meta.dirname, '../..', name), join(checkout, name))
    chmodSync(checkout, 0o555)
    // Root may write everywhere.
    const asSomebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const { status, stderr } = spawnSync('node', [join(checkout, 'run.mjs'), 'start'], {
      encoding: 'utf8',
      ...asSomebody,
    })
    chmodSync(checkout, 0o755)
    assert.equal(status, 1, stderr)
    assert.match(
      stderr,
      /^tollgate: its dependencies are not installed [^\n]+ Run "\.\/tollgate help" there once as the user who owns it\.\n$/,
    )
  })

  it('rejects invalid settings, a malformed owner key and an unusable folder in one line', async () => {
    const DATA_DIR = join(dataFolder(), 'a-file')
    writeFileSync(DATA_DIR, '')
    await assert.rejects(
      startGateway({ DATA_DIR }),
      /ended with 1: tollgate: The data folder cannot be used: [^\n]+ Make it writable for this user, or set DATA_DIR to another folder\.\n$/,
    )
    await assert.rejects(
      startGateway({ PORT: 'many' }),
      /ended with 1: tollgate: PORT="many" is invalid: it must be a whole number from 0 to 65535\.\n$/,
    )
    await assert.rejects(
      startGateway({ DATA_DIR: dataFolder(), TOLLGATE_OWNER_KEY: 'tg_live_short' }),
      /tollgate: TOLLGATE_OWNER_KEY is not a well-formed live key/,
    )
  })
})
