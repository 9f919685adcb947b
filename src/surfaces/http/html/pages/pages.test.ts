import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parseHTML as parse } from 'linkedom'
import { createCatalog } from '../../../../catalog/index.ts'
import {
  fixturePublished as published,
  fixtureServices,
} from '../../../../catalog/published/testing/small-catalog.ts'
import { createDiscover } from '../../../../composites/discover/create-discover.ts'
import { canBeJob } from '../../../../catalog/vocabulary/define.ts'
import { actionPage } from './action-page.ts'
import { listActions } from './catalog/list-actions.ts'
import { categoryTitle, platformOf, type Narrow } from './catalog/narrow.ts'
import { catalogPage } from './catalog-page.ts'
import { landingPage, type LandingFigures } from './landing-page.ts'
import { countActions } from './landing-tiles.ts'
import { notFoundPage } from './not-found-page.ts'

type Element = {
  readonly id: string
  readonly tagName: string
  readonly textContent: string
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  querySelector(selector: string): Element | null
  querySelectorAll(selector: string): Iterable<Element> & { readonly length: number }
  closest(selector: string): Element | null
}
// linkedom's types need the DOM type library.
const parseHTML = parse as unknown as (markup: string) => { readonly document: Element }

const site = { publicUrl: 'https://gate.example', version: 'v1' }
const catalog = createCatalog(fixtureServices)
const discover = createDiscover(published)
const everything = { search: undefined, onlyLive: false }
const NO_MODELS = { languageModels: 0, mediaModels: 0, routerIsLive: false }
const evil = '"><script>alert(1)</script>'

const pages: Readonly<Record<string, string>> = {
  landing: landingPage(site, published, { ...NO_MODELS, lastDay: null }),
  catalog: catalogPage(site, published, everything),
  search: catalogPage(site, published, {
    search: { ...discover.search('books'), page: 1 },
    onlyLive: false,
  }),
  'search without a hit': catalogPage(site, published, {
    search: { query: evil, hits: [], page: 1 },
    onlyLive: true,
  }),
  action: actionPage(site, published, {
    entry: catalog.findAction('library', 'search'),
    answer: { ok: true, data: { text: evil } },
    related: [{ service: 'library', name: 'pages' }],
  }),
  passthrough: actionPage(site, published, { entry: catalog.findAction('ledgers', 'fetch') }),
  'passthrough without a match': actionPage(site, published, {
    entry: catalog.findAction('ledgers', 'fetch'),
    find: evil,
  }),
  'not found': notFoundPage(site, ['library/search']),
}

for (const [name, markup] of Object.entries(pages)) {
  const { document } = parseHTML(markup)
  const all = (selector: string) => [...document.querySelectorAll(selector)]

  test(`${name}: has no inline script or style and loads nothing from other hosts`, () => {
    assert.deepEqual(all('script:not([src]), style, [style], iframe, object, base'), [])
    assert.deepEqual(
      all('script').filter(({ textContent }) => textContent !== ''),
      [],
    )
    for (const element of all('*'))
      for (const { name: attribute } of element.attributes) assert.doesNotMatch(attribute, /^on/)
    for (const element of all('[src], link[rel=stylesheet], link[rel=icon], link[rel=preload]'))
      assert.match(
        element.getAttribute('src') ?? element.getAttribute('href') ?? '',
        /^\/(?:assets\/|favicon\.ico$)/,
      )
  })

  test(`${name}: has one h1, skips no heading level and has landmarks`, () => {
    const levels = all('main h1, main h2, main h3, main h4').map(({ tagName }) =>
      Number(tagName.slice(1)),
    )
    assert.equal(levels.filter((level) => level === 1).length, 1)
    assert.deepEqual(
      all('h1[role], h2[role], h3[role]').map(({ textContent }) => textContent),
      [],
      'another role would hide the heading from screen readers',
    )
    levels.forEach((level, at) =>
      assert.ok(level <= (levels[at - 1] ?? 0) + 1, `level ${level} at ${at}`),
    )
    assert.deepEqual(
      [all('main').length, all('body > header').length, all('body > footer').length],
      [1, 1, 1],
    )
    assert.equal(document.querySelector('html')?.getAttribute('lang'), 'en')
  })

  test(`${name}: has unique ids, and every label, anchor and reference points to one`, () => {
    const ids = all('[id]').map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    const referred = all('[aria-labelledby], [for]').map(
      (element) => element.getAttribute('aria-labelledby') ?? element.getAttribute('for') ?? '',
    )
    const anchors = all('a[href^="#"]').map((element) =>
      decodeURIComponent((element.getAttribute('href') ?? '').slice(1)),
    )
    for (const id of [...referred, ...anchors]) assert.ok(ids.includes(id), id)
    for (const input of all('input:not([type=hidden])'))
      assert.ok(input.closest('label') !== null || all(`label[for="${input.id}"]`).length === 1)
    for (const image of all('img')) assert.ok(image.hasAttribute('alt'))
  })
}

