import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostConnections } from './open-files.ts'

const limits = (soft: string) =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax processes             100                  100                  processes\nMax open files            ${soft.padEnd(20)} 1048576              files\n`

test('half of the open-file limit is for clients, also where the limit is unknown', () => {
  assert.deepEqual(
    ['256', '20000', '1048576', 'unlimited'].map((soft) => mostConnections(limits(soft))),
    [128, 10_000, 10_000, 10_000],
  )
  assert.equal(mostConnections(''), 512)
})

test(
  'the limit of this very process is read',
  { skip: process.platform !== 'linux' && 'other systems do not tell it in a file' },
  () => {
    assert.ok(mostConnections() > 0 && mostConnections() <= 10_000)
  },
)
