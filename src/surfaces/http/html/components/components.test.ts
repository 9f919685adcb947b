import assert from 'node:assert/strict'
import { test } from 'node:test'
import { facts, stats } from './card.ts'
import { table } from './table.ts'

test('every figure of a table, of stats and of facts has commas between thousands', () => {
  for (const { markup } of [
    table('Calls', [{ figures: 'Calls' }], [[6396]]),
    stats([{ label: 'Calls', value: 6396 }]),
    facts([['Calls', 6396]]),
  ])
    assert.match(markup, />6,396</)
})
