import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTokens } from 'gpt-tokenizer'
import { services } from '../../vendors/index.ts'
import { llmsFullTxt, llmsTxt, serviceLlmsTxt } from './llms-txt.ts'
import { fixturePublished, fixtureServices } from './testing/small-catalog.ts'

const published = {
  services,
  laneOf: fixturePublished.laneOf,
  publicUrl: 'https://gateway.example.com',
}

test('describes the whole catalog in fewer than 4000 tokens', () => {
  const tokens = countTokens(llmsTxt(published))
  assert.ok(tokens < 4_000, `${tokens} tokens`)
})

test('links the page of each service, and each page has all actions of the service', () => {
  const overview = llmsTxt(published)
  for (const service of services) {
    assert.ok(overview.includes(`](https://gateway.example.com/llms/${service.id}.txt)`))
    const page = serviceLlmsTxt(published, service)
    for (const name of Object.keys(service.actions))
      assert.ok(page.includes(`- [${service.id}/${name}](`), `${service.id}/${name}`)
  }
})

test('contains every endpoint in the full document, in fewer than 100 000 tokens', () => {
  const full = llmsFullTxt(published)
  for (const { actions } of services)
    for (const action of Object.values(actions))
      if (action.kind === 'endpoint')
        for (const { endpoint } of action.endpoints)
          assert.ok(full.includes(`\`${endpoint}\`: `), endpoint)
  const tokens = countTokens(full)
  assert.ok(tokens < 100_000, `${tokens} tokens`)
})

test('lists every action with its price and required parameters on the page of its service', () => {
  const [library, ledgers] = fixtureServices
  assert.ok(library?.actions['search'] && ledgers)
  assert.match(llmsTxt(fixturePublished), /^# Tollgate\n\n> /)
  const text = serviceLlmsTxt(fixturePublished, library)
  assert.match(
    text,
    /\[library\/pages\]\(https:\/\/gate\.example\/api\/run\/library\/pages\): Read pages of a book\. Price: 0\.1¢ per page.* Required: ids or urls\./,
  )
  const { search } = library.actions
  const charged = {
    ...search,
    billing: { ...search.billing, chargeWhen: 'success', onMiss: 'charged' },
  } as const
  assert.match(
    serviceLlmsTxt(fixturePublished, { ...library, actions: { search: charged } }),
    /Price: 1¢ per call, with or without a result\./,
  )
  assert.doesNotMatch(text, /with or without a result/)
  assert.match(serviceLlmsTxt(fixturePublished, ledgers), /^ {2}- `\/ships\/crew`: .+ \(ship\), /m)
})
