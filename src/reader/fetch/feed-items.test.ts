import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { bodyOf, parseDocument } from '../extract/dom.ts'
import { toMarkdown } from '../markdown/markdown.ts'
import { feedPage } from './feed-items.ts'

const BASE = 'https://site.example/feed'
const markdown = (xml: string): string =>
  toMarkdown(bodyOf(parseDocument(feedPage(xml) ?? '')), BASE)

it('reads the entries of RSS with link, author, date and text', () => {
  const xml = `<?xml version="1.0"?><rss version="2.0"><channel><title>Sea &amp; Sky</title><link>https://site.example/</link>
    <item><title><![CDATA[Ship <one>]]></title><link>https://site.example/1?a=1&amp;b=2</link><dc:creator>Ada</dc:creator><pubDate>Tue, 03 Mar 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;A &lt;b&gt;ship&lt;/b&gt; sailed.&lt;/p&gt;</description></item>
    <item><title>Port</title><description>Plain words.</description><content:encoded><![CDATA[<p>The whole text.</p>]]></content:encoded></item></channel></rss>`
  assert.equal(
    markdown(xml),
    '# Sea & Sky\n\n## [Ship](https://site.example/1?a=1&b=2)\n\n**Ada**, Tue, 03 Mar 2026 10:00:00 GMT\n\nA **ship** sailed.\n\n## Port\n\nThe whole text.',
  )
})

it('reads the entries of Atom and of RSS 1.0', () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Sea</title><entry><title>Ship</title><link rel="self" href="/self"/><link href="/1"/><author><name>Ada</name></author><published>2026-03-03</published><content type="xhtml"><div><p>It sailed.</p></div></content></entry></feed>`
  assert.equal(
    markdown(atom),
    '# Sea\n\n## [Ship](https://site.example/1)\n\n**Ada**, 2026-03-03\n\nIt sailed.',
  )
  assert.equal(
    markdown(
      '<rdf:RDF><channel><title>Sea</title></channel><item><title>Ship</title></item></rdf:RDF>',
    ),
    '# Sea\n\n## Ship',
  )
})

it('reads nothing from other XML or from a feed without entries', () => {
  for (const xml of ['<urlset><url></url></urlset>', '<rss><title>a</title></rss>', '<a><rss>'])
    assert.equal(feedPage(xml.replace('<a><rss>', '<catalog><item>x</item></catalog>')), undefined)
})

it('reads a hostile feed in bounded time', () => {
  for (const part of [
    '<item>',
    '<item><title>',
    '<item></item>',
    '<![CDATA[',
    '<item><title><![CDATA[</title></item>',
    '<link ',
  ])
    assert.ok(cpuMsOf(() => feedPage(`<rss>${part.repeat(300_000)}`)) < 2_000, part)
})
