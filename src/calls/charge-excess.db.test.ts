/** Direct calls of language models that cost more than their hold. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openCallBed } from '../../test/harness/beds/calls.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { runCall } from './run.ts'

const bed = await openCallBed()
const ASK = {
  model: 'claude-haiku-5-5',
  max_tokens: 10,
  messages: [{ role: 'user', content: 'Say yes.' }],
}

function answerWith(outputTokens: number): void {
  bed.vendor.answerWith(() => ({
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-5-5',
      content: [{ type: 'text', text: 'Yes.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: outputTokens },
    },
  }))
}

async function charge(
  body: object = ASK,
  extra: object = {},
): Promise<{ charged: bigint; held: bigint }> {
  const answer = await runCall(bed.calls, bed.request('llmnative-a', 'messages', body, extra))
  const last = (await bed.transactions()).at(-1)
  assert.ok(last)
  assert.equal(
    (JSON.parse(answer.body) as { charged_micros: number }).charged_micros,
    Number(answer.charged),
  )
  assert.equal(-last.amount_micros, answer.charged)
  assert.ok((await verifyLedger(bed.database)).ok)
  return { charged: answer.charged, held: last.held_micros }
}

describe('the cost of a direct call above its hold', () => {
  it('is charged in full if credit is available, in the answer and in the transaction', async () => {
    answerWith(10)
    const usual = await charge()
    answerWith(5_000)
    const { charged, held } = await charge()
    assert.ok(charged > 100n * usual.charged && held === charged)
  })

  it('is charged up to max_cost_cents', async () => {
    answerWith(50_000)
    assert.equal((await charge({ ...ASK, max_cost_cents: 1 })).charged, 10_000n)
  })

  it('is never above the highest price of a direct call', async () => {
    answerWith(3_000_000)
    assert.equal((await charge()).charged, 1_000_000n)
  })

  it('is not charged to the account that sells the call to buyers without an account', async () => {
    answerWith(5_000)
    assert.ok((await charge(ASK, { isSold: true })).charged < 1_000n)
  })

  it('is charged up to the balance', async () => {
    answerWith(3_000_000)
    const { balance } = await bed.balance()
    assert.ok(balance < 1_000_000n)
    assert.equal((await charge()).charged, balance)
    assert.deepEqual(await bed.balance(), { balance: 0n, held: 0n })
  })
})
