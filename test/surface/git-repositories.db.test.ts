import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createAccount } from '../../src/accounts/create-account.ts'
import { findOwner } from '../../src/accounts/find-account.ts'
import { grantCredit } from '../../src/accounts/grant-credit.ts'
import { cents } from '../../src/lib/money.ts'
import { copyRepositories } from '../../src/resources/git/copy-repositories.ts'
import { cleanUp } from '../harness/clean-up.ts'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import { cloneDatabase, databaseUrl } from '../harness/postgres.ts'

type Ran = { readonly code: number; readonly output: string }
type Answer = {
  readonly ok: boolean
  readonly data?: { readonly repo_id: string; readonly clone_url: string }
  readonly error?: { readonly code: string; readonly fix: string }
  readonly charged_cents: number
}

const folder = mkdtempSync(join(tmpdir(), 'tollgate-git-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))
const data = dataFolder()
let gateway: GatewayProcess
let key = ''
let strangerKey = ''

const IDENTITY = ['-c', 'user.name=Agent', '-c', 'user.email=agent@example.com']

/** Runs the real client, without settings of the machine and without asking for a password. */
function git(args: readonly string[], cwd = folder): Promise<Ran> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
  }
  return new Promise((resolve) => {
    execFile('git', [...IDENTITY, ...args], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
    )
  })
}

async function ran(args: readonly string[], cwd = folder): Promise<string> {
  const { code, output } = await git(args, cwd)
  assert.equal(code, 0, output)
  return output
}

