import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, test } from 'node:test'
import { closeAccount } from '../../src/accounts/close-account.ts'
import { createAccount } from '../../src/accounts/create-account.ts'
import { pauseAccount, resumeAccount } from '../../src/accounts/pause-account.ts'
import { eraseAccount } from '../../src/app/chores/erase-account.ts'
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
import { createTokens } from '../../src/resources/git/tokens.ts'
import { openAppBed } from '../harness/beds/app.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { eventually } from '../harness/eventually.ts'
import { createFakeBrowsers } from '../harness/fake-browsers.ts'
import { BEARERS, NOT_BEARERS, REVOCATIONS, type Revocation } from './revocation/bearers.ts'
import { OPENERS, type Holder } from './revocation/openers.ts'

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

/** An account with a key, and a key below that one, which holds what is tested. */
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
