import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { startAgain } from '../../test/harness/start-again.ts'
import { connectDatabase } from './database.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

function newFolder(...inside: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-embedded-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, ...inside)
}

test('committed rows are there after a stop and a start, and only this user can reach the socket', async () => {
  // Long enough that the socket has to live elsewhere.
  const folder = newFolder('a'.repeat(60), 'b'.repeat(60))
  mkdirSync(folder, { recursive: true })
  assert.equal(await findEmbeddedPostgres(folder), null)
  const first = await startEmbeddedPostgres({ folder })
  cleanUp(() => rmSync(first.address.host, { recursive: true, force: true }))
  const database = connectDatabase(first.address, { poolSize: 1 })
  await database.query('create table kept as select 1 as one')
  await database.close()
  await first.stop()
  assert.equal(await findEmbeddedPostgres(folder), null)

  const second = await startEmbeddedPostgres({ folder })
  const again = connectDatabase(second.address, { poolSize: 1 })
  assert.deepEqual((await again.query('select one from kept')).rows, [{ one: 1 }])
  await again.close()
  assert.equal(statSync(second.address.host).mode & 0o777, 0o700)
  await second.stop()
  await second.stop()
})

test(
  'a folder of another user is left as it is, with who is to run the command instead of advice to remove it',
  { skip: process.getuid?.() === 0 ? false : 'only root can give a folder away' },
  async () => {
    const folder = newFolder('postgres')
    mkdirSync(folder)
    chownSync(folder, 65_534, 65_534)
    await assert.rejects(startEmbeddedPostgres({ folder }), {
      message: `${folder} belongs to the gateway of another user, whose id is 65534. Run this as that user (docs/operating.md shows how), or set another DATA_DIR.`,
    })
    assert.deepEqual(readdirSync(folder), [])
  },
)

test('a start on a folder that is served joins it, and its stop leaves the server to its owner', async () => {
  const folder = newFolder()
  const owner = await startEmbeddedPostgres({ folder, unsafeFast: true })
  const guest = await startEmbeddedPostgres({ folder })
  assert.deepEqual([owner.owned, guest.owned, guest.address], [true, false, owner.address])
  await guest.stop()
  assert.deepEqual(await findEmbeddedPostgres(folder), owner.address)
  await owner.stop()
})

test('a server that does not heed a request to stop is ended, and nothing committed is lost', async () => {
  const folder = newFolder()
  const stuck = await startEmbeddedPostgres({ folder, stopPatienceMs: 20 })
  const database = connectDatabase(stuck.address, { poolSize: 1 })
  await database.query('create table kept as select 1 as one')
  await database.close()
  // Stopped by the kernel, the server hears nothing but SIGKILL.
  process.kill(
    Number.parseInt(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10),
    'SIGSTOP',
  )
  await stuck.stop()
  const next = await startAgain(folder)
  const again = connectDatabase(next.address, { poolSize: 1 })
  assert.deepEqual((await again.query('select one from kept')).rows, [{ one: 1 }])
  await again.close()
  await next.stop()
})

test(
  'the server sees nothing of the settings and credentials of the gateway',
  { skip: process.platform === 'linux' ? false : 'there is no /proc' },
  async () => {
    const folder = newFolder()
    process.env['UPSTREAM_TEST_KEY'] = 'secret'
    const server = await startEmbeddedPostgres({ folder, unsafeFast: true }).finally(
      () => delete process.env['UPSTREAM_TEST_KEY'],
    )
    const pid = Number.parseInt(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10)
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .flatMap((pair) => pair.split('=')[0] || [])
    await server.stop()
    assert.ok(names.includes('PATH'), names.join(' '))
    assert.deepEqual(
      names.filter((name) => !/^(PATH|LD_LIBRARY_PATH|TZ|MALLOC_\w+_)$/.test(name)),
      [],
    )
  },
)

const START = `
  const { startEmbeddedPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'embedded-postgres.ts'))})
  const server = await startEmbeddedPostgres({ folder: process.argv[1], unsafeFast: true })
  console.log(server.owned ? 'owner' : 'guest')
  process.stdin.once('data', async () => { await server.stop(); process.exit() })`

test('of processes that start at once on an empty folder one serves and the others join', async () => {
  const folder = newFolder()
  const children = [1, 2, 3].map(() =>
    spawn(process.execPath, ['--input-type=module', '-e', START, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  cleanUp(() => children.forEach((child) => child.kill()))
  const said = await Promise.all(
    children.map(
      (child) =>
        new Promise<string>((heard) =>
          child
            .once('exit', () => heard('nothing'))
            .stdout.once('data', (chunk: Buffer) => heard(chunk.toString().trim())),
        ),
    ),
  )
  assert.deepEqual(said.toSorted(), ['guest', 'guest', 'owner'])
  assert.deepEqual(readdirSync(folder).toSorted(), ['data', 'postgres.log', 'socket'])
  await Promise.all(
    children.map(
      (child) => new Promise((ended) => child.once('exit', ended).stdin.write('stop\n')),
    ),
  )
})
