import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, test } from 'node:test'
import { closeAccount } from '../../src/accounts/close-account.ts'
import { createAccount } from '../../src/accounts/create-account.ts'
import { pauseAccount, resumeAccount } from '../../src/accounts/pause-account.ts'
import { eraseAccount } from '../../src/app/chores/erase-account.ts'
import { claimDeliveries } from '../../src/events/delivery/claim-deliveries.ts'
import { findCaller } from '../../src/keys/find-caller.ts'
import { createKey } from '../../src/keys/create-key.ts'
import { hashSecret } from '../../src/keys/format.ts'
import { mintChild } from '../../src/keys/children/mint-child.ts'
import { revokeKey } from '../../src/keys/revoke-key.ts'
import { rotateKey } from '../../src/keys/rotate-key.ts'
import { updateKey } from '../../src/keys/update-key.ts'
import { createSlots } from '../../src/lib/fairness/fair-slots.ts'
import { newId } from '../../src/lib/ids.ts'
import { findProgram } from '../../src/lib/machine/find-program.ts'
import type { GitDeps } from '../../src/resources/git/git-deps.ts'
import { cloneUrlFor, openCloneUrl, urlOf } from '../../src/resources/git/clone-urls.ts'
import { createTokens } from '../../src/resources/git/tokens.ts'
import { openAppBed } from '../harness/beds/app.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { eventually } from '../harness/eventually.ts'
import { createFakeBrowsers } from '../harness/fake-browsers.ts'
import { BEARERS, NOT_BEARERS, REVOCATIONS, type Revocation } from './revocation/bearers.ts'
import { buyRepository, OPENERS, openRequest, type Holder } from './revocation/openers.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-revocation-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))
const fake = createFakeBrowsers(200)
let git: GitDeps | undefined
const bed = await openAppBed({
  browsers: fake.own,
  git(database, now) {
    const program = findProgram('git', process.env['PATH'] ?? '')
    assert.ok(program !== null, 'git is installed')
    git = {
      database,
      now,
      program,
      folder,
      tokens: createTokens(Buffer.alloc(32, 1)),
      publicUrl: 'https://gate.example',
      maxBytes: 1_000_000,
      maxRepositories: 100,
      slots: createSlots({ places: 4, waiting: 10, what: 'a git process' }),
    }
    return git
  },
})
const url = await bed.app.listen({ port: 0, host: '127.0.0.1' })
const parts = { database: bed.database, now: bed.clock }
const keys = { ...parts, forget: () => undefined }

async function holderOf(key: string): Promise<Holder> {
  const found = await findCaller(bed.database, hashSecret(key), bed.clock())
  assert.ok(found !== null)
  return { caller: found.caller, key }
}

/** An account with a key, and a key below that one, which holds the bearers. */
async function openHolder() {
  const email = `${newId(bed.clock())}@gate.example.com`
  const { live } = await createAccount(parts, { email, tier: 'personal' })
  const primary = (await holderOf(live.key)).caller
  const parent = await createKey(keys, primary, { may_mint: true })
  const child = await mintChild(keys, (await holderOf(parent.key)).caller, {})
  return { email, primary, parentId: parent.id, childId: child.id, ...(await holderOf(child.key)) }
}
type Opened = Awaited<ReturnType<typeof openHolder>>

const REVOKE: Readonly<Record<Revocation, (opened: Opened) => Promise<unknown>>> = {
  'key revoked': ({ primary, childId }) => revokeKey(keys, primary, childId),
  'key paused': ({ primary, childId }) => updateKey(keys, primary, childId, { paused: true }),
  async 'key expired'({ primary, childId }) {
    const expires = new Date(bed.clock() + 10_000).toISOString()
    await updateKey(keys, primary, childId, { expires_at: expires })
    bed.clock.advance(10_000)
  },
  async 'key rotated'({ primary, childId }) {
    bed.clock.advance(1)
    await rotateKey(keys, primary, childId, { graceSeconds: 0 })
  },
  'parent paused': ({ primary, parentId }) => updateKey(keys, primary, parentId, { paused: true }),
  'parent revoked': ({ primary, parentId }) => revokeKey(keys, primary, parentId),
  'account paused': ({ email }) => pauseAccount(parts, email),
  'account closed': ({ email }) => closeAccount(bed.database, email),
  'account erased': ({ email }) => eraseAccount(parts, email),
}

