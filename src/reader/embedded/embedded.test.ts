import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { declaredText } from '../extract/declared-text.ts'
import { extractContent } from '../extract/extract.ts'
import { bodyOf, parseDocument } from '../extract/dom.ts'
import { toText } from '../extract/text.ts'
import { NO_FIELDS, readPageFields } from './page-fields.ts'

const SENTENCE = 'The kettle boils a litre of water in three minutes and then turns itself off. '
const URL_OF_PAGE = 'https://shop.example/kettle'
const linked = (node: object): string =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`
const textOf = (html: string): string =>
  toText(bodyOf(parseDocument(declaredText(html)?.html ?? 'nothing is declared')))
const fieldsOf = (html: string) => readPageFields(parseDocument(html), html, URL_OF_PAGE)

describe('embedded content', () => {
  it('describes a product with its offer and reviews', () => {
    const text = textOf(
      linked({
        '@type': 'Product',
        name: 'Kettle 3',
        description: SENTENCE.repeat(3),
        brand: { '@type': 'Brand', name: 'Pot & Co' },
        offers: [
          {
            '@type': 'Offer',
            price: 39.5,
            priceCurrency: 'EUR',
            availability: 'https://schema.org/InStock',
          },
        ],
        aggregateRating: { ratingValue: '4.5', reviewCount: 12 },
        review: {
          '@type': 'Review',
          author: { name: 'Ada' },
          datePublished: '2026-02-01',
          reviewBody: 'Quiet and fast.',
        },
      }),
    )
    for (const part of [
      'Kettle 3',
      'three minutes',
      'Brand: Pot & Co',
      'Price: 39.5 EUR',
      'Availability: InStock',
      'Rating: 4.5 (12 reviews)',
      'Ada, 2026-02-01',
      'Quiet and fast.',
    ])
      assert.ok(text.includes(part), part)
  })

  it('reads questions, threads, recipes, events, jobs and articles', () => {
    const nodes: Record<string, [object, string[]]> = {
      questions: [
        {
          '@type': 'FAQPage',
          mainEntity: [
            {
              '@type': 'Question',
              name: 'How long?',
              acceptedAnswer: { text: `<p>${SENTENCE.repeat(3)}</p>` },
            },
          ],
        },
        ['How long?', 'three minutes'],
      ],
      thread: [
        {
          '@type': 'DiscussionForumPosting',
          headline: 'Kettles',
          text: SENTENCE.repeat(2),
          author: { name: 'Ada' },
          datePublished: '2026-01-02',
          comment: [{ '@type': 'Comment', text: 'Mine whistles.', author: { name: 'Bob' } }],
        },
        ['Kettles', 'Ada, 2026-01-02', 'Bob', 'Mine whistles.'],
      ],
      recipe: [
        {
          '@graph': [
            {
              '@type': ['Recipe'],
              name: 'Tea',
              description: SENTENCE.repeat(2),
              recipeIngredient: ['1 l water', '2 bags'],
              recipeInstructions: [
                {
                  '@type': 'HowToSection',
                  itemListElement: [{ '@type': 'HowToStep', text: 'Boil the water.' }],
                },
              ],
            },
          ],
        },
        ['Tea', '1 l water', 'Boil the water.'],
      ],
      event: [
        {
          '@type': 'MusicEvent',
          name: 'Concert',
          description: SENTENCE.repeat(2),
          startDate: '2026-05-01T20:00',
          location: { name: 'Hall', address: { addressLocality: 'Graz' } },
        },
        ['Concert', 'Start: 2026-05-01T20:00', 'Place: Hall, Graz'],
      ],
      job: [
        {
          '@type': 'JobPosting',
          title: 'Potter',
          description: `&lt;p&gt;${SENTENCE.repeat(3)}&lt;/p&gt;`,
          hiringOrganization: { name: 'Pot & Co' },
        },
        ['Potter', 'Company: Pot & Co', 'three minutes'],
      ],
      article: [
        { '@type': 'https://schema.org/NewsArticle', articleBody: SENTENCE.repeat(8) },
        ['three minutes'],
      ],
    }
    for (const [name, [node, parts]] of Object.entries(nodes)) {
      const text = textOf(linked(node))
      for (const part of parts) assert.ok(text.includes(part), `${name}: ${part}`)
    }
  })

  it('reads the data of applications, with authors and dates of posts', () => {
    const posts = [1, 2, 3].map((at) => ({
      username: `user${at}`,
      created_at: '2026-03-04',
      cooked: `<p>${SENTENCE.repeat(2)} ${at}</p>`,
    }))
    const data = { props: { i18n: { a: SENTENCE.repeat(50) }, topic: { posts } } }
    const json = JSON.stringify(data)
    const sources: Record<string, string> = {
      next: `<script id="__NEXT_DATA__" type="application/json">${json}</script>`,
      json: `<script type="application/json" data-x>${json}</script>`,
      assigned: `<script>window.__INITIAL_STATE__ = ${json};</script>`,
      'a later assignment': `<script>window.__CONFIG__={"a":1};window.__INITIAL_STATE__=${json};(function(){})()</script>`,
      'a parsed text': `<script>window.__PRELOADED_STATE__ = JSON.parse(${JSON.stringify(json)});</script>`,
      'a parsed text in single quotes': `<script>window.__STATE__ = JSON.parse('${json}')</script>`,
      'rows of server components': [json.slice(0, 900), json.slice(900)]
        .map(
          (part, at) =>
            `<script>self.__next_f.push(${JSON.stringify([1, at === 0 ? `1:"$Sreact"\n2:T6,Größe3:${part}` : `${part}\n`])})</script>`,
        )
        .join(''),
      'a script object': `<script>window.__INITIAL_STATE__={a:void 0,f:function(){return"}"},${json.slice(1).replaceAll('"topic":', 'topic:')}</script>`,
      'an object of Nuxt 2': `<script>window.__NUXT__={layout:"default",error:null,${json.slice(1)};</script>`,
      attribute: `<div data-page="${json.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></div>`,
      nested: `<script type="application/json">${JSON.stringify({ topic_7: json })}</script>`,
    }
    for (const [name, html] of Object.entries(sources)) {
      const text = textOf(`<div id="app"></div>${html}`)
      assert.match(text, /user1, 2026-03-04/, name)
      assert.match(text, /turns itself off\. 3/, name)
      assert.ok(text.length < 1_000, `${name}: the dictionary is not content`)
    }
  })

  it('reads the state that Nuxt 2 writes as a call, without running it', () => {
    const texts = [1, 2, 3].map((at) => JSON.stringify(`<p>${SENTENCE.repeat(2)} ${at}</p>`))
    const script = (start: string, body: string, end: string) =>
      `<script>window.__NUXT__=${start}function(a,b,c,d,e,f,g){${body}}${end}</script>`
    const body = `g[0]={username:"user1",created_at:d,cooked:a};e.username="user2";e.created_at=d;e["cooked"]=b;alert("}");f.set(1,2);g[1]=e;g[2]={username:'user3',created_at:d,cooked:c};return {layout:"default",data:[{posts:g,none:void 0,count:-.5e1,when:new Date(17)}],i18n:{}}`
    const values = `${texts.join(',')},"2026-03-04",{},new Map([]),Array(1)`
    for (const html of [
      script('(', body, `(${values}));`),
      script('(', body, `)(${values});`),
      script('', body, `(${values})`),
    ]) {
      const text = textOf(html)
      for (const user of ['user1', 'user2', 'user3'])
        assert.ok(text.includes(`${user}, 2026-03-04`), `${user}: ${html}`)
      assert.match(text, /turns itself off\. 3/)
    }
    const broken = script('(', body, '')
    assert.equal(declaredText(broken), undefined)
    assert.equal(declaredText(script('(', 'return {', '("a"')), undefined)
  })

  it('reads microdata of a page without other declarations', () => {
    const html = `<div itemscope itemtype="https://schema.org/Product"><meta itemprop="name" content="Kettle 3"><meta itemprop="description" content="${SENTENCE.repeat(3)}"><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="39.50"><meta itemprop="priceCurrency" content="EUR"></div></div>`
    for (const part of ['Kettle 3', 'three minutes', 'Price: 39.50 EUR'])
      assert.ok(textOf(html).includes(part), part)
    const article = linked({ '@type': 'NewsArticle', articleBody: 'A pot. '.repeat(90) })
    assert.doesNotMatch(textOf(html + article), /three minutes/)
  })

  it('reads the texts of server components', () => {
    const body = `${SENTENCE.repeat(4)}ß`
    const rows = `1:["$","p",null,{}]\n2:T${Buffer.byteLength(body).toString(16)},${body}3:[]\n`
    const text = textOf(`<script>self.__next_f.push(${JSON.stringify([1, rows])})</script>`)
    assert.match(text, /^The kettle boils[^]*itself off\. ß$/)
    const styles = JSON.stringify([
      '$',
      'div',
      null,
      { className: 'flex h-26 w-fit items-center gap-10 px-10 font-medium text-white '.repeat(9) },
    ])
    const styled = `<script>self.__next_f.push(${JSON.stringify([1, `1:${styles}\n`])})</script>`
    assert.equal(declaredText(styled), undefined)
  })

  it('finds nothing in settings, broken JSON or code', () => {
    for (const html of [
      `<script type="application/json">${JSON.stringify({ config: { text: SENTENCE.repeat(9) } })}</script>`,
      `<script type="application/json">{"text": "${SENTENCE.repeat(9)}</script>`,
      `<script type="application/json">${JSON.stringify({ code: `function a() { ${'return 1; '.repeat(90)} }` })}</script>`,
      '<p>Only a page.</p>',
    ])
      assert.equal(declaredText(html), undefined, html.slice(0, 60))
  })

  it('replaces a page of almost no words and leaves other pages alone', () => {
    const product = linked({ '@type': 'Product', name: 'Kettle', description: SENTENCE.repeat(4) })
    const read = (body: string) =>
      extractContent({
        html: `<title>Kettle</title>${body}${product}`,
        url: URL_OF_PAGE,
        format: 'markdown',
        mainContent: true,
      }).content
    assert.match(read('<div id="root"></div><footer>© 2026</footer>'), /three minutes/)
    assert.doesNotMatch(
      read(
        `<main>${'<p>A long story about pots, wheels and clay from the valley.</p>'.repeat(20)}</main>`,
      ),
      /three minutes/,
    )
  })

  it('expects more of an article than of questions, and more of long content', () => {
    const yieldOf = (node: object): number => declaredText(linked(node))?.yield ?? -1
    const article = (count: number) => ({
      '@type': 'NewsArticle',
      articleBody: SENTENCE.repeat(count),
    })
    const question = { name: 'How?', acceptedAnswer: { text: SENTENCE.repeat(20) } }
    assert.ok(yieldOf(article(60)) > 0.7, String(yieldOf(article(60))))
    assert.ok(yieldOf(article(4)) < 0.6)
    assert.ok(yieldOf(article(20)) > yieldOf({ '@type': 'FAQPage', mainEntity: [question] }))
    const both = `${linked({ '@type': 'FAQPage', mainEntity: [question] })}${linked(article(4))}`
    assert.match(declaredText(both)?.html ?? '', /How\?/)
  })

  it('reads hostile sources in linear time', () => {
    for (const piece of [
      '<script type="application/ld+json">',
      '<script',
      '<script type=application/json>{</script>',
      'data-page="',
      '{"a":',
      '<p itemscope itemtype="https://schema.org/Product" itemprop="name name">a',
    ])
      assert.ok(cpuMsOf(() => declaredText(piece.repeat(300_000))) < 3_000, piece)
    for (const piece of [
      ';window.__STATE = {',
      ';window.__STATE = {"a":1}',
      ';var ' + '_STATE'.repeat(30),
      '\n \t',
      'self.__next_f.push([1,] )',
      "var DATA = '\\'",
      'window.__NUXT__=(function(a){',
      'window.__NUXT__={a:[',
      'window.__NUXT__=(function(a){return a}({b:',
      'window.__NUXT__={a:/*',
      'window.__STATE={a:new  ',
    ])
      assert.ok(
        cpuMsOf(() => declaredText(`<script>${piece.repeat(50_000)}</script>`)) < 3_000,
        piece,
      )
    const nested = `${'<div itemscope itemprop=a>'.repeat(1_500)}${'word '.repeat(350_000)}`
    assert.ok(cpuMsOf(() => declaredText(nested)) < 3_000)
    const shared = JSON.stringify(`{"text":"${'一'.repeat(400_000)}"}`)
    const names = Array.from({ length: 20 }, (_, at) => `v${at}`)
    const lists = names.map((name, at) =>
      at === 0 ? '' : `${name}.a=[${`${names[at - 1]},`.repeat(9)}];`,
    )
    const call = `(function(${names.join(',')}){${lists.join('')}return ${names.at(-1)}}(${shared}${',{}'.repeat(19)}))`
    const flat = `(function(a){return [${'a,'.repeat(100_000)}]}(${shared}))`
    for (const one of [call, flat])
      assert.ok(
        cpuMsOf(() => declaredText(`<script>window.__NUXT__=${one}</script>`)) < 3_000,
        one.slice(0, 60),
      )
    const rows = JSON.stringify([1, '1:T0,'.repeat(100_000)])
    const pushed = `<script>self.__next_f.push(${rows})</script>`
    assert.ok(cpuMsOf(() => declaredText(pushed)) < 3_000)
    const deep = `<script type="application/ld+json">${'{"@graph":['.repeat(5_000)}${']}'.repeat(5_000)}</script>`
    assert.equal(declaredText(deep), undefined)
  })
})

