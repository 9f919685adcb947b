import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { Type } from '../../lib/schema.ts'
import { createAccount } from '../../accounts/create-account.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { done } from '../../catalog/vocabulary/outcome.ts'
import { flat, free } from '../../catalog/vocabulary/tariff.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'
import { bearer, get, post } from '../../catalog/vocabulary/wire.ts'
import type { AppError } from '../../errors/app-error.ts'
import { createAuthenticator } from '../../keys/authenticate.ts'
import type { Caller } from '../../keys/caller.ts'
import { cents } from '../../lib/money.ts'
import { openCallBed, type CallBed } from '../../../test/harness/beds/calls.ts'
import { runCall } from '../run.ts'
import { readOwnReferences, sweepReferences, claimReference } from './vendor-references.ts'

const reports = defineService({
  id: 'reports',
  title: 'Reports',
  category: 'test',
  vendor: {
    baseUrl: 'https://reports.example',
    auth: bearer(),
    docsUrl: 'https://reports.example/docs',
  },
  actions: {
    launch: call({
      summary: 'Launch a report.',
      input: params({}),
      example: {},
      price: flat(cents('1')),
      timeoutMs: 60_000,
      request: () => post('/reports', {}),
      reply: Type.Unknown(),
      outcome: ({ body }) => done({ body }),
      ownership: { createdId: ({ body }) => field(body, 'id') as string | undefined },
    }),
    buy: call({
      summary: 'Buy a house.',
      input: params({ name: Type.Optional(Type.String({ description: 'Its name.' })) }),
      example: {},
      price: flat(cents('1')),
      timeoutMs: 60_000,
      request: () => post('/houses', {}),
      reply: Type.Unknown(),
      outcome: ({ body }) => done({ body }),
      ownership: {
        createdId: ({ body }) => field(body, 'id') as string | undefined,
        isPermanent: true,
        chosenName: ({ name }) => name,
      },
    }),
    visit: call({
      summary: 'Visit a house.',
      input: params({ house: Type.String({ description: 'Which.' }) }),
      example: { house: 'house-1' },
      price: free,
      timeoutMs: 60_000,
      request: ({ house }) => get(`/houses/${house}`),
      reply: Type.Unknown(),
      outcome: ({ body }) => done({ body }),
      ownership: { targetId: ({ house }) => house, unknownCode: 'unknown_repo' },
    }),
    result: call({
      summary: 'Read a report, or list all.',
      input: params({
        id: Type.Optional(Type.String({ description: 'The id that reports/launch answered.' })),
      }),
      example: {},
      price: free,
      timeoutMs: 60_000,
      request: ({ id }) =>
        get(id === undefined ? '/reports' : `/reports/${encodeURIComponent(id)}`),
      reply: Type.Unknown(),
      outcome: ({ body }) => done({ body }),
      ownership: {
        targetId: ({ id }) => id,
        filterList: (reply, isOwn) => ({
          ...reply,
          body: Array.isArray(reply.body)
            ? reply.body.filter((item) => isOwn(String(field(item, 'id'))))
            : reply.body,
        }),
      },
    }),
  },
})

let bed: CallBed
let stranger: Caller
before(async () => {
  bed = await openCallBed({ services: [reports] })
  const { database, clock, vendor } = bed
  const created = await createAccount(
    { database, now: clock },
    { email: 'stranger@gate.example.com', tier: 'personal' },
  )
  const authenticator = createAuthenticator({ database, now: clock, cacheSize: 10, cacheMs: 1_000 })
  stranger = await authenticator.authenticate(created.live.key)
  await authenticator.close()
  let made = 0
  vendor.answerWith(({ method, path }) => {
    if (method === 'POST') return { body: { id: `r${(made += 1)}` } }
    return {
      body:
        path === '/reports'
          ? ['r1', 'r2', 'r3'].map((id) => ({ id }))
          : { id: path.slice(9), secret: 'text' },
    }
  })
})

async function answer(action: string, body: unknown, caller = bed.caller): Promise<unknown> {
  const { body: text } = await runCall(bed.calls, bed.request('reports', action, body, { caller }))
  return (JSON.parse(text) as { data: { body: unknown } }).data.body
}

