import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { done, type Data } from '../../catalog/vocabulary/outcome.ts'
import { fakeJob } from '../testing/fake-job.ts'
import { createDomainMemory } from './domain-memory.ts'
import { createOnescrape } from './onescrape.ts'
import type { PageRow } from './page-row.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'

const SOURCE = '<html><body><p class="price">19</p></body></html>'

async function read(input: Data) {
  const calls: string[] = []
  const job = fakeJob({
    'semantic/contents': ({ urls }) => {
      calls.push('semantic')
      const [url] = urls as string[]
      return done({ results: [{ id: url, url, text: '# A\n\nread [it](https://b.example/)' }] })
    },
    'cheapunblock/scrape': ({ url }) => {
      calls.push('cheapunblock')
      return done({ html: SOURCE, final_url: url, status_code: 200 })
    },
    'render2/scrape': ({ formats }) => {
      calls.push(`render2 ${String(formats)}`)
      return done({ success: true, data: { rawHtml: SOURCE, metadata: { statusCode: 200 } } })
    },
  })
  const extracted: Data[] = []
  const outcome = await createOnescrape({
    judge: () => ({ yield: 1, flags: [] }),
    extract: async (raw) => {
      extracted.push(raw)
      return { title: 'A', content: '19', verdict: { yield: 1, flags: [] } }
    },
    memory: createDomainMemory(),
  })({ urls: ['https://a.example/'], format: 'markdown', main_content: true, ...input }, job)
  if (outcome.kind === 'done') assertFits('core/onescrape', outcome.data)
  const [row] = (outcome.kind === 'done' ? outcome.data['rows'] : []) as PageRow[]
  return { row, calls, extracted }
}

describe('options of core/onescrape', () => {
  test('read selected parts from the source that a browser returns', async () => {
    const parts = { include: ['.price'], exclude: ['.ad'], comments: false }
    const { row, calls, extracted } = await read(parts)
    assert.deepEqual(calls, ['render2 rawHtml'])
    assert.deepEqual([row?.content, row?.format, row?.provider], ['19', 'markdown', 'render2'])
    assert.deepEqual([extracted[0]?.['html'], extracted[0]?.['parts']], [SOURCE, parts])
  })

  test('never sell the first view of an application for the view that the URL names', async () => {
    const shown = await read({ urls: ['https://a.example/#/guide'], format: 'html' })
    assert.deepEqual(shown.calls, ['semantic', 'render2 html'])
    assert.equal(shown.row, undefined)
    const position = await read({ urls: ['https://a.example/#guide'] })
    assert.deepEqual([position.calls, position.row?.provider], [['semantic'], 'semantic'])
  })

  test('read in one batch without selectors, and shape the content', async () => {
    const { row, calls } = await read({ format: 'text', comments: true, chunk_chars: 200 })
    assert.deepEqual(calls, ['semantic'])
    assert.deepEqual([row?.content, row?.format], ['# A\n\nread [it](https://b.example/)', 'text'])
    assert.equal(row?.chunks?.length, 1)
  })
})
