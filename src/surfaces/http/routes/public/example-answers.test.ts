import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isJob } from '../../../../calls/quote/webhook-url.ts'
import { createCatalog } from '../../../../catalog/index.ts'
import { fixtureServices } from '../../../../catalog/published/testing/small-catalog.ts'
import { createDiscover } from '../../../../composites/discover/create-discover.ts'
import { createExampleAnswers } from './example-answers.ts'

const catalog = createCatalog()
const discover = createDiscover({
  services: catalog.services,
  laneOf: () => ({ live: null, lanes: [] }),
})
const exampleAnswer = createExampleAnswers({ discover, publicUrl: 'https://gate.example' })

// Actions that read public sources by path have no recorded vendor reply.
for (const entry of catalog
  .allActions()
  .filter(({ action, service }) => action.kind !== 'local' && service.vendor !== undefined)) {
  test(`${entry.service.id}/${entry.name} has an example response with its charge`, async () => {
    const answer = (await exampleAnswer(entry)) as { ok: boolean; charged_micros: number }
    assert.equal(answer.ok, true)
    // A job is charged at its end.
    assert.equal(
      answer.charged_micros > 0,
      entry.action.price.kind !== 'free' && !isJob(entry, entry.action.example),
    )
    assert.ok(JSON.stringify(answer).length < 8_000)
  })
}

test('an example response with a file has the link and file_id, not the vendor’s data', async () => {
  const { data } = (await exampleAnswer(catalog.findAction('media', 'generate'))) as {
    data: {
      images: { url: string }[]
      kept_files: { field: string; file_id: string }[]
      transaction_id: string
    }
  }
  assert.equal(data.images[0]?.url, 'https://gate.example/files/file_…')
  assert.deepEqual(
    [data.kept_files.map(({ field, file_id }) => [field, file_id]), data.transaction_id],
    [[['images[0].url', 'file_…']], 'tx_…'],
  )
})

test('the example of core/discover is its real response', async () => {
  const answer = (await exampleAnswer(catalog.findAction('core', 'discover'))) as {
    data: { hits: { service: string }[] }
    charged_cents: number
  }
  assert.equal(
    answer.data.hits[0]?.service,
    discover.search(String(catalog.findAction('core', 'discover').action.example['query'])).hits[0]
      ?.service,
  )
  assert.equal(answer.charged_cents, 0)
})

test('an action without a recorded reply has no example response', async () => {
  assert.equal(
    await exampleAnswer(createCatalog(fixtureServices).findAction('library', 'search')),
    undefined,
  )
})
