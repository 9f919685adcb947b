/** Courts, nonprofits, the Federal Register, archived pages, Wikipedia and Wikidata: what is peculiar to each. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Data, Outcome } from '../catalog/vocabulary/outcome.ts'
import { prepared, refusal, wireOf, withSimulators } from '../catalog/testing/run-call.ts'
import { createValidator } from '../catalog/validate/validate.ts'

const { run, missOf, failureOf } = withSimulators()

/** What comes of this answer of the vendor with status 200. */
function outcomeOf(id: string, sent: Data, body: unknown): Outcome {
  const { action, input } = prepared(id, sent)
  assert.ok(createValidator().matches(action.reply, body), 'the answer is in the vendor’s form')
  return action.outcome({ status: 200, headers: {}, body }, input)
}

test('a search that finds nothing is an answer and free, whatever status the source gives it', async () => {
  const searches: Record<string, Data> = {
    'courts/dockets': { q: 'sim:miss' },
    'courts/cases': { q: 'sim:miss' },
    'nonprofit/nonprofit_search': { q: 'sim:miss' },
    'fedrules/search': { term: 'sim:miss' },
    'webarchive/snapshots': { url: 'miss.sim.test' },
    'webarchive/available': { url: 'miss.sim.test' },
    'encyclopedia/search': { q: 'sim:miss' },
    'entitygraph/search': { q: 'sim:miss' },
    'entitygraph/sparql': { query: 'SELECT ?a WHERE { ?a ?b "sim:miss" }' },
  }
  for (const [id, sent] of Object.entries(searches)) {
    const result = await run(id, sent)
    assert.ok('outcome' in result && result.outcome.kind === 'empty', id)
    assert.equal(result.charged, 0n, id)
  }
})

test('one thing that does not exist is a 404 and free', async () => {
  assert.equal(await failureOf('nonprofit/nonprofit', { ein: '00-0000001' }), 'upstream_not_found')
  assert.equal(
    await failureOf('fedrules/document', { document_number: '0000-00000' }),
    'upstream_not_found',
  )
  assert.equal(
    await failureOf('webarchive/fetch', { url: 'https://nobody.example/' }),
    'upstream_not_found',
  )
  assert.equal(await failureOf('entitygraph/entity', { id: 'Q404' }), 'upstream_not_found')
  assert.equal(
    (await missOf('encyclopedia/page', { title: 'sim:miss' })).code,
    'upstream_not_found',
  )
})

describe('courts', () => {
  test('dockets and opinions are two types of one search', () => {
    assert.equal(wireOf('courts/dockets', { party_name: 'Apple' }).query?.['type'], 'r')
    assert.equal(wireOf('courts/cases', { q: 'fair use' }).query?.['type'], 'o')
  })

  test('litigants of opinions are looked for in the names of the cases, and a search names something', () => {
    const { action, input } = prepared('courts/cases', {
      case_name: 'v. Samsung',
      party_name: 'Apple',
    })
    assert.deepEqual(action.request(input).query, { type: 'o', case_name: 'v. Samsung Apple' })
    assert.equal(refusal('courts/cases', { order_by: 'score desc' }).code, 'invalid_params')
    assert.equal(refusal('courts/dockets', { order_by: 'score desc' }).code, 'invalid_params')
    assert.equal(
      refusal('courts/dockets', { q: 'x', order_by: 'citeCount desc' }).param,
      'order_by',
    )
  })

  test('it is asked at most as often as anybody may', () => {
    const { limits } = prepared('courts/cases', { q: 'x' }).service.vendor ?? {}
    assert.equal(limits?.perDay, 100)
  })
})

describe('nonprofit', () => {
  test('a letter of the NTEE becomes the vendor’s group, a group stays', () => {
    const group = (ntee: string) =>
      wireOf('nonprofit/nonprofit_search', { ntee }).query?.['ntee[id]']
    assert.deepEqual(
      ['A', 'B', 'd', 'H', 'P20', 'Q', 'W', 'X', 'Y', 'Z', '7', '10'].map(group),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 7, 10],
    )
    assert.equal(refusal('nonprofit/nonprofit_search', { ntee: '11' }).param, 'ntee')
  })

  test('an EIN is taken with and without its dash', () => {
    for (const ein of ['14-2007220', '142007220'])
      assert.equal(wireOf('nonprofit/nonprofit', { ein }).path, '/organizations/142007220.json')
  })
})

