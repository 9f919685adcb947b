import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { done, empty, failed } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import { fakeJob, type Answers } from '../testing/fake-job.ts'
import { compileGlobs, mapSite, type SiteInput } from './map-site.ts'

const links = (...urls: unknown[]): Answers => ({
  'render/map': () => done({ success: true, links: urls }),
})
const pagesOf = async (answers: Answers, input: Partial<SiteInput> = {}) =>
  mapSite(fakeJob(answers), { url: 'https://a.example/', max_pages: 20, ...input })

describe('the pages of a site', () => {
  test('start with the seed and are the readable pages of its host, each once', async () => {
    const { urls, mappedPages } = await pagesOf(
      links(
        'https://b.example/x',
        { url: 'https://a.example/one#top' },
        'https://www.a.example/two',
        'https://blog.a.example/',
        'https://a.example:8443/',
        'https://a.example/one',
        'https://a.example/paper.pdf',
        'nonsense',
        7,
        'https://a.example/',
      ),
    )
    assert.deepEqual(urls, [
      'https://a.example/',
      'https://a.example/one',
      'https://www.a.example/two',
    ])
    assert.equal(mappedPages, 3)
  })

  test('fall back to http for a bare host, but not for a host with a scheme', async () => {
    const onlyHttp: Answers = {
      'render/map': ({ url }) =>
        String(url).startsWith('http:')
          ? done({ success: true, links: ['http://a.example/one'] })
          : failed('no_results', 'Refused.'),
    }
    assert.deepEqual((await pagesOf(onlyHttp, { url: 'a.example' })).urls, [
      'http://a.example/',
      'http://a.example/one',
    ])
    for (const url of ['https://a.example/', 'a.example:443'])
      assert.deepEqual((await pagesOf(onlyHttp, { url })).urls, ['https://a.example/'])
    const neither = await pagesOf(
      { 'render/map': () => failed('no_results', 'Refused.') },
      { url: 'a.example' },
    )
    assert.deepEqual(neither.urls, ['https://a.example/'])
  })

  test('are read once for any scheme, "www." and final slash in the map', async () => {
    const { urls, mappedPages } = await pagesOf(
      links(
        'https://www.a.example/',
        'http://a.example',
        'https://www.a.example/one/',
        'http://www.a.example/one',
        'https://a.example/one?page=2',
      ),
      { max_pages: 3 },
    )
    assert.deepEqual(urls, [
      'https://a.example/',
      'https://www.a.example/one/',
      'https://a.example/one?page=2',
    ])
    assert.equal(mappedPages, 3)
  })

  test('never exceed max_pages, and include the seed despite the globs', async () => {
    const many = links(
      ...Array.from({ length: 80 }, (_, place) => `https://a.example/page-${place}`),
    )
    assert.equal((await pagesOf(many, { max_pages: 3 })).urls.length, 3)
    assert.deepEqual((await pagesOf(many, { max_pages: 1 })).urls, ['https://a.example/'])
    assert.deepEqual(
      (
        await pagesOf(many, {
          include: ['page-7'],
          exclude: ['a.example/page-77', '*-78', '*page-79'],
        })
      ).urls,
      [
        'https://a.example/',
        ...[7, 70, 71, 72, 73, 74, 75, 76].map((place) => `https://a.example/page-${place}`),
      ],
    )
    assert.deepEqual((await pagesOf(many, { exclude: ['*'] })).urls, ['https://a.example/'])
  })

  test('are found late in the list of a large site', async () => {
    const site = [
      ...Array.from({ length: 2_000 }, (_, place) => `https://a.example/shop/${place}`),
      'https://a.example/blog/one',
    ]
    const large: Answers = {
      'render/map': ({ limit }) => done({ success: true, links: site.slice(0, Number(limit)) }),
    }
    assert.deepEqual((await pagesOf(large, { include: ['/blog/*'] })).urls, [
      'https://a.example/',
      'https://a.example/blog/one',
    ])
    assert.deepEqual((await pagesOf(large, { exclude: ['/shop/'] })).urls, [
      'https://a.example/',
      'https://a.example/blog/one',
    ])
  })

  test('come from the second service if the first cannot map the site', async () => {
    const second = {
      'render2/map': () => done({ success: true, data: { links: ['https://a.example/one'] } }),
    }
    assert.deepEqual((await pagesOf(second)).urls, ['https://a.example/', 'https://a.example/one'])
    const both = await pagesOf({
      ...second,
      'render/map': () => empty({ success: true, links: [] }),
    })
    assert.deepEqual(
      both.hops.map(({ provider, ok, charged_cents }) => [provider, ok, charged_cents]),
      [
        ['render', false, 0],
        ['render2', true, 1],
      ],
    )
  })

  test('are only the seed if no service can map the site', async () => {
    assert.deepEqual((await pagesOf({})).urls, ['https://a.example/'])
  })

  test('are rejected by parameter name if the seed is not a readable page', async () => {
    await assert.rejects(
      pagesOf({}, { url: 'nonsense' }),
      (error) =>
        error instanceof AppError && error.code === 'bad_url' && error.param === 'site.url',
    )
  })
})

describe('globs', () => {
  const page = 'https://a.example/blog/2026/ledgers?page=2'
  test('without a star match a part of the URL', () => {
    for (const pattern of [
      '/blog/',
      'ledgers',
      'a.example',
      'page=2',
      'https://a.example/blog/2026/ledgers?page=2',
    ])
      assert.ok(compileGlobs([pattern])(page), pattern)
    for (const pattern of ['/news/', '/blog/2025', 'Ledgers'])
      assert.ok(!compileGlobs([pattern])(page), pattern)
  })

  test('with a star match the URL, the URL without its scheme, or the path', () => {
    for (const pattern of [
      '*',
      'https://a.example/blog/*',
      '*/blog/*',
      '/blog/*',
      'a.example/blog/*',
      '/blog/*/ledgers*',
      '*ledgers?page=2',
      '/blog/2026/*?page=2',
      '**blog**',
    ])
      assert.ok(compileGlobs([pattern])(page), pattern)
    for (const pattern of [
      'blog/*',
      '/blog/*/ledgers',
      '*/news/*',
      'https://b.example/*',
      '*page=3',
      '/blog/2026/ledgers?page=2*2',
    ])
      assert.ok(!compileGlobs([pattern])(page), pattern)
  })

  test('match percent-encoded and plain letters', () => {
    for (const url of ['https://a.example/%C3%BCber/uns', 'https://a.example/%c3%bcber/uns']) {
      for (const pattern of [
        '/über/',
        '/über/*',
        '*über*',
        'a.example/über/*',
        url.replace('uns', '*'),
      ])
        assert.ok(compileGlobs([pattern])(url), pattern)
      assert.ok(!compileGlobs(['/uber/*'])(url))
    }
    assert.ok(compileGlobs(['/100%/*'])('https://a.example/100%/a'))
  })

  test('match quickly for the maximum number of patterns and pages', () => {
    assert.equal(
      compileGlobs([`${'*a'.repeat(500)}*b`])(`https://a.example/${'a'.repeat(2_000)}`),
      false,
    )
    const pages = Array.from(
      { length: 5_000 },
      (_, place) => `https://a.example/${'a'.repeat(200)}/${place}`,
    )
    const isMatch = compileGlobs(
      Array.from({ length: 50 }, (_, place) => `${'*a'.repeat(100)}*b${place}*`),
    )
    let count = 0
    const cpuMs = cpuMsOf(() => (count = pages.filter((page) => isMatch(page)).length))
    assert.equal(count, 0)
    assert.ok(cpuMs < 1_500, `${cpuMs} ms`)
  })
})
