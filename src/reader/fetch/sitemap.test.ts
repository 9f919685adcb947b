import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { readPageLinks } from './map-links.ts'
import { parseSitemap, unpackSitemap } from './sitemap.ts'

const urls = (text: string) => parseSitemap(text).pages.map(({ url }) => url)

describe('sitemap', () => {
  it('reads page URLs, decodes entities and CDATA, and skips images and videos', () => {
    const text = `<?xml version="1.0"?><urlset xmlns:image="i" xmlns:news="n">
      <url><loc> https://a.example/x?a=1&amp;b=2 </loc><image:image><image:loc>https://a.example/pic</image:loc><image:title>Pic</image:title></image:image></url>
      <url><loc><![CDATA[https://a.example/y?a=1&b=2]]></loc><news:news><news:title>The news &#8211; today</news:title></news:news></url>
      <url><lastmod>2026-01-01</lastmod></url></urlset>`
    assert.deepEqual(parseSitemap(text), {
      pages: [
        { url: 'https://a.example/x?a=1&b=2', title: undefined },
        { url: 'https://a.example/y?a=1&b=2', title: 'The news – today' },
      ],
      sitemaps: [],
    })
  })

  it('reads sitemaps of an index, with or without tag prefixes', () => {
    const text =
      '<sm:sitemapindex><sm:sitemap><sm:loc>https://a.example/1.xml</sm:loc></sm:sitemap><sitemap><loc>/2.xml</loc></sitemap></sm:sitemapindex>'
    assert.deepEqual(parseSitemap(text), {
      pages: [],
      sitemaps: ['https://a.example/1.xml', '/2.xml'],
    })
  })

  it('reads feeds and plain lists as sitemaps', () => {
    assert.deepEqual(
      urls(
        '<rss><channel><link>https://a.example/</link><item><title>One</title><link>https://a.example/1</link></item></channel></rss>',
      ),
      ['https://a.example/1'],
    )
    assert.deepEqual(
      urls('<feed><entry><title>One</title><link href="https://a.example/1"/></entry></feed>'),
      ['https://a.example/1'],
    )
    assert.deepEqual(urls('https://a.example/1\r\nnot an address\nhttps://a.example/2\n'), [
      'https://a.example/1',
      'https://a.example/2',
    ])
  })

  it('decompresses a sitemap, a truncated one partly, and a bomb up to the limit', async () => {
    const text = `<urlset>${'<url><loc>https://a.example/page</loc></url>'.repeat(5_000)}</urlset>`
    const packed = gzipSync(text)
    assert.equal(await unpackSitemap(packed), text)
    assert.equal(await unpackSitemap(Buffer.from(text)), text)
    assert.match(await unpackSitemap(packed.subarray(0, packed.length - 20)), /^<urlset><url>/)
    assert.ok((await unpackSitemap(gzipSync(Buffer.alloc(100_000_000)))).length <= 21 * 1024 * 1024)
  })

  it('parses hostile text in linear time', () => {
    for (const text of [
      ' '.repeat(1_000_000),
      `a${' '.repeat(1_000_000)}b`,
      ' \n'.repeat(500_000),
      `https://a.example/${'\t'.repeat(1_000_000)}b`,
    ]) {
      const before = process.cpuUsage()
      parseSitemap(text)
      assert.ok(process.cpuUsage(before).user < 2_000_000, JSON.stringify(text.slice(0, 20)))
    }
  })

  it('parses hostile markup in linear time', () => {
    for (const piece of [
      '<url><loc>',
      '<loc',
      '<a ',
      '<a href="',
      '<!--',
      '<script>',
      '<title>',
      '</url>',
      '<![CDATA[',
    ]) {
      const text = `<urlset>${piece.repeat(100_000)}`
      const before = process.cpuUsage()
      parseSitemap(text)
      readPageLinks(text, 'https://a.example/')
      // Quadratic behavior would take minutes for this size.
      assert.ok(process.cpuUsage(before).user < 5_000_000, piece)
    }
  })
})

describe('a file built to take long', () => {
  const files: readonly [string, string][] = [
    ['fields that begin within each other', `<urlset><url>${'<loc><![CDATA[ '.repeat(600_000)}`],
    ['fields of one page without end', `<urlset><url>${'<link href=a>'.repeat(750_000)}`],
  ]
  for (const [name, file] of files)
    it(`is parsed within half a second: ${name}`, () => {
      const cpuMs = cpuMsOf(() => parseSitemap(file))
      assert.ok(cpuMs < 500, `${cpuMs} ms`)
    })

  it('is parsed within half a second: a page of links to one other', () => {
    const html = '<a href=/a>x</a>'.repeat(600_000)
    const cpuMs = cpuMsOf(() =>
      assert.deepEqual(readPageLinks(html, 'https://a.example/').links, ['https://a.example/a']),
    )
    assert.ok(cpuMs < 500, `${cpuMs} ms`)
  })

  it('returns no more sitemaps than a file may have entries', () => {
    assert.equal(
      parseSitemap(`<sitemapindex>${'<sitemap><loc>/a</loc></sitemap>'.repeat(60_000)}`).sitemaps
        .length,
      50_000,
    )
  })

  it('removes tags from the text of a field', () => {
    const { pages } = parseSitemap(
      '<urlset><url><loc>/a</loc><title><![CDATA[ A <loc>/b</loc> ]]></title></url></urlset>',
    )
    assert.deepEqual(pages, [{ url: '/a', title: 'A <loc>/b</loc>' }])
  })
})

describe('links of a page', () => {
  it('returns each link once, absolute by the base, but not from scripts and comments', () => {
    const html = `<html><head><title>A &amp; B</title><base href="/docs/"><meta content='About "it"' name=description></head>
      <!-- <a href="/comment"> --><script>document.write('<a href="/script">')</script>
      <a class=x href=one>1</a><A HREF='two?a=1&amp;b=2'>2</A><a href="one">again</a><a href="mailto:x@y.z">m</a><a href="javascript:x">j</a><a data-href="/no">n</a></html>`
    assert.deepEqual(readPageLinks(html, 'https://a.example/start'), {
      title: 'A & B',
      description: 'About "it"',
      links: ['https://a.example/docs/one', 'https://a.example/docs/two?a=1&b=2'],
    })
  })
})
