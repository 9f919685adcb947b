import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, publicId } from '../../../../lib/ids.ts'
import { openOperatorConsole } from './testing/operate-bed.ts'

const { world, operator, open, statements, idOf } = await openOperatorConsole()
const customer = await world.account()
/** Tables that grow with the calls. */
const GROWING =
  /^(?:transactions|payments|jobs|changes|events|deliveries|card_payments|hour_totals|service_days|wallet_days|webhooks)/

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

function scansOf(plan: Plan): string[] {
  const own =
    plan['Node Type'] === 'Seq Scan' && GROWING.test(plan['Relation Name'] ?? '')
      ? [plan['Relation Name'] ?? '']
      : []
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)]
}

test('every statement of the pages can use an index of the tables that grow', async () => {
  for (const url of [
    '/operate',
    '/operate?days=90',
    '/operate/accounts',
    `/operate/accounts?q=${publicId('key', newId(world.now()))}`,
    `/operate/accounts/${idOf(customer.caller)}`,
    '/operate/money?days=90',
    '/operate/money/csv?days=90',
    '/operate/health',
    '/operate/audit',
    '/operate/audit?by=operators',
    `/operate/audit?account=${customer.account.email}&subject=credit`,
  ])
    assert.equal((await open(url, operator.cookie)).statusCode, 200, url)
  const read = statements.filter(({ text }) => /^\s*(?:select|with)\b/.test(text))
  assert.ok(read.length > 30)
  await world.database.transaction(async (tx) => {
    // The tables of the test are small. Without an index the plan is a scan all the same.
    await tx.query('set local enable_seqscan = off')
    for (const { text, values } of read) {
      const { rows } = await tx.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
        `explain (format json) ${text}`,
        values,
      )
      assert.deepEqual(
        rows[0]?.['QUERY PLAN'].flatMap(({ Plan: plan }) => scansOf(plan)),
        [],
        text,
      )
    }
  })
})
