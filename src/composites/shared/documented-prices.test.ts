/** Prices that stand outside the records: in the documents of the composites, and as what these reckon with before a step. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Action } from '../../catalog/vocabulary/define.ts'
import { createCatalog } from '../../catalog/index.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { BATCH_RATE } from '../onescrape/readers.ts'
import { SEARCH_PRICE } from '../onesearch/onesearch-deep.ts'
import { PAGE_PRICE } from '../onesearch/read-pages.ts'

const catalog = createCatalog()
const actionOf = (id: string): Action => {
  const [service = '', name = ''] = id.split('/')
  return catalog.findAction(service, name).action
}

/** One unit, one call, or the least of one; null for a job that costs what its steps cost. */
function amountOf({ price }: Action): Micros | null {
  if (price.kind === 'flat') return price.amount
  if (price.kind === 'unit') return price.rate
  return price.kind === 'computed' ? price.least : null
}

describe('a price outside the records is that of the catalog', () => {
  for (const name of ['composites.md', 'searching.md']) {
    test(`in the tables of docs/${name}`, () => {
      const rows = readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('|'))
      // In a row an action costs the next amount that is named after it.
      const told = rows.flatMap((row) =>
        [...row.matchAll(/`([a-z0-9]+\/[a-z0-9_-]+)`(?=.*?([\d.]+)¢)/g)].map(
          ([, id = '', amount = '']) => ({ id, amount }),
        ),
      )
      const priced = told
        .map(({ id, amount }) => ({ id, told: cents(amount), listed: amountOf(actionOf(id)) }))
        .filter(({ listed }) => listed !== null)
      assert.ok(priced.length >= 1)
      for (const { id, told: amount, listed } of priced)
        assert.equal(amount, listed, `${id} in docs/${name}`)
    })
  }

  test('in what jobs reckon with', () => {
    assert.equal(BATCH_RATE, amountOf(actionOf('semantic/contents')))
    assert.equal(SEARCH_PRICE, worstCase(actionOf('core/onesearch'), {}))
    assert.equal(
      PAGE_PRICE,
      worstCase(actionOf('core/onescrape'), { urls: ['https://example.com/'] }),
    )
  })
})
