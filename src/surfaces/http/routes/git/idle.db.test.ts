import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import Fastify from 'fastify'
import { createAccount } from '../../../../accounts/create-account.ts'
import { createSlots } from '../../../../lib/fairness/fair-slots.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import { findProgram } from '../../../../lib/machine/find-program.ts'
import { createRepository } from '../../../../resources/git/repositories.ts'
import { createMakerWatch } from '../../../../resources/makers/maker-watch.ts'
import { createTokens } from '../../../../resources/git/tokens.ts'
import { cleanUp } from '../../../../../test/harness/clean-up.ts'
import { cloneDatabase } from '../../../../../test/harness/postgres.ts'
import { renderError } from '../../render-error.ts'
import { gitRoutes } from './git-routes.ts'

const IDLE_MS = 100

test('a client that pauses in its body frees the place of its git process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-idle-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  const { database } = await cloneDatabase()
  const program = findProgram('git', process.env['PATH'] ?? '')
  assert.ok(program !== null, 'git is installed')
  const slots = createSlots({ places: 1, waiting: 0, what: 'a git process' })
  const git = {
    database,
    now: Date.now,
    program,
    folder,
    tokens: createTokens(Buffer.alloc(32, 1)),
    publicUrl: 'http://gate.example',
    maxBytes: 1_000_000,
    maxRepositories: 1,
    slots,
  }
  const { account } = await createAccount(
    { database, now: Date.now },
    { email: 'a@example.com', tier: 'personal', owner: false },
  )
  const accountId = parsePublicId('account', account.id)
  assert.ok(accountId !== null)
  const { signal } = new AbortController()
  const repoId = await createRepository(git, { accountId, keyId: null }, signal)
  await database.query(
    "insert into vendor_references (service, is_test, reference, account_id, made_ms, lasts) values ('gitstore', false, $1, $2, 0, true)",
    [repoId, accountId],
  )
  const makers = createMakerWatch({ database, now: Date.now })
  const app = Fastify()
  cleanUp(() => app.close())
  app.setErrorHandler(renderError)
  app.decorateRequest('caller')
  await app.register(gitRoutes, { git, makers, idleMs: IDLE_MS, slowUploads: new WeakSet() })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })

  const sent = request(`${origin}/git/${repoId}.git/git-upload-pack`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`git:${git.tokens.tokenOf(repoId, 0)}`)}`,
      'content-type': 'application/x-git-upload-pack-request',
    },
  })
  sent.on('error', () => undefined)
  sent.write('00')
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  reply.on('error', () => undefined).resume()
  await once(reply, 'close')
  assert.equal(slots.use().taken, 0)
  sent.destroy()
})
