import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailboxNames, parsePersonName } from './person-names.ts'

test('reads the first and the last name in Latin letters without accents', () => {
  for (const [text, first, last] of [
    ['Ana Lund', 'ana', 'lund'],
    ['Dr. Jürgen von Groß', 'jurgen', 'gross'],
    ["Seán O'Brien", 'sean', 'obrien'],
    ['Anne-Marie Núñez, PhD', 'anne-marie', 'nunez'],
    ['Cher', 'cher', ''],
  ] as const)
    assert.deepEqual(parsePersonName(text), { first, last }, text)
  for (const text of ['', '李明', 'Анна Иванова', '---'])
    assert.equal(parsePersonName(text), null, text)
})

test('chooses at most four names of a mailbox, those of the usual form of the domain first', () => {
  const name = { first: 'ana', last: 'lund' }
  assert.deepEqual(mailboxNames(name, []), ['ana.lund', 'alund', 'ana', 'a.lund'])
  assert.deepEqual(mailboxNames(name, ['ben.ek', 'cay.oh', 'bo']), [
    'ana.lund',
    'a.lund',
    'lund.ana',
    'alund',
  ])
  assert.deepEqual(mailboxNames(name, ['bek', 'coh']), ['alund', 'ana', 'analund', 'ana_lund'])
  assert.deepEqual(mailboxNames({ first: 'cher', last: '' }, []), ['cher'])
})