test('links to sign-in, sign-up and the account from every page', () => {
  for (const [name, page] of Object.entries(pages)) {
    const { document } = parseHTML(page)
    for (const link of [
      'header a[href="/sign-in"]',
      'header a[href="/signup"]',
      'footer a[href="/account"]',
    ])
      assert.ok(document.querySelector(link), `${name}: ${link}`)
  }
})

test('the catalog links to every action', () => {
  const { document } = parseHTML(pages['catalog'] ?? '')
  const links = [...document.querySelectorAll('.action a')].map((link) => link.getAttribute('href'))
  assert.deepEqual(
    links,
    catalog.allActions().map(({ service, name }) => `/catalog/${service.id}/${name}`),
  )
})

test('the live filter lists only live actions', () => {
  const { document } = parseHTML(
    catalogPage(site, published, { search: undefined, onlyLive: true }),
  )
  assert.deepEqual(
    [...document.querySelectorAll('.action a')].map((link) => link.getAttribute('href')),
    ['/catalog/library/search', '/catalog/core/discover'],
  )
})

test('a search hit on an endpoint links to its page, and so does the page of its action', () => {
  const search = catalogPage(site, published, {
    search: { ...discover.search('crew of a ship'), page: 1 },
    onlyLive: false,
  })
  const href = parseHTML(search).document.querySelector('.action a')?.getAttribute('href') ?? ''
  assert.equal(href, '/catalog/ledgers/fetch/ships/crew')
  const { document } = parseHTML(pages['passthrough'] ?? '')
  assert.ok([...document.querySelectorAll('a')].some((link) => link.getAttribute('href') === href))
})

test('search results show the number of matches and link to all pages', () => {
  const [hit] = discover.search('books').hits
  assert.ok(hit !== undefined)
  const hits = Array.from({ length: 95 }, (_, place) => ({
    ...hit,
    endpoint: `/n${place}`,
    live: place < 81,
  }))
  const shownOn = (
    page: number,
    onlyLive = false,
  ): { text: string; count: number; links: (string | null)[] } => {
    const main = parseHTML(
      catalogPage(site, published, { search: { query: 'a & b', hits, page }, onlyLive }),
    ).document.querySelector('main')
    return {
      text: main?.textContent ?? '',
      count: main?.querySelectorAll('li.action').length ?? 0,
      links: [...(main?.querySelectorAll('nav a') ?? [])].map((link) => link.getAttribute('href')),
    }
  }
  assert.deepEqual(
    [1, 2, 3, 9].map((page) => shownOn(page).count),
    [40, 40, 15, 15],
  )
  assert.match(shownOn(2).text, /95 actions match “a & b”.*Page 2 of 3/s)
  assert.deepEqual(shownOn(2).links, ['/catalog?q=a+%26+b', '/catalog?q=a+%26+b&page=3'])
  assert.match(shownOn(3, true).text, /81 actions match/)
  assert.deepEqual(shownOn(3, true).links, ['/catalog?q=a+%26+b&page=2&lane=live'])
})

