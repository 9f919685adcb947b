import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { done, empty, failed } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import { fakeJob, type Answers } from '../testing/fake-job.ts'
import { globs, mapSite, type SiteWish } from './map-site.ts'

const links = (...urls: unknown[]): Answers => ({
  'render/map': () => done({ success: true, links: urls }),
})
const pagesOf = async (answers: Answers, wish: Partial<SiteWish> = {}) =>
  mapSite(fakeJob(answers), { url: 'https://a.example/', max_pages: 20, ...wish })

describe('the pages of a site', () => {
  test('start with the seed and are those of its own host, each once, as far as they can be read', async () => {
    const { urls, mappedPages } = await pagesOf(
      links(
        'https://b.example/x',
        { url: 'https://a.example/one#top' },
        'https://www.a.example/two',
        'https://blog.a.example/',
        'https://a.example:8443/',
        'https://a.example/one',
        'https://a.example/paper.pdf',
        'invalidSetting',
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

  test('are those over http where a bare host has none over https; a host with a scheme is mapped as it stands', async () => {
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

  test('are read once under whatever scheme, "www." and last slash the map lists them', async () => {
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

  test('are never more than asked for, and the seed is among them whatever the globs say', async () => {
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

  test('that fit a pattern are found late in the list of a large site', async () => {
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

  test('are asked of the other service when the first cannot map the site', async () => {
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

  test('are the seed alone when nobody can map the site', async () => {
    assert.deepEqual((await pagesOf({})).urls, ['https://a.example/'])
  })

  test('of a seed that is no readable page are refused by name', async () => {
    await assert.rejects(
      pagesOf({}, { url: 'invalidSetting' }),
      (error) =>
        error instanceof AppError && error.code === 'bad_url' && error.param === 'site.url',
    )
  })
})

describe('globs', () => {
  const page = 'https://a.example/blog/2026/ledgers?page=2'
  test('without a star are a part of the address', () => {
    for (const pattern of [
      '/blog/',
      'ledgers',
      'a.example',
      'page=2',
      'https://a.example/blog/2026/ledgers?page=2',
    ])
      assert.ok(globs([pattern])(page), pattern)
    for (const pattern of ['/news/', '/blog/2025', 'Ledgers'])
      assert.ok(!globs([pattern])(page), pattern)
  })

  test('with a star fit the whole address, the address without its scheme, or the path', () => {
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
      assert.ok(globs([pattern])(page), pattern)
    for (const pattern of [
      'blog/*',
      '/blog/*/ledgers',
      '*/news/*',
      'https://b.example/*',
      '*page=3',
      '/blog/2026/ledgers?page=2*2',
    ])
      assert.ok(!globs([pattern])(page), pattern)
  })

  test('fit an address however its letters are written', () => {
    for (const written of ['https://a.example/%C3%BCber/uns', 'https://a.example/%c3%bcber/uns']) {
      for (const pattern of [
        '/über/',
        '/über/*',
        '*über*',
        'a.example/über/*',
        written.replace('uns', '*'),
      ])
        assert.ok(globs([pattern])(written), pattern)
      assert.ok(!globs(['/uber/*'])(written))
    }
    assert.ok(globs(['/100%/*'])('https://a.example/100%/a'))
  })

  test('of any form are decided at once, also as many as may be sent on as many pages as a map lists', () => {
    assert.equal(globs([`${'*a'.repeat(500)}*b`])(`https://a.example/${'a'.repeat(2_000)}`), false)
    const pages = Array.from(
      { length: 5_000 },
      (_, place) => `https://a.example/${'a'.repeat(200)}/${place}`,
    )
    const isFit = globs(Array.from({ length: 50 }, (_, place) => `${'*a'.repeat(100)}*b${place}*`))
    let count = 0
    const cpuMs = cpuMsOf(() => (count = pages.filter((page) => isFit(page)).length))
    assert.equal(count, 0)
    assert.ok(cpuMs < 1_500, `${cpuMs} ms`)
  })
})
