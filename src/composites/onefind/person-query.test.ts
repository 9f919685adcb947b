import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parsePersonQuery, parsePersonRow } from './person-query.ts'

describe('queries that name one person', () => {
  const named: Record<string, [string, string]> = {
    'Ana Example at Acme': ['Ana Example', 'Acme'],
    'Ana Example, Acme': ['Ana Example', 'Acme'],
    'Ana Example - Acme': ['Ana Example', 'Acme'],
    'Ana Example | CTO | Acme': ['Ana Example', 'Acme'],
    'Ana Example (Acme)': ['Ana Example', 'Acme'],
    'Ana Example, CTO at Acme GmbH': ['Ana Example', 'Acme GmbH'],
    'Ana Example, CTO, Acme, Berlin': ['Ana Example', 'Acme'],
    'Ana Example, VP of Sales at Acme': ['Ana Example', 'Acme'],
    'Ana Example @ Acme': ['Ana Example', 'Acme'],
    'Ana Example from Acme': ['Ana Example', 'Acme'],
    'Ana Example of Acme Robotics': ['Ana Example', 'Acme Robotics'],
    'Ana Example who works at Acme': ['Ana Example', 'Acme'],
    'Ana Example works for Acme': ['Ana Example', 'Acme'],
    'who is Ana Example at Acme?': ['Ana Example', 'Acme'],
    'Find the email of Ana Example at Acme': ['Ana Example', 'Acme'],
    'contact details for Dr. Ana Example, Acme': ['Ana Example', 'Acme'],
    'CEO Ana Example at Acme': ['Ana Example', 'Acme'],
    'ana example at acme': ['ana example', 'acme'],
    'Ludwig van der Beispiel at Acme': ['Ludwig van der Beispiel', 'Acme'],
    "Seán O'Sample-Méndez, Acme": ["Seán O'Sample-Méndez", 'Acme'],
    'Ana A. Example, Acme': ['Ana A. Example', 'Acme'],
    'Nguyễn Văn An, VNG': ['Nguyễn Văn An', 'VNG'],
    'Paris Sample at Acme': ['Paris Sample', 'Acme'],
    'Jack London, Acme': ['Jack London', 'Acme'],
    'Ana Example, PhD, Acme': ['Ana Example', 'Acme'],
    'What is the email of Ana Example at Acme?': ['Ana Example', 'Acme'],
    'Jörg Beispiel bei Acme': ['Jörg Beispiel', 'Acme'],
    'Marie Exemple chez Acme': ['Marie Exemple', 'Acme'],
    'J. R. Example at 3M': ['J. R. Example', '3M'],
    'Ana Example at acme.test': ['Ana Example', 'acme.test'],
    '张伟，阿里巴巴': ['张伟', '阿里巴巴'],
  }
  for (const [query, [name, company]] of Object.entries(named)) {
    test(query, () => assert.deepEqual(parsePersonQuery(query), { name, company }))
  }
})

describe('queries that describe people', () => {
  const descriptions = [
    'CTOs of fintech startups in Lyon',
    'product managers at Acme',
    'Product Managers at Google',
    'Head of Sales at Acme',
    'CEO of Acme',
    'VP Engineering at Acme',
    'people at Acme',
    'Machine Learning at Google',
    'New York, Fintech',
    'San Francisco, Startups',
    'Goldman Sachs, New York',
    'Stanford alumni at Google',
    'Ex Googlers at Acme',
    'master welders at Acme',
    'Ana Example',
    'Ana at Acme',
    'Ana Example, Berlin',
    'Ana Example, CTO',
    'founders, climate, Europe',
    'the best 20 growth marketers in Berlin',
    'nurse practitioners, Texas',
    'Paris, London, Berlin',
    'Paris Startups at Station F',
    'Salesforce Admins at Nike',
    'Cold Callers at Acme',
    'Computer Vision at Acme',
    'Board Members of Acme',
    'Boston Consulting Group, Partners',
    'vegan bakers at acme',
    'ingénieurs logiciels chez acme',
    'someone who runs logistics for a mid-sized retailer in northern Italy with warehouses',
    '',
  ]
  for (const query of descriptions)
    test(query === '' ? 'nothing' : query, () => assert.equal(parsePersonQuery(query), null))
})

describe('rows by name and company', () => {
  test('are parsed with or without separators', () => {
    const acme = { name: 'Ana Example', company: 'Acme' }
    for (const row of [
      'Ana Example, Acme',
      'Ana Example at Acme',
      'Ana Example Acme',
      ' Ana  Example;Acme ',
      'Ana Example, CTO, Acme',
      'Dr. Ana Example / Acme',
    ])
      assert.deepEqual(parsePersonRow(row), acme, row)
    assert.deepEqual(parsePersonRow('ana example, acme'), { name: 'ana example', company: 'acme' })
    assert.deepEqual(parsePersonRow('Ana Example, Berlin'), {
      name: 'Ana Example',
      company: 'Berlin',
    })
    assert.deepEqual(parsePersonRow('张伟，阿里巴巴'), { name: '张伟', company: '阿里巴巴' })
  })

  test('require both', () => {
    for (const row of ['Ana Example', 'Ana', 'Ana, Acme', 'at Acme', ', Acme', ''])
      assert.equal(parsePersonRow(row), null, row)
  })
})