test('filters a search by category, platform and price, and counts what remains', () => {
  const hits = discover.search('books').hits
  const [hit] = hits
  assert.ok(hit !== undefined)
  const shown = (narrow: object) =>
    parseHTML(
      catalogPage(site, published, {
        search: { query: 'books', hits, page: 1 },
        onlyLive: false,
        narrow,
      }),
    ).document
  const category = published.services.find(({ id }) => id === hit.service)?.category ?? ''
  const own = shown({ category })
  assert.ok(own.querySelectorAll('li.action').length > 0)
  assert.equal(own.querySelector('.facets a[href="/catalog?q=books"]') === null, false)
  assert.match(
    shown({ category: 'none' }).querySelector('main')?.textContent ?? '',
    /The filters leave out all/,
  )
  const free = shown({ price: '0' })
  assert.equal(
    free.querySelectorAll('li.action').length,
    hits.filter(({ price_cents: cents }) => cents === 0).length,
  )
})

test('filters the catalog without a search, and shows the actions that fit', () => {
  const shown = (narrow: Narrow, onlyLive = false) =>
    parseHTML(
      catalogPage(site, published, {
        search: { query: '', hits: listActions(published), page: 1 },
        onlyLive,
        narrow,
      }),
    ).document
  const all = listActions(published)
  assert.equal(all.length, countActions(published.services))
  const jobs = shown({ mode: 'job' })
  const links = [...jobs.querySelectorAll('li.action a')].map((link) => link.getAttribute('href'))
  assert.ok(links.length > 0 && links.length < all.length)
  for (const { service, name, action } of catalog.allActions())
    assert.equal(
      links.some((href) => href?.startsWith(`/catalog/${service.id}/${name}`)),
      canBeJob(action),
      name,
    )
  const category = published.services[0]?.category ?? ''
  const chosen = shown({ category, mode: 'sync' }, true)
  assert.equal(
    chosen
      .querySelector('.facets a[aria-current][href="/catalog?lane=live&mode=sync"]')
      ?.textContent.replace(/\d+$/, ''),
    categoryTitle(category),
    'a chosen filter leads to the list without it',
  )
})

test('names the platform of single actions and of endpoints alike', () => {
  const real = { ...published, services: createCatalog().services }
  const platform = (service: string, action: string, endpoint: string | null = null) =>
    platformOf(real, {
      service,
      action,
      endpoint,
      title: '',
      summary: '',
      price_cents: 0,
      live: true,
    })
  assert.deepEqual(
    ['linkedin-profile', 'x-followers', 'google-maps', 'youtube'].map((name) =>
      platform('platform', name),
    ),
    ['LinkedIn', 'X (Twitter)', 'Google Maps', 'YouTube'],
  )
  assert.equal(platform('core', 'onescrape'), null)
  const groups = new Set(
    listActions(real)
      .filter(({ endpoint }) => endpoint !== null)
      .map((hit) => platformOf(real, hit)),
  )
  for (const name of ['LinkedIn', 'X (Twitter)', 'YouTube', 'TikTok', 'Instagram', 'Reddit'])
    assert.ok(groups.has(name), name)
})

test('a search for live actions reports matches that are not set up', () => {
  const hits = discover.search('books').hits.map((hit) => ({ ...hit, live: false }))
  const { document } = parseHTML(
    catalogPage(site, published, { search: { query: 'books', hits, page: 1 }, onlyLive: true }),
  )
  assert.match(
    document.querySelector('main')?.textContent ?? '',
    /match(es)? “books”, but (it is|they are) not set up on this gateway/,
  )
  assert.ok(document.querySelector('main a[href="/catalog?q=books"]'))
})

test('an action page shows price, billing rule, parameters, request, response and errors', () => {
  const text = parseHTML(pages['action'] ?? '').document.querySelector('main')?.textContent ?? ''
  for (const part of [
    '1¢ per call',
    'An answer without a result is free',
    'Words of the title',
    'Default 10',
    'curl -s https://gate.example/api/run/library/search',
    '"ok": true',
    'credits_required',
  ]) {
    assert.ok(text.includes(part), part)
  }
})

test('the landing page links to the categories of all services', () => {
  const hrefs = [...parseHTML(pages['landing'] ?? '').document.querySelectorAll('.tiles a')].map(
    (link) => link.getAttribute('href'),
  )
  assert.ok(hrefs.length > 0)
  const counted = [...parseHTML(pages['landing'] ?? '').document.querySelectorAll('.tile .figures')]
    .map(({ textContent }) => Number.parseInt(textContent.replaceAll(',', ''), 10))
    .reduce((sum, count) => sum + count, 0)
  assert.equal(counted, countActions(published.services))
})

