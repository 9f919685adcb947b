/** Compares the catalog with the prices repeated in documents and in handlers. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Action } from '../../catalog/vocabulary/define.ts'
import { createCatalog } from '../../catalog/index.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { BATCH_RATE } from '../onescrape/readers/batch.ts'
import { SEARCH_PRICE } from '../onesearch/onesearch-deep.ts'
import { PAGE_PRICE } from '../onesearch/read-pages.ts'

const catalog = createCatalog()
const actionOf = (id: string): Action => {
  const [service = '', name = ''] = id.split('/')
  return catalog.findAction(service, name).action
}

/** The price of one unit or call, or the least price of a call. Null for a job priced by its steps. */
function amountOf({ price }: Action): Micros | null {
  if (price.kind === 'flat') return price.amount
  if (price.kind === 'unit') return price.rate
  return price.kind === 'computed' ? price.least : null
}

describe('prices outside the records', () => {
  for (const name of ['composites.md', 'searching.md']) {
    test(`equal the catalog in the tables of docs/${name}`, () => {
      const rows = readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('|'))
      // The first amount after an action's name is its price.
      const documented = rows.flatMap((row) =>
        [...row.matchAll(/`([a-z0-9]+\/[a-z0-9_-]+)`(?=.*?([\d.]+)¢)/g)].map(
          ([, id = '', amount = '']) => ({ id, amount }),
        ),
      )
      const priced = documented
        .map(({ id, amount }) => ({
          id,
          documented: cents(amount),
          listed: amountOf(actionOf(id)),
        }))
        .filter(({ listed }) => listed !== null)
      assert.ok(priced.length >= 1)
      for (const { id, documented: amount, listed } of priced)
        assert.equal(amount, listed, `${id} in docs/${name}`)
    })
  }

  test('equal the catalog in the handlers of jobs', () => {
    assert.equal(BATCH_RATE, amountOf(actionOf('semantic/contents')))
    assert.equal(SEARCH_PRICE, worstCase(actionOf('core/onesearch'), {}))
    assert.equal(
      PAGE_PRICE,
      worstCase(actionOf('core/onescrape'), { urls: ['https://example.com/'] }),
    )
  })
})
