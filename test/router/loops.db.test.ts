/** The breaker on the router: a stopped call reaches no upstream on any API and costs nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoopWatch } from '../../src/calls/loops/loop-watch.ts'
import { openRouterBed } from '../harness/beds/router.ts'

const CONFIRM = 'a-token'
const watch = createLoopWatch(() => 0)
const bed = await openRouterBed({
  loops: {
    ...watch,
    find: ({ confirm }) =>
      confirm === CONFIRM
        ? null
        : { code: 'steep_spending', seen: 2, sinceMs: 0, spent: 1n, text: 'The key spends fast.' },
    stop: () => ({ count: 1, isLast: false, confirm: CONFIRM }),
  },
})
const QUESTION = [{ role: 'user', content: 'What is a ledger?' }]

const CASES = [
  ['/chat/completions', { max_tokens: 10, messages: QUESTION }],
  ['/messages', { max_tokens: 10, messages: QUESTION }],
  ['/responses', { max_output_tokens: 10, input: 'What is a ledger?' }],
] as const

for (const [path, question] of CASES)
  test(`POST ${path}: rejects a loop before its hold, and passes with the token`, async () => {
    const body = { model: 'core/cheap', ...question }
    const send = (sent: unknown) =>
      fetch(`${bed.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bed.testKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      })
    const before = await allTransactions()
    const stopped = await send(body)
    const text = await stopped.text()
    assert.equal(stopped.status, 409, text)
    assert.match(text, /The key spends fast\./)
    assert.match(text, /"confirm_loop\\": \\"a-token/)
    assert.equal(await allTransactions(), before)

    const passed = await send({ ...body, confirm_loop: CONFIRM })
    assert.equal(passed.status, 200, await passed.text())
    assert.equal(await allTransactions(), before + 1)
  })

async function allTransactions(): Promise<number> {
  const { rows } = await bed.world.database.query<{ count: bigint }>(
    "select (select count(*) from transactions where kind = 'llm') + (select count(*) from holds) as count",
  )
  return Number(rows[0]?.count)
}
