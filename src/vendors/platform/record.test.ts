import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'
import { service as platform } from './record.ts'

const { run, failureOf } = withSimulators()

function sentOf(id: string, sent: Data) {
  const { action, input } = prepared(id, sent)
  const { path, json, query } = action.request(input)
  return { path, body: json as Data, query: query ?? {} }
}

describe('platform', () => {
  test('requires the number of results for every actor', () => {
    for (const [name, action] of Object.entries(platform.actions)) {
      const { maxItems: _left, ...rest } = action.example
      assert.equal(refusal(`platform/${name}`, rest).param, 'maxItems', name)
    }
  })

  test('names the main parameters as callers know them', () => {
    const names = new Set(
      Object.values(platform.actions).flatMap(({ example }) => Object.keys(example)),
    )
    for (const name of [
      'targetUrls',
      'jobTitles',
      'searchQuery',
      'searchTerms',
      'user_names',
      'startUrls',
      'postUrls',
      'username',
      'usernames',
      'hashtags',
      'keywords',
      'postURLs',
      'searchStringsArray',
    ])
      assert.ok(names.has(name), name)
  })

  test('holds the maximum results at the rate, rounded up to whole cents, at least one', () => {
    for (const [maxItems, price] of [
      [1, '1'],
      [10, '2'],
      [100, '15'],
      [101, '16'],
    ] as const) {
      const { action, input } = prepared('platform/linkedin-company-posts', {
        targetUrls: ['https://www.linkedin.com/company/google'],
        maxItems,
      })
      assert.equal(worstCase(action, input), cents(price))
    }
  })

  test("charges at least one cent for every run, including the vendor's start fee", () => {
    for (const [name, action] of Object.entries(platform.actions)) {
      assert.ok(action.price.kind === 'unit')
      assert.equal(action.price.minimum, cents('1'), name)
      assert.equal(action.price.rounding, 'whole_cent', name)
    }
    const priceOf = (id: string, sent: Data) => {
      const { action, input } = prepared(`platform/${id}`, sent)
      return worstCase(action, input)
    }
    assert.equal(
      priceOf('reddit', { startUrls: ['https://www.reddit.com/r/PostgreSQL/'], maxItems: 1 }),
      cents('1'),
    )
    assert.equal(priceOf('reddit-search', { searches: ['postgres'], maxItems: 2 }), cents('1'))
    assert.equal(
      priceOf('linkedin-jobs', { jobTitles: ['Data Engineer'], maxItems: 8 }),
      cents('1'),
    )
    assert.equal(
      priceOf('linkedin-profile-search', { searchQuery: 'Head of Procurement', maxItems: 1 }),
      cents('1'),
    )
    assert.equal(
      priceOf('linkedin-profile-search', { searchQuery: 'Head of Procurement', maxItems: 10 }),
      cents('8'),
    )
  })

  test("caps the vendor's charge at start fee, whole pages and possible results", () => {
    const capOf = (id: string, sent: Data) =>
      sentOf(`platform/${id}`, sent).query['maxTotalChargeUsd']
    assert.equal(capOf('reddit-search', { searches: ['postgres'], maxItems: 10 }), 0.07)
    assert.equal(capOf('linkedin-profile-search', { searchQuery: 'a', maxItems: 1 }), 0.2)
    assert.equal(capOf('linkedin-profile-search', { searchQuery: 'a', maxItems: 26 }), 0.4)
    assert.equal(
      capOf('linkedin-profile', { profileUrls: ['https://www.linkedin.com/in/a'], maxItems: 1000 }),
      0.05,
    )
  })

  test('holds only the entries of an actor with one result per entry', () => {
    const { action, input } = prepared('platform/linkedin-profile', {
      profileUrls: ['https://www.linkedin.com/in/a', 'https://www.linkedin.com/in/b'],
      maxItems: 100,
    })
    assert.equal(worstCase(action, input), cents('2'))
  })

  test('simulates as many results as it charges, for every actor', async () => {
    for (const [name, { example }] of Object.entries(platform.actions)) {
      const sent = { ...example, maxItems: 40 }
      const { action } = prepared(`platform/${name}`, sent)
      const result = await run(`platform/${name}`, sent)
      assert.ok('outcome' in result && result.outcome.kind === 'done', name)
      const { item_count: count, items } = result.outcome.data as {
        item_count: number
        items: readonly unknown[]
      }
      assert.ok(action.price.kind === 'unit', name)
      const wholeCents = (action.price.rate * BigInt(count) + 9_999n) / 10_000n
      assert.deepEqual([items.length, result.charged], [count, wholeCents * 10_000n], name)
    }
  })

  test('charges returned results, but not rows that report an empty entry', async () => {
    const sent = { hashtags: ['#astronomy'], maxItems: 20 }
    const result = await run('platform/instagram-hashtag', sent)
    assert.ok('outcome' in result && result.outcome.kind === 'done')
    assert.equal(result.outcome.data['item_count'], 20)
    assert.equal(result.charged, cents('6'))
    const { action, input } = prepared('platform/instagram-hashtag', sent)
    const outcome = action.outcome(
      {
        status: 201,
        headers: {},
        body: [{ id: '1' }, { error: 'not_found' }, { noResults: true }, { demo: true }],
      },
      input,
    )
    assert.ok(outcome.kind === 'done')
    assert.equal(outcome.units, 1)
    const miss = await run('platform/instagram-hashtag', { hashtags: ['nobody'], maxItems: 20 })
    assert.ok('outcome' in miss && miss.outcome.kind === 'empty')
    assert.equal(miss.charged, 0n)
  })

  test('truncates more results than requested', () => {
    const { action, input } = prepared('platform/x-search', { searchTerms: ['a'], maxItems: 50 })
    const outcome = action.outcome(
      { status: 201, headers: {}, body: Array.from({ length: 80 }, (_, id) => ({ id })) },
      input,
    )
    assert.ok(outcome.kind === 'done')
    assert.deepEqual([(outcome.data['items'] as unknown[]).length, outcome.units], [50, 50])
  })

  test('divides maxItems among all entries', () => {
    const { body } = sentOf('platform/tiktok-comments', {
      postURLs: ['https://a.example/1', 'https://a.example/2', 'https://a.example/3'],
      maxItems: 10,
    })
    assert.equal(body['commentsPerPost'], 3)
    const jobs = sentOf('platform/linkedin-jobs', {
      jobTitles: ['a', 'b'],
      locations: ['x', 'y', 'z'],
      maxItems: 20,
    })
    assert.equal(jobs.body['maxItems'], 3)
    assert.equal(
      refusal('platform/linkedin-jobs', {
        jobTitles: ['a', 'b'],
        locations: ['x', 'y', 'z'],
        maxItems: 5,
      }).param,
      'maxItems',
    )
  })

  test("allows fewer results than an actor's minimum for one entry, not for several", () => {
    const { body, query } = sentOf('platform/x-search', { searchTerms: ['a'], maxItems: 10 })
    assert.deepEqual([body['maxItems'], query['maxItems'], query['limit']], [50, 50, 10])
    const { action, input } = prepared('platform/x-search', { searchTerms: ['a'], maxItems: 10 })
    assert.equal(worstCase(action, input), cents('1'))
    const outcome = action.outcome(
      { status: 201, headers: {}, body: Array.from({ length: 50 }, (_, id) => ({ id })) },
      input,
    )
    assert.ok(outcome.kind === 'done' && outcome.units === 10)
    assert.equal(
      refusal('platform/x-search', { searchTerms: ['a', 'b'], maxItems: 99 }).param,
      'maxItems',
    )
    assert.equal(
      sentOf('platform/x-followers', { user_names: ['a'], maxItems: 1 }).body['maxFollowers'],
      200,
    )
    assert.equal(
      refusal('platform/x-followers', { user_names: ['a', 'b'], maxItems: 399 }).param,
      'maxItems',
    )
    assert.deepEqual(
      sentOf('platform/x-followers', { user_names: ['@nasa'], maxItems: 400 }).body,
      {
        getFollowers: true,
        getFollowing: false,
        maxFollowings: 200,
        user_names: ['nasa'],
        maxFollowers: 400,
      },
    )
  })

  test('strips @ and # from handles and hashtags, and turns start addresses into objects', () => {
    assert.deepEqual(
      sentOf('platform/instagram-profiles', { usernames: ['@nasa'], maxItems: 1 }).body[
        'usernames'
      ],
      ['nasa'],
    )
    assert.deepEqual(
      sentOf('platform/tiktok-hashtag', { hashtags: ['#moon'], maxItems: 1 }).body['hashtags'],
      ['moon'],
    )
    assert.deepEqual(
      sentOf('platform/youtube', { startUrls: ['https://www.youtube.com/@NASA'], maxItems: 1 })
        .body['startUrls'],
      [{ url: 'https://www.youtube.com/@NASA' }],
    )
    assert.equal(
      sentOf('platform/linkedin-user-posts', { username: '@nasa', maxItems: 1 }).body['username'],
      'nasa',
    )
    assert.deepEqual(
      sentOf('platform/instagram-comments', { postUrls: ['https://a.example/p/1'], maxItems: 1 })
        .body['directUrls'],
      ['https://a.example/p/1'],
    )
    assert.equal(
      refusal('platform/youtube', { startUrls: ['nothing'], maxItems: 1 }).param,
      'startUrls[0]',
    )
  })

  test('names the actor in the path and the caps in the query', () => {
    const { path, query } = sentOf('platform/google-maps', {
      searchStringsArray: ['bike repair'],
      maxItems: 100,
    })
    assert.equal(path, '/acts/compass~crawler-google-places/run-sync-get-dataset-items')
    assert.deepEqual(query, {
      maxItems: 100,
      maxTotalChargeUsd: 0.4,
      timeout: 240,
      clean: true,
      limit: 100,
    })
  })

  test('distinguishes used-up credit, a rejected token and wrong input', async () => {
    const codeFor = (fault: string) =>
      failureOf('platform/tiktok-search', { keywords: [`sim:${fault}`], maxItems: 1 })
    assert.equal(await codeFor('quota'), 'upstream_payment')
    assert.equal(await codeFor('401'), 'upstream_not_configured')
    assert.equal(await codeFor('400'), 'upstream_rejected')
    assert.equal(await codeFor('404'), 'upstream_error')
    assert.equal(await codeFor('408'), 'upstream_timeout')
    const read = (status: number, type: string, message = '') =>
      platform.vendor?.readFailure?.({ status, headers: {}, body: { error: { type, message } } })
        ?.code
    assert.equal(read(400, 'run-failed'), 'upstream_error')
    assert.equal(
      read(403, 'platform-feature-disabled', 'Monthly usage hard limit exceeded'),
      'upstream_payment',
    )
    assert.equal(read(403, 'full-permission-actor-not-approved'), 'upstream_not_configured')
    assert.equal(read(402, 'concurrent-runs-limit-exceeded'), 'upstream_busy')
  })
})
