import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RecentMap } from './recent-map.ts'

test('never has more entries than its limit', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 20 }),
      fc.array(fc.tuple(fc.nat(40), fc.boolean()), { maxLength: 300 }),
      (most, uses) => {
        const map = new RecentMap<number, number>(most)
        for (const [key, isRead] of uses) {
          if (isRead) map.get(key)
          else map.set(key, key)
          assert.ok([...map.entries()].length <= most)
        }
      },
    ),
  )
})

test('has the half of its limit that was used last, reads included', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 20 }),
      fc.array(fc.tuple(fc.nat(40), fc.boolean()), { maxLength: 300 }),
      (most, uses) => {
        const map = new RecentMap<number, string>(most)
        const latest = new Map<number, string>()
        const used: number[] = []
        for (const [place, [key, isRead]] of uses.entries()) {
          const isPresent = map.get(key) !== undefined
          if (!isRead) {
            map.set(key, String(place))
            latest.set(key, String(place))
          }
          if (!isRead || isPresent) used.push(key)
          const recent = [...new Set(used.toReversed())].slice(0, Math.floor(most / 2))
          const stored = new Map(map.entries())
          for (const one of recent) assert.equal(stored.get(one), latest.get(one))
        }
      },
    ),
  )
})

test('a deleted entry is gone, also while entries are read', () => {
  const map = new RecentMap<string, number>(4)
  for (const [place, key] of ['a', 'b', 'c'].entries()) map.set(key, place)
  for (const [key] of map.entries()) if (key !== 'b') map.delete(key)
  assert.deepEqual([...map.entries()], [['b', 1]])
  map.clear()
  assert.equal(map.get('b'), undefined)
})