test('the landing page counts models, actions and services as the catalog and the status page do', () => {
  const figures = { languageModels: 45, mediaModels: 3, routerIsLive: true, lastDay: null }
  const text = (services: (typeof published)['services']): string =>
    parseHTML(landingPage(site, { ...published, services }, figures)).document.querySelector('main')
      ?.textContent ?? ''
  const count = countActions(published.services).toLocaleString('en')
  const [service] = published.services
  assert.ok(service !== undefined)
  const withModels = text([...published.services, { ...service, category: 'language models' }])
  assert.match(withModels, /Language models[^]{0,90}45 models/)
  assert.ok(text(published.services).includes(`${count} actions and endpoints with one key`))
  const live = published.services.filter(({ id, actions }) =>
    Object.keys(actions).some((name) => published.laneOf(id, name).live !== null),
  ).length
  assert.ok(text(published.services).includes(`${live + 1} of ${published.services.length + 1}`))
})

test('the landing page shows the share of calls that succeeded, and admits to too few of them', () => {
  const shown = (lastDay: LandingFigures['lastDay']): string =>
    parseHTML(
      landingPage(site, published, {
        languageModels: 1_200,
        mediaModels: 34,
        routerIsLive: false,
        lastDay,
      }),
    ).document.querySelector('[aria-label="This gateway in figures"]')?.textContent ?? ''
  assert.match(shown({ calls: 1_500, succeeded: 0.9999 }), /99\.9%.*Of 1,500 calls/s)
  assert.match(shown(null), /–.*Too few calls/s)
  assert.doesNotMatch(shown(undefined), /Too few calls|%/)
  assert.match(shown(null), /1,234/)
})

test('an action page names parameters of which one is required', () => {
  const requiredOn = (name: string): string[] => {
    const page = actionPage(site, published, { entry: catalog.findAction('library', name) })
    return [...parseHTML(page).document.querySelectorAll('p')]
      .map(({ textContent }) => textContent)
      .filter((text) => text.includes('Required'))
  }
  assert.deepEqual(requiredOn('pages'), ['Required: ids or urls.'])
  assert.deepEqual(requiredOn('search'), [])
})

test('text meets the contrast of WCAG AA in both color schemes', async () => {
  const pairs = [
    ...['ink', 'ink-2', 'ink-3', 'link'].flatMap((text) =>
      ['bg', 'surface', 'sunken'].map((back) => [text, back] as const),
    ),
    ['link', 'brand-soft'],
    ['on-brand', 'brand'],
    ['ok', 'ok-soft'],
    ['pending', 'pending-soft'],
    ['free', 'free-soft'],
    ['error', 'error-soft'],
    ['error', 'surface'],
    ['error', 'bg'],
    ['test', 'test-soft'],
    ['test', 'surface'],
    ['info', 'info-soft'],
    ['code-comment', 'code-bg'],
    ['code-punctuation', 'code-bg'],
    ['code-string', 'code-bg'],
  ] as const
  for (const color of await schemes()) {
    for (const [text, back] of pairs)
      assert.ok(
        contrast(color(text), color(back)) >= 4.5,
        `${text} on ${back}: ${contrast(color(text), color(back)).toFixed(2)}`,
      )
  }
})

test('the edges of controls and the hairlines of cards are visible in both color schemes', async () => {
  for (const color of await schemes())
    for (const back of ['bg', 'surface']) {
      assert.ok(contrast(color('control'), color(back)) >= 3, `control on ${back}`)
      assert.ok(contrast(color('line'), color(back)) >= 1.15, `line on ${back}`)
    }
})

/** Returns the colors of the light and the dark scheme by name. */
async function schemes(): Promise<((name: string) => string)[]> {
  const tokens = new URL('../styles/foundation/tokens.css', import.meta.url)
  const css = await readFile(tokens, 'utf8')
  return [1, 2].map((scheme) => (name) => {
    const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(css)
    return found?.[scheme] ?? new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(css)?.[1] ?? ''
  })
}

function contrast(left: string, right: string): number {
  const [light = 0, dark = 0] = [luminance(left), luminance(right)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