async function call(action: string, body: object, secret = key): Promise<Answer> {
  const reply = await fetch(`${gateway.url}/api/run/gitstore/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await reply.json()) as Answer
}

async function createRepository(): Promise<{ readonly repoId: string; readonly url: string }> {
  const made = await call('repo-create', {})
  assert.ok(made.data !== undefined, JSON.stringify(made))
  return { repoId: made.data.repo_id, url: made.data.clone_url }
}

/** A local repository with one commit of `bytes` random bytes. */
async function workingCopy(name: string, bytes: number): Promise<string> {
  const path = join(folder, name)
  mkdirSync(path)
  await ran(['init', '--quiet', '--initial-branch=main'], path)
  writeFileSync(join(path, 'notes.bin'), randomBytes(bytes))
  await ran(['add', '.'], path)
  await ran(['commit', '--quiet', '--message=Add notes'], path)
  return path
}

before(async () => {
  const { database, target } = await cloneDatabase()
  gateway = await startGateway({
    DATABASE_URL: databaseUrl(target),
    DATA_DIR: data,
    GIT_REPOSITORY_MB: '2',
    LOG_LEVEL: 'info',
  })
  key = /tg_live_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
  const owner = await findOwner(database)
  assert.ok(owner !== null)
  await grantCredit(
    { database, now: Date.now },
    { accountId: owner.accountId, mode: 'live', amount: cents('2000') },
  )
  const stranger = await createAccount(
    { database, now: Date.now },
    { email: 'stranger@example.com', tier: 'personal' },
  )
  strangerKey = stranger.live.key
})

describe('a repository of the gateway', () => {
  it('is bought once, and round-trips push, clone and fetch with the real client', async () => {
    const made = await call('repo-create', { name: 'notes' })
    assert.equal(made.charged_cents, 100)
    const url = made.data?.clone_url ?? ''
    const source = await workingCopy('source', 200_000)
    await ran(['push', '--quiet', url, 'main'], source)
    await ran(['clone', '--quiet', url, 'copy'])
    assert.equal(
      await ran(['rev-parse', 'HEAD'], join(folder, 'copy')),
      await ran(['rev-parse', 'HEAD'], source),
    )
    writeFileSync(join(source, 'second.txt'), 'second')
    await ran(['add', '.'], source)
    await ran(['commit', '--quiet', '--message=Add a second file'], source)
    await ran(['push', '--quiet', url, 'main'], source)
    await ran(['pull', '--quiet', '--ff-only'], join(folder, 'copy'))
    assert.ok(existsSync(join(folder, 'copy', 'second.txt')))
    const found = await call('repo-get', { repo_id: made.data?.repo_id })
    assert.deepEqual([found.data?.clone_url, found.charged_cents], [url, 1])
  })

  it('accepts pushes after a kill left locks and unfinished packs', async () => {
    const { repoId, url } = await createRepository()
    const source = await workingCopy('killed', 1_000)
    await ran(['push', '--quiet', url, 'main', 'main:tmp_idea'], source)
    await ran(['commit', '--quiet', '--allow-empty', '--message=Continue'], source)
    const repository = join(data, 'git', `${repoId}.git`)
    const lock = join(repository, 'refs/heads/main.lock')
    const pack = join(repository, 'objects/tmp_objdir-incoming-x/pack/tmp_pack_x')
    mkdirSync(join(pack, '..'), { recursive: true })
    writeFileSync(pack, randomBytes(2_000_000))
    writeFileSync(lock, '')
    const ageTo = (minutes: number, path: string): void => {
      const then = Date.now() / 1000 - minutes * 60
      utimesSync(path, then, then)
    }
    ageTo(61, join(pack, '../..'))
    ageTo(61, join(repository, 'refs/heads/tmp_idea'))
    ageTo(9, lock)
    assert.match((await git(['push', url, 'main'], source)).output, /failed to update ref|lock/)
    assert.equal(existsSync(pack), false)
    ageTo(11, lock)
    await ran(['push', '--quiet', url, 'main'], source)
    assert.match(await ran(['ls-remote', url]), /refs\/heads\/tmp_idea/)
  })

  it('is closed to wrong tokens and to other repositories', async () => {
    const [one, other] = [await createRepository(), await createRepository()]
    const token = new URL(one.url).password
    for (const url of [
      one.url.replace(token, 'x'.repeat(token.length)),
      other.url.replace(new URL(other.url).password, token),
      one.url.replace(`git:${token}@`, ''),
    ]) {
      const { code, output } = await git(['ls-remote', url])
      assert.notEqual(code, 0, output)
      assert.match(output, /Authentication failed|could not read (Username|Password)/)
    }
    const paths = ['HEAD', 'config', 'objects/info/packs', '../../files', 'git-upload-archive']
    for (const path of paths) {
      const reply = await fetch(`${gateway.url}/git/${one.repoId}.git/${path}`, {
        headers: { authorization: `Basic ${btoa(`git:${token}`)}` },
      })
      assert.ok([404, 405].includes(reply.status), `${path}: ${reply.status}`)
    }
  })

  it('is unknown to other ids, at no charge', async () => {
    const reply = await call('repo-get', { repo_id: `repo_${'0'.repeat(32)}` })
    assert.deepEqual([reply.error?.code, reply.charged_cents], ['unknown_repo', 0])
  })

  it('rejects a push that does not fit, and then a smaller one succeeds', async () => {
    const { url } = await createRepository()
    const { code, output } = await git(
      ['push', url, 'main'],
      await workingCopy('too-large', 3_000_000),
    )
    assert.notEqual(code, 0, output)
    assert.match(output, /maximum allowed size|unpack failed/)
    await ran(['push', '--quiet', url, 'main'], await workingCopy('small', 1_000))
  })

  it('stores no more than its limit from parallel pushes, and serves those that fit', async () => {
    const { repoId, url } = await createRepository()
    const source = await workingCopy('parallel', 600_000)
    const branches = ['main']
    for (const branch of ['b1', 'b2', 'b3', 'b4', 'b5']) {
      await ran(['checkout', '--quiet', '--orphan', branch], source)
      writeFileSync(join(source, 'notes.bin'), randomBytes(600_000))
      await ran(['add', '.'], source)
      await ran(['commit', '--quiet', `--message=Add ${branch}`], source)
      branches.push(branch)
    }
    const pushed = await Promise.all(branches.map((one) => git(['push', url, one], source)))
    assert.equal(pushed.filter(({ code }) => code === 0).length, 3)
    assert.ok(bytesIn(join(data, 'git', `${repoId}.git`)) <= 2_000_000)
  })

  it('counts the index of many small objects', async () => {
    const { repoId, url } = await createRepository()
    const source = await workingCopy('small-objects', 1_500_000)
    for (let at = 0; at < 8_000; at += 1) writeFileSync(join(source, `${at}`), `${at}`)
    await ran(['add', '.'], source)
    await ran(['commit', '--quiet', '--message=Add many'], source)
    const { code, output } = await git(['push', url, 'main'], source)
    assert.notEqual(code, 0)
    assert.match(output, /Its limit is 1953 KiB/)
    assert.ok(bytesIn(join(data, 'git', `${repoId}.git`)) < 100_000)
  })

  it('has a name that is unique in its account only', async () => {
    assert.equal((await call('repo-create', { name: 'diary' })).ok, true)
    assert.equal((await call('repo-create', { name: 'Diary' })).error?.code, 'upstream_rejected')
    assert.equal((await call('repo-create', { name: 'diary' }, strangerKey)).ok, true)
  })

  it('is enabled without a setting, and the start reports it', () => {
    assert.match(gateway.output(), /gitstore stores repositories on this machine/)
  })

  it('refuses Git LFS in words that its client shows', async () => {
    const { repoId, url } = await createRepository()
    const reply = await fetch(`${gateway.url}/git/${repoId}.git/info/lfs/objects/batch`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`git:${new URL(url).password}`)}`,
        'content-type': 'application/vnd.git-lfs+json',
      },
      body: '{"operation":"upload","objects":[]}',
    })
    assert.equal(reply.status, 501)
    assert.match(((await reply.json()) as { message: string }).message, /does not store Git LFS/)
  })

  it('runs no hook, and a push cannot write configuration', async () => {
    const { repoId, url } = await createRepository()
    await ran(['push', '--quiet', url, 'main'], await workingCopy('plain', 100))
    assert.ok(!readdirSync(join(data, 'git', `${repoId}.git`)).includes('hooks'))
  })

  it('is complete in a copy that is made during pushes', async () => {
    const { repoId, url } = await createRepository()
    const source = await workingCopy('busy', 1_000)
    await ran(['push', '--quiet', url, 'main'], source)
    const done = new AbortController()
    const pushing = (async () => {
      for (let count = 0; !done.signal.aborted || count < 3; count += 1) {
        writeFileSync(join(source, `${count}.txt`), `${count}`)
        await ran(['add', '.'], source)
        await ran(['commit', '--quiet', `--message=Add ${count}`], source)
        await ran(['push', '--quiet', url, 'main'], source)
      }
    })()
    const target = join(folder, 'backup')
    await copyRepositories(join(data, 'git'), target)
    done.abort()
    await pushing
    await ran(['fsck', '--full', '--connectivity-only'], join(target, `${repoId}.git`))
    await ran(['clone', '--quiet', join(target, `${repoId}.git`), 'restored'])
  })

  // Last, because it ends the gateway.
  it('leaves no process behind when a client disconnects or the gateway is killed', async () => {
    const { repoId, url } = await createRepository()
    const begin = async (): Promise<Socket> => {
      const { hostname, port, password } = new URL(url)
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      socket.write(
        `POST /git/${repoId}.git/git-upload-pack HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Basic ${btoa(`git:${password}`)}\r\nContent-Type: application/x-git-upload-pack-request\r\nTransfer-Encoding: chunked\r\n\r\n`,
      )
      await untilGitRuns(true)
      return socket
    }
    const leaving = await begin()
    leaving.destroy()
    await untilGitRuns(false)
    const staying = await begin()
    await gateway.end('SIGKILL')
    await untilGitRuns(false)
    staying.destroy()
  })
})

function bytesIn(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

/** Waits until git processes work for the gateway of this test, or until none does. */
async function untilGitRuns(runs: boolean): Promise<void> {
  const limit = AbortSignal.timeout(30_000)
  while (gitProcesses().length > 0 !== runs) {
    assert.ok(!limit.aborted, runs ? 'no git process began' : 'a git process is left')
    await delay(20)
  }
}

function gitProcesses(): string[] {
  const root = `GIT_PROJECT_ROOT=${join(data, 'git')}\0`
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/environ`, 'utf8').includes(root)
    } catch {
      // Ended meanwhile, or of another user.
      return false
    }
  })
}