for (const { name, endedBy, withinMs } of BEARERS)
  describe(`the ${name} of a key`, () => {
    for (const revocation of REVOCATIONS) {
      const ends = (endedBy as readonly Revocation[]).includes(revocation)
      it(`${ends ? 'ends' : 'works on'} with ${revocation}`, async () => {
        assert.ok(git !== undefined)
        const opened = await openHolder()
        const works = await OPENERS[name]({ bed, git, fake, url }, opened)
        assert.equal(await works(), true)
        await REVOKE[revocation](opened)
        await eventually(async () => assert.equal(await works(), !ends), withinMs)
      })
    }
  })

test('every upgrade, signature and token in the source is in the list of bearers', () => {
  const makesBearers =
    /\.(?:on|once)\('upgrade'|createHmac\(|timingSafeEqual\(|newToken\(\)|randomBytes\([^)]*\)\.toString\('base64url'\)/
  const root = join(import.meta.dirname, '../..')
  const found = globSync('src/**/*.ts', { cwd: root })
    .filter((name) => !name.endsWith('.test.ts') && !name.includes('/testing/'))
    .filter((name) => makesBearers.test(readFileSync(join(root, name), 'utf8')))
  const listed = [...BEARERS.flatMap(({ files }) => [...files]), ...Object.keys(NOT_BEARERS)]
  assert.deepEqual(found.toSorted(), [...new Set(listed)].toSorted())
})

test('a resumed account has its repositories and links again, but not its browsers', async () => {
  assert.ok(git !== undefined)
  const opened = await openHolder()
  const world = { bed, git, fake, url }
  const lasting = await Promise.all(
    (['clone URL', 'upload link', 'download link'] as const).map((name) =>
      OPENERS[name](world, opened),
    ),
  )
  const browser = await OPENERS['browser socket'](world, opened)
  await pauseAccount(parts, opened.email)
  assert.equal(await browser(), false)
  await resumeAccount(bed.database, opened.email)
  for (const works of lasting) assert.equal(await works(), true)
  assert.equal(await browser(), false)
})

test('a rotation with a grace period ends a clone URL after the grace', async () => {
  assert.ok(git !== undefined)
  const opened = await openHolder()
  const works = await OPENERS['clone URL']({ bed, git, fake, url }, opened)
  bed.clock.advance(1)
  await rotateKey(keys, opened.primary, opened.childId, { graceSeconds: 60 })
  assert.equal(await works(), true)
  bed.clock.advance(60_000)
  assert.equal(await works(), false)
})

describe('a clone URL', () => {
  const renew = (repoId: string, key: string) =>
    bed.post(`/api/v1/repositories/${repoId}/clone-url`, {}, { authorization: `Bearer ${key}` })

  it('is renewed by its account only; the former one ends, also for another key', async () => {
    assert.ok(git !== undefined)
    const opened = await openHolder()
    const repoId = await buyRepository({ bed, git }, opened.caller)
    const former = urlOf(git, repoId, 0)
    const other = await createKey(keys, opened.primary, {})
    for (const key of [bed.strangerKey, bed.testKey, other.key])
      assert.equal((await renew(repoId, key)).statusCode, 404)
    assert.equal((await renew('repo_unknown', opened.key)).statusCode, 404)
    const renewed = await renew(repoId, opened.key)
    assert.equal(renewed.statusCode, 200)
    const { data } = renewed.json<{ data: { clone_url: string } }>()
    assert.notEqual(data.clone_url, former)
    const passwords = [former, data.clone_url].map((one) => new URL(one).password)
    const opens = await Promise.all(
      passwords.map((password) => openCloneUrl(git ?? assert.fail(), repoId, password)),
    )
    assert.deepEqual(
      opens.map((maker) => maker?.keyId ?? null),
      [null, opened.caller.keyId],
    )
  })

  it('is not renewed by a paused key', async () => {
    assert.ok(git !== undefined)
    const opened = await openHolder()
    const repoId = await buyRepository({ bed, git }, opened.caller)
    await updateKey(keys, opened.primary, opened.childId, { paused: true })
    assert.equal((await renew(repoId, opened.key)).statusCode, 403)
  })

  it('that ended with its key is replaced for another key of the account', async () => {
    assert.ok(git !== undefined)
    const opened = await openHolder()
    const repoId = await buyRepository({ bed, git }, opened.caller)
    const former = urlOf(git, repoId, 0)
    assert.equal(await cloneUrlFor(git, opened.primary, repoId), former)
    await revokeKey(keys, opened.primary, opened.childId)
    const fresh = await cloneUrlFor(git, opened.primary, repoId)
    assert.notEqual(fresh, former)
    const maker = await openCloneUrl(git, repoId, new URL(fresh).password)
    assert.equal(maker?.keyId, opened.primary.keyId)
  })
})

describe('an open request', () => {
  it('of a push or an upload ends within five seconds', async () => {
    assert.ok(git !== undefined)
    const opened = await openHolder()
    const repoId = await buyRepository({ bed, git }, opened.caller)
    const headers = { authorization: `Bearer ${opened.key}` }
    const slot = await bed.post('/api/run/files/upload', { filename: 'a', size_bytes: 9 }, headers)
    const { put_url: link } = slot.json<{ data: { put_url: string } }>().data
    const password = new URL(urlOf(git, repoId, 0)).password
    const requests = [
      await openRequest(`${url}/git/${repoId}.git/git-receive-pack`, 'POST', {
        authorization: `Basic ${btoa(`git:${password}`)}`,
        'content-type': 'application/x-git-receive-pack-request',
      }),
      await openRequest(link.replace('https://gate.example', url), 'PUT', {
        'content-length': '9',
      }),
    ]
    await eventually(async () => {
      const { rows } = await bed.database.query<{ pusher: string | null }>(
        'select pusher from repositories where repo_id = $1',
        [repoId],
      )
      assert.ok(rows[0]?.pusher !== null && readdirSync(bed.files.incoming).length > 0)
    })
    await pauseAccount(parts, opened.email)
    const began = performance.now()
    await Promise.all(requests.map(({ ended }) => ended))
    assert.ok(performance.now() - began < 5_000)
  })

  it('of a stream of calls ends within five seconds, and a wait for events returns none', async () => {
    const opened = await openHolder()
    const headers = { authorization: `Bearer ${opened.key}` }
    const waiting = fetch(`${url}/api/v1/events?wait_s=1`, { headers })
    const stream = await openRequest(`${url}/api/v1/calls/stream`, 'GET', headers)
    await revokeKey(keys, opened.primary, opened.childId)
    const began = performance.now()
    await stream.ended
    assert.ok(performance.now() - began < 5_000)
    assert.equal((await waiting).status, 401)
  })
})

test('deliveries of a paused account wait until it is resumed', async () => {
  const { email, caller } = await openHolder()
  const [id, eventId] = [newId(bed.clock()), newId(bed.clock())]
  await bed.database.query(
    `with event as (insert into events (id, account_id, mode, sequence, type, data, created_ms) values ($2, $3, 'live', 1, 'key.paused', '{}', $4) returning id)
     insert into deliveries (id, event_id, account_id, mode, url, created_ms) select $1, id, $3, 'live', 'https://example.com', $4 from event`,
    [id, eventId, caller.accountId, bed.clock()],
  )
  const claim = async (): Promise<boolean> => {
    const places = { used: {}, slow: [], shares: { account: 10, receiver: 10, slow: 10 } }
    const claimed = await claimDeliveries(bed.database, newId(bed.clock()), 10, places, bed.clock())
    return claimed.some((one) => one.delivery_id === id)
  }
  await pauseAccount(parts, email)
  assert.equal(await claim(), false)
  await resumeAccount(bed.database, email)
  assert.equal(await claim(), true)
})
