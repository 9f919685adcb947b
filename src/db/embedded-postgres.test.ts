import assert from 'node:assert/strict'
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { startAgain } from '../../test/harness/beds/start-again.ts'
import { connectDatabase } from './database.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

function newFolder(...inside: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-embedded-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, ...inside)
}

test('keeps committed rows over a restart, behind a socket of this user', async () => {
  // Too long for a socket.
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
  'does not change the folder of another user, and names that user',
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

test('joins a running server, and leaves it to its owner', async () => {
  const folder = newFolder()
  const owner = await startEmbeddedPostgres({ folder, unsafeFast: true })
  const guest = await startEmbeddedPostgres({ folder })
  assert.deepEqual([owner.owned, guest.owned, guest.address], [true, false, owner.address])
  await guest.stop()
  assert.deepEqual(await findEmbeddedPostgres(folder), owner.address)
  await owner.stop()
})

test('ends a server that ignores the stop signal, without losing a commit', async () => {
  const folder = newFolder()
  const stuck = await startEmbeddedPostgres({ folder, stopTimeoutMs: 20 })
  const database = connectDatabase(stuck.address, { poolSize: 1 })
  await database.query('create table kept as select 1 as one')
  await database.close()
  // A process stopped by the kernel receives only SIGKILL.
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
  'the server gets no settings or credentials of the gateway',
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

function startInChild(folder: string): ChildProcessByStdio<Writable, Readable, null> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', START, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  cleanUp(() => child.kill('SIGKILL'))
  return child
}

const firstLine = (child: ChildProcessByStdio<Writable | null, Readable, null>): Promise<string> =>
  new Promise((heard) =>
    child
      .once('exit', () => heard('nothing'))
      .stdout.once('data', (chunk: Buffer) => heard(chunk.toString().trim())),
  )

const pidFile = (folder: string): string => join(folder, 'data', 'postmaster.pid')

test('starts immediately after SIGKILL of the process and its server, five times', async () => {
  const folder = newFolder()
  for (let round = 0; round < 5; round += 1) {
    const child = startInChild(folder)
    assert.equal(await firstLine(child), 'owner', `round ${round}`)
    const server = Number.parseInt(readFileSync(pidFile(folder), 'utf8'), 10)
    process.kill(server, 'SIGKILL')
    child.kill('SIGKILL')
  }
  const last = await startEmbeddedPostgres({ folder, unsafeFast: true })
  assert.equal(last.owned, true)
  await last.stop()
})

/** Runs a shell command that prints a process id and then does not wait for that process. */
async function pidFrom(command: string): Promise<string> {
  const shell = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] })
  cleanUp(() => shell.kill('SIGKILL'))
  return firstLine(shell)
}

test(
  'starts when the holder of its locks is a zombie or another program',
  { skip: process.platform === 'linux' ? false : 'there is no /proc' },
  async () => {
    const folder = newFolder()
    const first = await startEmbeddedPostgres({ folder, unsafeFast: true })
    const locks = [pidFile(folder), join(first.address.host, '.s.PGSQL.5432.lock')]
    const texts = locks.map((lock) => readFileSync(lock, 'utf8'))
    await first.stop()
    const zombie = await pidFrom('true & echo $!; exec sleep 600')
    const stranger = await pidFrom('echo $$; exec sleep 600')
    for (const pid of [zombie, stranger]) {
      for (const [place, lock] of locks.entries())
        writeFileSync(lock, (texts[place] ?? '').replace(/^\d+/, pid), { mode: 0o600 })
      const next = await startEmbeddedPostgres({ folder, unsafeFast: true })
      assert.equal(next.owned, true)
      await next.stop()
    }
  },
)

test(
  'reports the reason of a running server that rejects connections, and starts no second one',
  { skip: process.platform === 'linux' ? false : 'there is no /proc' },
  async () => {
    const folder = newFolder()
    const first = await startEmbeddedPostgres({ folder, unsafeFast: true })
    const lock = readFileSync(pidFile(folder), 'utf8')
    await first.stop()
    // A program with PostgreSQL's name, and a socket that answers like PostgreSQL on a full disk.
    const program = join(folder, 'postgres')
    copyFileSync('/bin/sleep', program)
    const holder = spawn(program, ['600'], { stdio: 'ignore' })
    cleanUp(() => holder.kill('SIGKILL'))
    const held = lock.replace(/^\d+/, String(holder.pid))
    writeFileSync(pidFile(folder), held, { mode: 0o600 })
    const fields = 'SFATAL\0C53100\0Mcould not write init file: No space left on device\0\0'
    const head = Buffer.from('E\0\0\0\0')
    head.writeInt32BE(fields.length + 4, 1)
    const full = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(Buffer.concat([head, Buffer.from(fields)])))
    })
    const socket = join(first.address.host, '.s.PGSQL.5432')
    await new Promise<void>((ready) => full.listen(socket, ready))
    cleanUp(() => full.close())
    await assert.rejects(startEmbeddedPostgres({ folder }), {
      name: 'StartError',
      message: `PostgreSQL runs in ${folder}/data, but accepts no new connection: could not write init file: No space left on device. Free some space on its disk and try again.`,
    })
    assert.equal(readFileSync(pidFile(folder), 'utf8'), held)
  },
)

test('one of several processes starts the server on an empty folder, and the others join', async () => {
  const folder = newFolder()
  const children = [1, 2, 3].map(() => startInChild(folder))
  const said = await Promise.all(children.map(firstLine))
  assert.deepEqual(said.toSorted(), ['guest', 'guest', 'owner'])
  assert.deepEqual(readdirSync(folder).toSorted(), ['data', 'postgres.log', 'socket'])
  await Promise.all(
    children.map(
      (child) => new Promise((ended) => child.once('exit', ended).stdin.write('stop\n')),
    ),
  )
})
