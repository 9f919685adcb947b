/** A gateway with IN_HOUSE_PRICES=zero. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceBlock } from '../../src/catalog/published/price-block.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { openLiveBed } from './open-live-bed.ts'

const bed = await openLiveBed({
  IN_HOUSE_PRICES: 'zero',
  UPSTREAM_INDEP_KEY: 'a-key',
  UPSTREAM_CHEAPUNBLOCK_KEY: 'a-key',
})
const { catalog } = bed.engine.calls
const priceOf = (service: string, name: string) =>
  priceBlock(catalog.findAction(service, name).action).price_cents

test('lists zero for actions of this machine, and the usual price for all others', () => {
  assert.deepEqual(
    ['gitstore/repo-create', 'semantic/contents', 'semantic/search', 'reader/document'].map(
      (name) => priceOf(...(name.split('/') as [string, string])),
    ),
    [0, 0, 0, 0],
  )
  assert.ok(priceOf('indep', 'search') > 0)
  // A vendor key is used first.
  assert.ok(priceOf('cheapunblock', 'scrape') > 0)
  assert.ok(priceOf('core', 'onescrape') > 0)
  assert.ok(priceOf('agentic', 'task') > 0)
})

test('charges nothing for a call of this machine, and the ledger records it', async () => {
  const balance = async () =>
    (await bed.database.query('select balance_micros, held_micros from wallets order by id')).rows
  const before = await balance()
  const answer = await bed.ask('gitstore', 'repo-create', { name: 'free' })
  assert.deepEqual([answer.ok, answer.charged], [true, 0n])
  const { rows } = await bed.database.query(
    "select service, action, amount_micros, held_micros from transactions where kind = 'call'",
  )
  assert.deepEqual(rows, [
    { service: 'gitstore', action: 'repo-create', amount_micros: 0n, held_micros: 1n },
  ])
  assert.deepEqual(await balance(), before)
  assert.equal((await verifyLedger(bed.database)).ok, true)
})
