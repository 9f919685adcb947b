import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../index.ts'
import { endpointName } from './endpoint-names.ts'
import { improvePhrase } from './phrase.ts'
import { titleFromSentence } from './title-from-sentence.ts'

const entries = createCatalog().allActions()
const endpoints = entries.flatMap(({ service, name, action }) =>
  action.kind === 'endpoint'
    ? action.endpoints.map(({ endpoint }) => ({
        id: `${service.id}/${name} ${endpoint}`,
        service,
        action,
        ...endpointName(service, name, endpoint),
      }))
    : [],
)

test('every action has a title of a few words that a person wrote', () => {
  for (const { service, name, action } of entries) {
    const id = `${service.id}/${name}`
    assert.ok(action.title.length >= 5 && action.title.length <= 52, `${id}: ${action.title}`)
    assert.match(action.title, /^[A-Z\d][^_/]*[^.:;,]$/, id)
    assert.notEqual(action.title, name, id)
  }
})

test('equal titles of actions occur only in different services', () => {
  for (const [service, own] of Map.groupBy(entries, (entry) => entry.service))
    assert.equal(new Set(own.map(({ action }) => action.title)).size, own.length, service.id)
})

test('every endpoint has a title without parts of its path', () => {
  for (const { id, title } of endpoints) {
    assert.ok(title.length >= 6 && title.length <= 84, `${id}: ${title}`)
    assert.match(title, /^(?:[A-Z\d]|arXiv|robots)/, id)
    assert.doesNotMatch(title, /\/|[.:,;]$|: read |\bfetch_|\baweme\b|\bkol\b/, id)
  }
})

test('titles of endpoints are unique in their service', () => {
  for (const [service, own] of Map.groupBy(endpoints, (entry) => entry.service)) {
    const titles = own.map(({ title }) => title.toLowerCase())
    const repeated = titles.filter((title, at) => titles.indexOf(title) !== at)
    assert.deepEqual(repeated, [], service.id)
  }
})

test('every endpoint of an action with groups belongs to one', () => {
  for (const { id, action, group } of endpoints)
    if (action.endpoints.length > 20) assert.ok(group !== null, id)
})

test('makes a title from the main clause of a sentence', () => {
  assert.equal(
    titleFromSentence('Read the gas price of a blockchain.'),
    'Gas price of a blockchain',
  )
  assert.equal(titleFromSentence('Check an age: in years.'), 'Check an age')
  assert.equal(titleFromSentence('Metrics, whole history'), 'Metrics, whole history')
})

test('improves the words of a path', () => {
  assert.equal(improvePhrase('read user fans list'), 'user followers')
  assert.equal(improvePhrase('read one video by share url'), 'video by share link')
  assert.equal(improvePhrase('read hot search list'), 'trending searches')
  assert.equal(improvePhrase('search users'), 'user search')
})
