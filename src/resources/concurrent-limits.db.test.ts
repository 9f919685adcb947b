import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { createWorld } from '../../test/harness/beds/world.ts'
import { AppError } from '../errors/app-error.ts'
import { createSlots } from '../lib/fairness/fair-slots.ts'
import { findProgram } from '../lib/machine/find-program.ts'
import { createRepository } from './git/repositories.ts'
import { createTokens } from './git/tokens.ts'
import { createInbox } from './inboxes/create-inbox.ts'

const MOST = 3
const TRIES = 8

const world = await createWorld()
const { database, now } = world

async function successesOf(attempt: () => Promise<unknown>): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: TRIES }, attempt))
  for (const result of results)
    if (result.status === 'rejected')
      assert.equal(
        result.reason instanceof AppError ? result.reason.code : result.reason,
        'storage_quota_exceeded',
      )
  return results.filter(({ status }) => status === 'fulfilled').length
}

test('concurrent creations of repositories never pass the limit of an account', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-limits-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  const program = findProgram('git', process.env['PATH'] ?? '')
  assert.ok(program !== null, 'git is installed')
  const git = {
    database,
    now,
    program,
    folder,
    tokens: createTokens(Buffer.alloc(32, 1)),
    publicUrl: 'https://gate.example',
    maxBytes: 1_000_000,
    maxRepositories: MOST,
    slots: createSlots({ places: 1, waiting: 0, what: 'a git process' }),
  }
  const { caller } = await world.account()
  const { signal } = new AbortController()
  assert.equal(await successesOf(() => createRepository(git, caller, signal)), MOST)
})

test('concurrent creations of inboxes never pass the limit of an account', async () => {
  const { caller } = await world.account()
  const deps = {
    database,
    now,
    domain: 'mail.example',
    ownName: null,
    limits: {
      maxInboxes: MOST,
      maxInboxBytes: 1,
      maxAccountBytes: 1,
      sendsPerDay: 1,
      retentionMs: 1,
    },
  }
  assert.equal(await successesOf(() => createInbox(deps as never, {}, caller)), MOST)
})