describe('page fields', () => {
  it('reads JSON-LD first', () => {
    const html = `<html lang="en-GB"><meta name="author" content="Somebody"><meta property="og:site_name" content="Pots">${linked({ '@type': 'NewsArticle', author: [{ name: 'Ada' }, { name: 'Bob' }], datePublished: '2026-02-03T04:05:06Z', dateModified: '2026-02-04', image: { url: '/a.jpg' } })}`
    assert.deepEqual(fieldsOf(html), {
      ...NO_FIELDS,
      author: 'Ada, Bob',
      published: '2026-02-03T04:05:06Z',
      modified: '2026-02-04',
      site_name: 'Pots',
      language: 'en-GB',
      image: 'https://shop.example/a.jpg',
    })
  })

  it('reads nodes that others name by their @id', () => {
    const html = linked({
      '@graph': [
        {
          '@type': 'Article',
          author: { '@id': '#ada' },
          publisher: { '@id': '#pots' },
          image: { '@id': '#image' },
        },
        { '@type': 'Person', '@id': '#ada', name: 'Ada' },
        { '@type': 'Organization', '@id': '#pots', name: 'Pots' },
        { '@type': 'ImageObject', '@id': '#image', url: 'https://cdn.example/c.png' },
      ],
    })
    const { author, site_name: site, image } = fieldsOf(html)
    assert.deepEqual([author, site, image], ['Ada', 'Pots', 'https://cdn.example/c.png'])
  })

  it('reads the metadata of journals and libraries, and RDFa prices', () => {
    const facts = (html: string) => {
      const { author, published, language, price, currency } = fieldsOf(html)
      return [author, published, language, price, currency]
    }
    assert.deepEqual(
      facts(
        '<meta name="citation_author" content="Lovelace, Ada"><meta name="citation_publication_date" content="2026/03/04">',
      ),
      ['Lovelace, Ada', '2026-03-04', null, null, null],
    )
    assert.deepEqual(
      facts(
        '<meta name="DC.creator" content="Ada"><meta name="DC.date.issued" content="2026-03-04"><meta name="DC.language" content="fr">',
      ),
      ['Ada', '2026-03-04', 'fr', null, null],
    )
    assert.deepEqual(
      facts(
        '<div vocab="https://schema.org/" typeof="Product"><p class="author-name">Bob</p><span property="price" content="12.50">12,50</span><meta property="priceCurrency" content="USD"></div>',
      ),
      ['Bob', null, null, '12.50', 'USD'],
    )
  })

  it('reads meta tags and microdata', () => {
    const html =
      '<meta property="article:author" content="https://social.example/ada"><meta property="og:locale" content="pt_BR"><meta property="og:image" content="//cdn.example/b.png">' +
      '<div itemscope><a rel="author" href="/ada">Ada  Lovelace</a><time itemprop="datePublished" datetime="2026-01-02">yesterday</time><span itemprop="price" content="19.99">€ 19,99</span><meta itemprop="priceCurrency" content="eur"></div>'
    assert.deepEqual(fieldsOf(html), {
      ...NO_FIELDS,
      author: 'Ada Lovelace',
      published: '2026-01-02',
      language: 'pt-BR',
      image: 'https://cdn.example/b.png',
      price: '19.99',
      currency: 'EUR',
    })
  })

  it('reads the price of an offer, of a range and of a specification', () => {
    const offers = {
      single: { price: '5.00', priceCurrency: 'USD' },
      range: { '@type': 'AggregateOffer', lowPrice: '5.00', priceCurrency: 'USD' },
      specified: { priceSpecification: [{ price: '5.00', priceCurrency: 'USD' }] },
    }
    for (const [name, offer] of Object.entries(offers)) {
      const { price, currency } = fieldsOf(linked({ '@type': 'Product', name: 'x', offers: offer }))
      assert.deepEqual([price, currency], ['5.00', 'USD'], name)
    }
    const group = { '@type': 'ProductGroup', name: 'x', hasVariant: [{ offers: offers.single }] }
    assert.equal(fieldsOf(linked(group)).price, '5.00')
  })

  it('writes other dates as ISO 8601 and drops other texts', () => {
    assert.equal(fieldsOf('<meta name="date" content="March 3, 2026">').published, '2026-03-03')
    assert.deepEqual(
      fieldsOf(
        '<html lang="{{lang}}"><meta name="date" content="soon"><meta name="author" content="https://a.example">',
      ),
      NO_FIELDS,
    )
  })
})