describe('fedrules', () => {
  test('only the four kinds of document are taken, one or several', () => {
    assert.deepEqual(
      wireOf('fedrules/search', { type: ['RULE', 'NOTICE'] }).query?.['conditions[type][]'],
      ['RULE', 'NOTICE'],
    )
    assert.equal(refusal('fedrules/search', { type: 'LAW' }).param, 'type')
    assert.equal(refusal('fedrules/search', { per_page: 1001 }).param, 'per_page')
  })

  test('an unknown agency is the caller’s to change', async () => {
    assert.equal(
      await failureOf('fedrules/search', { agency: 'no-such-agency' }),
      'upstream_rejected',
    )
  })
})

describe('webarchive', () => {
  test('the capture that answered is told, when another moment was asked for', async () => {
    const result = await run('webarchive/fetch', {
      url: 'https://example.com/a/b/c.html',
      timestamp: '2019',
    })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
    assert.equal(result.outcome.data['timestamp'], '20250101000000')
    assert.equal(result.outcome.data['encoding'], 'text')
  })

  test('captures are counted from the first or from the last, and never all of a site, as no limit would have it', () => {
    assert.equal(refusal('webarchive/snapshots', { url: 'example.com/*', limit: 0 }).param, 'limit')
    assert.deepEqual(
      [1, -1].map(
        (limit) => wireOf('webarchive/snapshots', { url: 'example.com/*', limit }).query?.['limit'],
      ),
      [1, -1],
    )
  })

  test('a moment is digits, year first; left out it is the latest', () => {
    assert.equal(
      refusal('webarchive/fetch', { url: 'https://example.com/', timestamp: '2025-01-01' }).param,
      'timestamp',
    )
    assert.equal(
      wireOf('webarchive/fetch', { url: 'https://example.com/a?b=c' }).path,
      '/web/2id_/https://example.com/a?b=c',
    )
    assert.equal(
      wireOf('webarchive/fetch', { url: 'https://example.com/a?b=c#part' }).path,
      '/web/2id_/https://example.com/a?b=c',
    )
  })
})

describe('encyclopedia and entitygraph', () => {
  test('each language is a host of its own, and no other host can be named', () => {
    assert.equal(wireOf('encyclopedia/search', { q: 'x', lang: 'de' }).origin, 'de')
    assert.equal(
      prepared('encyclopedia/search', { q: 'x' }).service.vendor?.origins?.['de'],
      'https://de.wikipedia.org',
    )
    assert.equal(refusal('encyclopedia/search', { q: 'x', lang: 'evil.example/' }).param, 'lang')
  })

  test('what is no article is not charged: a title that is not allowed, a special page, a page of another wiki', () => {
    const answers = [
      {
        query: {
          pages: [
            {
              title: '[[x]]',
              invalidreason: 'The requested page title contains invalid characters: "[".',
              invalid: true,
            },
          ],
        },
      },
      { query: { pages: [{ ns: -1, title: 'Special:Search', special: true }] } },
      { query: { interwiki: [{ title: 'fr:Paris', iw: 'fr' }] } },
    ]
    for (const body of answers) {
      const outcome = outcomeOf('encyclopedia/page', { title: 'x' }, body)
      assert.ok(outcome.kind === 'failed' && outcome.code === 'upstream_not_found')
    }
    assert.equal(refusal('encyclopedia/page', { title: 'Ledger|Journal' }).param, 'title')
  })

  test('an error that comes with status 200 is told as what it is', () => {
    const codeOf = (id: string, sent: Data, code: string) => {
      const outcome = outcomeOf(id, sent, {
        error: { code, info: 'Told by the source.' },
        servedby: 'x',
      })
      assert.ok(outcome.kind === 'failed')
      assert.deepEqual((outcome.details?.['upstream'] as Data)['message'], 'Told by the source.')
      return outcome.code
    }
    assert.equal(
      codeOf('entitygraph/search', { q: 'x', lang: 'xx' }, 'badvalue'),
      'upstream_rejected',
    )
    assert.equal(codeOf('entitygraph/search', { q: 'x' }, 'maxlag'), 'upstream_busy')
    assert.equal(
      codeOf('encyclopedia/page', { title: 'x' }, 'internal_api_error_DBQueryError'),
      'upstream_error',
    )
  })

  test('a query that SPARQL cannot read is the caller’s to change, one that takes too long is a timeout', async () => {
    assert.equal(
      await failureOf('entitygraph/sparql', { query: 'invalidSetting' }),
      'upstream_rejected',
    )
    const read = prepared('entitygraph/sparql', { query: 'ASK {}' }).service.vendor?.readFailure
    assert.equal(
      read?.({ status: 500, headers: {}, body: 'java.util.concurrent.TimeoutException' })?.code,
      'upstream_timeout',
    )
  })

  test('a query that asks yes or no is answered', async () => {
    const result = await run('entitygraph/sparql', { query: 'ASK { wd:Q42 wdt:P31 wd:Q5 }' })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
  })
})
