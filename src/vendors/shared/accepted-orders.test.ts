import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { errorCatalog } from '../../errors/catalog.ts'
import { prepared } from '../../catalog/testing/run-call.ts'
import { services } from '../index.ts'

const URL_INPUT = { url: 'https://example.com/' }
const EXTRACT_INPUT = { urls: ['https://example.com/'], prompt: 'the title' }

/** Replies of a vendor that accepted an order without an id that the caller can refer to. */
const ACCEPTED: readonly (readonly [action: string, input: Data, body: Data])[] = [
  ['render/crawl', URL_INPUT, { success: true }],
  ['render/extract', EXTRACT_INPUT, { success: true }],
  ['render2/crawl', URL_INPUT, { success: true }],
  ['render2/extract', EXTRACT_INPUT, { success: true }],
  ['deepenrich/person-enrich', { email: 'ana@example.com' }, { success: true, data: {} }],
  ['emailasync/email-verification', { email: 'ana@example.com' }, { success: true }],
  [
    'captcha/solve',
    { task: { type: 'ImageToTextTask', body: 'aGk=' } },
    { errorId: 0, status: 'processing' },
  ],
  ['gitstore/repo-create', {}, { id: 'r1' }],
]

/** Services whose actions only read: a repeated call costs the operator again and does nothing else. */
const READING = new Set(
  `semantic rag cited unblock geoegress platform contactfind entitygraph regs propdata datahub
   cryptoagent hiringdata fundingdb socialread llmnative-a router2 markets seodata trends`.split(
    /\s+/,
  ),
)
const READING_ACTIONS = new Set(
  `agentic/search agentic/extract render/scrape render/map render/search render2/scrape
   render2/search render2/map emailasync/result companyfind/deep-research llmnative-b/chat
   llmnative-b/embeddings sandbox/sandbox-status media/upload`.split(/\s+/),
)
/** Ends that are safe to repeat. */
const ENDINGS = new Set(['sandbox/sandbox-terminate'])

describe('an order that the vendor accepted', () => {
  for (const [id, sent, body] of ACCEPTED)
    test(`${id}: is not retryable if the vendor returned no id`, () => {
      const { action, input } = prepared(id, sent)
      const outcome = action.outcome({ status: 200, headers: {}, body }, input)
      assert.ok(outcome.kind === 'failed')
      assert.deepEqual(
        [outcome.code, errorCatalog[outcome.code].retryable],
        ['order_unknown', false],
      )
    })

  test('has an action that is marked as an order, unless the action only reads', () => {
    const unmarked = services.flatMap(({ id, actions }) =>
      Object.entries(actions).flatMap(([name, action]) => {
        const path = `${id}/${name}`
        const isOther = READING.has(id) || READING_ACTIONS.has(path) || ENDINGS.has(path)
        if (action.isOrder) return isOther ? [path] : []
        if (
          action.kind === 'local' ||
          action.kind === 'job' ||
          action.price.kind === 'free' ||
          isOther
        )
          return []
        return action.kind === 'endpoint' || sends(action.request(action.example)) ? [path] : []
      }),
    )
    assert.deepEqual(unmarked, [])
  })
})

function sends({ method }: { readonly method: string }): boolean {
  return method !== 'GET'
}