describe('an item of an account at a vendor', () => {
  test('is visible to that account only, and unknown to any other', async () => {
    assert.deepEqual(await answer('launch', {}), { id: 'r1' })
    assert.deepEqual(await answer('result', { id: 'r1' }), { id: 'r1', secret: 'text' })
    const before = bed.vendor.requests.length
    const refused = async (id: string, caller: Caller) => {
      const error = await answer('result', { id }, caller).then(
        () => assert.fail('it was answered'),
        (thrown: AppError) => thrown,
      )
      return [error.code, error.message, error.param, error.fix]
    }
    assert.deepEqual(await refused('r1', stranger), await refused('r999', stranger))
    assert.deepEqual(await refused('r1', bed.testCaller), [
      'unknown_job',
      'Unknown job.',
      'id',
      'Check "id": the id that reports/launch answered. It must be one that this account created.',
    ])
    assert.equal(bed.vendor.requests.length, before, 'no vendor request')
  })

  test('is listed without the items of others', async () => {
    assert.deepEqual(await answer('launch', {}, stranger), { id: 'r2' })
    assert.deepEqual(await answer('result', {}), [{ id: 'r1' }])
    assert.deepEqual(await answer('result', {}, stranger), [{ id: 'r2' }])
  })

  test('may have a name of any length and of any characters', async () => {
    for (const id of [randomBytes(10_000).toString('base64url'), `r\0${'ä'.repeat(600)}`]) {
      bed.vendor.answerWith(({ method, path }) => ({
        body:
          method === 'POST'
            ? { id }
            : path === '/reports'
              ? [{ id }, { id: `${id}x` }]
              : { whole: true },
      }))
      assert.deepEqual(await answer('launch', {}), { id })
      assert.deepEqual(await answer('result', { id }), { whole: true })
      await assert.rejects(answer('result', { id }, stranger), { code: 'unknown_job' })
      assert.deepEqual(
        [await answer('result', {}), await answer('result', {}, stranger)],
        [[{ id }], []],
      )
    }
  })

  test('is forgotten after three months', async () => {
    const owner = {
      accountId: bed.caller.accountId,
      service: 'reports',
      mode: 'live' as const,
      keyId: null,
      scope: 'account' as const,
    }
    assert.equal(await sweepReferences(bed.database, bed.clock() + 89 * 86_400_000), 0)
    assert.ok((await readOwnReferences(bed.database, owner))('r1'))
    assert.equal(await sweepReferences(bed.database, bed.clock() + 91 * 86_400_000), 4)
    assert.ok(!(await readOwnReferences(bed.database, owner))('r1'))
  })

  test('belongs to its buyer permanently if bought, and is rejected to others by its own code', async () => {
    bed.vendor.answerWith(({ method }) => ({ body: { id: 'house-1', keys: method === 'GET' } }))
    assert.deepEqual(await answer('buy', {}), { id: 'house-1', keys: false })
    assert.equal(await sweepReferences(bed.database, bed.clock() + 5_000 * 86_400_000), 0)
    assert.deepEqual(await answer('visit', { house: 'house-1' }), { id: 'house-1', keys: true })
    await assert.rejects(answer('visit', { house: 'house-1' }, stranger), {
      code: 'unknown_repo',
      param: 'house',
    })
    // The vendor returns the item of the first buyer to a second buyer of the same name.
    await assert.rejects(answer('buy', {}, stranger), {
      code: 'upstream_rejected',
      message: /name is taken/,
      fix: /another name/,
    })
    await assert.rejects(answer('visit', { house: 'house-1' }, stranger), { code: 'unknown_repo' })
  })

  test('has a name that no account can buy again, without a request or a payment', async () => {
    bed.vendor.answerWith(() => ({ body: { id: 'house-2' } }))
    await answer('buy', { name: 'villa' })
    const before = bed.vendor.requests.length
    await assert.rejects(answer('buy', { name: 'villa' }, stranger), { code: 'upstream_rejected' })
    assert.equal(bed.vendor.requests.length, before)
    // Names are not references.
    await assert.rejects(answer('visit', { house: 'villa' }), { code: 'unknown_repo' })
    await assert.rejects(answer('buy', { name: 'villa' }), {
      code: 'upstream_rejected',
      message: /This account has already created one/,
    })
    assert.equal(bed.vendor.requests.length, before)
    await answer('buy', { name: 'villa' }, bed.testCaller)
    await answer('buy', { name: 'villa' }, bed.testCaller)
    assert.equal(bed.vendor.requests.length, before + 2)
  })

  test('owns its name also if that is long or contains zero bytes', async () => {
    bed.vendor.answerWith(() => ({ body: { id: 'house-4' } }))
    for (const name of ['v\0illa', 'ä'.repeat(5_000)]) {
      await answer('buy', { name })
      const before = bed.vendor.requests.length
      await assert.rejects(answer('buy', { name }, stranger), { code: 'upstream_rejected' })
      assert.equal(bed.vendor.requests.length, before)
    }
  })

  test('leaves its name free if the vendor rejected it', async () => {
    bed.vendor.answerWith(() => ({ status: 500, body: {} }))
    await assert.rejects(answer('buy', { name: 'hut' }), { code: 'upstream_error' })
    bed.vendor.answerWith(() => ({ body: { id: 'house-3' } }))
    assert.deepEqual(await answer('buy', { name: 'hut' }, stranger), { id: 'house-3' })
  })

  test('has one owner if permanent, even if a vendor returns it to several accounts', async () => {
    const { rows } = await bed.database.query<{ id: string }>(
      "insert into accounts (id, email, tier, created_at) select gen_random_uuid(), number || '@house.example.com', 'personal', now() from generate_series(1, 8) as number returning id",
    )
    const owners = rows.map(({ id }) => ({
      accountId: id,
      service: 'reports',
      mode: 'live' as const,
      keyId: null,
      scope: 'account' as const,
    }))
    for (let house = 100; house < 110; house += 1) {
      const taken = await Promise.all(
        owners.map((owner) => claimReference(bed.database, owner, `house-${house}`, bed.clock())),
      )
      assert.equal(taken.filter(Boolean).length, 1)
    }
    const tried = await Promise.all(
      owners.map((owner) =>
        claimReference(bed.database, { ...owner, mode: 'test' }, 'house-1', bed.clock()),
      ),
    )
    assert.ok(tried.every(Boolean), 'simulated items belong to every account')
  })
})
