import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import type { VendorReply } from '../../../test/harness/vendors/vendor.ts'
import { textField } from '../../catalog/answers/vendor-failure.ts'
import { call, defineService, endpoint, params } from '../../catalog/vocabulary/define.ts'
import { text } from '../../catalog/vocabulary/fields.ts'
import { done } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { bearer, get, post } from '../../catalog/vocabulary/wire.ts'
import { AppError } from '../../errors/app-error.ts'
import { Type } from '../../lib/schema.ts'
import { runCall } from '../run.ts'

const CENT = 10_000n
const asked = {
  summary: 'Posts a letter.',
  input: params({ to: text('Name.', 100) }),
  example: { to: 'Ana' },
  price: flat(CENT),
  request: (input: object) => post('/letters', input),
  reply: Type.Object({ id: Type.String() }),
  outcome: ({ body }: { readonly body: { readonly id: string } }) => done({ ...body }),
}

const letters = defineService({
  id: 'letters',
  title: 'Letters',
  category: 'test',
  vendor: {
    baseUrl: 'https://letters.example',
    auth: bearer(),
    docsUrl: 'https://letters.example/docs',
  },
  actions: {
    post: call({ ...asked, timeoutMs: 60_000, isOrder: true }),
    hurry: call({ ...asked, timeoutMs: 50, isOrder: true }),
    create: call({
      ...asked,
      timeoutMs: 60_000,
      ownership: { createdId: ({ body }) => textField(body, 'id') || undefined },
    }),
    follow: call({
      ...asked,
      timeoutMs: 60_000,
      isOrder: true,
      followUps: [() => get('/letters/1')],
    }),
    look: call({ ...asked, timeoutMs: 60_000 }),
    path: endpoint({
      summary: 'Posts a letter.',
      endpoints: [{ endpoint: '/letters', method: 'POST', summary: 'Posts a letter.', params: [] }],
      example: { endpoint: '/letters' },
      price: flat(CENT),
      timeoutMs: 60_000,
      isOrder: true,
      reply: asked.reply,
      outcome: asked.outcome,
    }),
  },
})

const LOST: readonly VendorReply[] = [
  'reset',
  { body: '' },
  { body: { id: 7 } },
  { body: '{"id": "1' },
  { status: 502, body: {} },
  { status: 504, body: {} },
  { status: 524, body: '' },
]

const bed = await openCallBed({ services: [letters] })
let sent = 0

async function failureOf(action: string, extra: object = {}): Promise<AppError> {
  const body = action === 'path' ? { endpoint: '/letters' } : { to: 'Ana' }
  const error: unknown = await runCall(bed.calls, bed.request('letters', action, body, extra)).then(
    () => assert.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof AppError)
  return error
}

function answerWith(reply: VendorReply): void {
  bed.vendor.answerWith(() => {
    sent += 1
    return reply
  })
}

describe('an order at a vendor', () => {
  let before: Awaited<ReturnType<typeof bed.balance>>
  beforeEach(async () => {
    before = await bed.balance()
    sent = 0
  })

  it('is not retryable and not charged after its answer was lost', async () => {
    for (const action of ['post', 'create', 'path'])
      for (const reply of LOST) {
        answerWith(reply)
        const { code, isRetryable } = await failureOf(action)
        assert.deepEqual(
          [code, isRetryable],
          ['order_unknown', false],
          `${action} ${JSON.stringify(reply)}`,
        )
      }
    assert.deepEqual([await bed.balance(), sent], [before, 3 * LOST.length])
  })

  it('is not retryable after the vendor took too long', async () => {
    answerWith('hang')
    const { code, isRetryable } = await failureOf('hurry')
    assert.deepEqual([code, isRetryable, sent], ['order_unknown', false, 1])
    assert.deepEqual(await bed.balance(), before)
  })

  it('is not retryable after the vendor accepted it and a later request failed', async () => {
    for (const later of [
      { status: 500, body: {} },
      { status: 429, body: {} },
      { body: {} },
      'reset',
    ] as const) {
      bed.vendor.answerWith(({ method }) => (method === 'POST' ? { body: { id: '1' } } : later))
      assert.equal((await failureOf('follow')).code, 'order_unknown', JSON.stringify(later))
    }
    assert.deepEqual(await bed.balance(), before)
  })

  it('stores the failure under its idempotency key, so a repeat orders nothing', async () => {
    answerWith('reset')
    const idempotency = { key: 'letter-1', fingerprint: 'aa' }
    const codes = [
      (await failureOf('post', { idempotency })).code,
      (await failureOf('post', { idempotency })).code,
    ]
    assert.deepEqual([codes, sent], [['order_unknown', 'order_unknown'], 1])
  })

  it('is retryable after the vendor rejected it', async () => {
    for (const status of [429, 500, 503]) {
      answerWith({ status, body: {} })
      assert.equal((await failureOf('post')).isRetryable, true, String(status))
    }
  })

  it('is retryable after the vendor refused the connection', async () => {
    const { vendor, ...refusing } = await openCallBed({ services: [letters] })
    vendor.server.close()
    const error = await runCall(
      refusing.calls,
      refusing.request('letters', 'post', { to: 'Ana' }),
    ).then(
      () => assert.fail('the call succeeded'),
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof AppError)
    assert.deepEqual([error.code, error.isRetryable], ['upstream_error', true])
  })

  it('differs from a call that only reads, which stays retryable', async () => {
    for (const reply of LOST) {
      answerWith(reply)
      assert.equal((await failureOf('look')).isRetryable, true, JSON.stringify(reply))
    }
  })
})
