import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelByGold } from './gold-labels.ts'

const FIRST = 'The ferry leaves the northern pier every twenty minutes in summer.'
const SECOND = 'Tickets are for sale on board and in the office at the pier.'
const MENU = ['Hotels', 'Weather', 'Contact', 'Sign in', 'Careers', 'Imprint', 'Help']

test('labels one of two copies of a text, the one with content around it', () => {
  const title = 'Timetable of the harbour ferry'
  const labels = labelByGold([title, FIRST, SECOND].join('\n'), [
    title,
    ...MENU,
    title,
    FIRST,
    SECOND,
  ])
  assert.deepEqual(Array.from(labels), [0, ...MENU.map(() => 0), 1, 1, 1])
})

test('labels both copies of a text that the gold text has twice', () => {
  const labels = labelByGold([FIRST, SECOND, FIRST].join('\n'), [FIRST, SECOND, FIRST])
  assert.deepEqual(Array.from(labels), [1, 1, 1])
})

test('does not label a word of a menu that the gold text happens to contain', () => {
  const [ferry = 1] = labelByGold(FIRST, ['Ferry', ...MENU, FIRST])
  assert.equal(ferry, 0)
})

test('labels a block by its share of word triples in the gold text', () => {
  const [label = 0] = labelByGold(FIRST, [`${FIRST} Advertisement for a hotel near the old pier.`])
  assert.ok(label > 0.4 && label < 0.7, String(label))
})
