import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bodyOf, parseDocument, type DomElement } from '../extract/dom.ts'
import { parseHtml, TreeTooLarge } from './parse-html.ts'
import { collapse } from './text-measure.ts'

const textIn = (html: string) => collapse(bodyOf(parseDocument(html)).textContent ?? '').trim()
const characters = (text: string | null) => collapse(text ?? '').trim().length

describe('parsing', () => {
  it('keeps the text of pages with broken structure', () => {
    const pages: Record<string, string> = {
      'a CDATA section in HTML': '<html><body><![CDATA[ x ><p>thread</p></body></html>',
      'no html tag': '<title>t</title><div>thread</div>',
      'a second body': '<html><body></body><body><p>thread</p></body></html>',
      'text after the end': '<html><body></body></html><p>thread</p>',
      'an unclosed head': '<html><head><title>t</title><p>thread</p>',
      'unclosed formatting': '<body><b><p>thread</b></p>',
      'content between table rows': '<table><p>thread</p><tr></tr></table>',
    }
    for (const [name, html] of Object.entries(pages)) assert.equal(textIn(html), 'thread', name)
  })

  it('parses the content of noscript and of templates as elements', () => {
    const body = bodyOf(
      parseDocument('<noscript><p>a</p></noscript><template><p>b</p></template><p>c'),
    )
    assert.deepEqual(
      body.querySelectorAll('noscript > p, template > p, body > p').map((p) => p.textContent),
      ['a', 'b', 'c'],
    )
  })

  it('stops at its limits on nested or multiplying elements', () => {
    assert.throws(() => parseHtml('<div>'.repeat(100_000)), TreeTooLarge)
    // The standard reopens every open font in every paragraph.
    const fonts = Array.from({ length: 1_500 }, (_value, size) => `<font size=${size}>`).join('')
    assert.throws(() => parseHtml(`<p>${fonts}${'</p><p>x'.repeat(20_000)}`), TreeTooLarge)
    assert.throws(
      () => parseHtml('<p>'.repeat(50), { nodes: 40, depth: 2_000 }),
      /more than 40 nodes/,
    )
  })

  it('measures text and links as if it built the collapsed text, after any change', () => {
    const piece = fc.constantFrom(
      'word',
      ' ',
      '\n\t',
      '\u00ad',
      '\u200b ',
      '\u00a0',
      '<b>',
      '</b>',
      '<a href="/">',
      '</a>',
      '<p>',
      '<ul><li>',
      '<!-- c -->',
      '<table>',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        (pieces, removed) => {
          const body = bodyOf(parseDocument(pieces.join('')))
          assertMeasured(body)
          for (const place of removed) {
            const all = body.querySelectorAll('*')
            const one = all[place % Math.max(1, all.length)]
            if (place % 3 === 0) one?.remove()
            else if (place % 3 === 1 && one !== undefined) one.textContent = ' new  text '
            else if (one !== undefined) body.appendChild(one)
            assertMeasured(body)
          }
        },
      ),
    )
  })

  it('finds elements by selectors and rejects invalid ones', () => {
    const document = parseDocument(
      '<ul><li>a<li id=b>b<li class="x y">c</ul><P data-Name="q">d</P>',
    )
    const found = (selectors: string) =>
      document.querySelectorAll(selectors).map((element) => element.textContent)
    assert.deepEqual(found('li:nth-child(2), ul > .x'), ['b', 'c'])
    assert.deepEqual(found('#b + li, p[data-name="Q" i]'), ['c', 'd'])
    assert.deepEqual(found('LI, P'), ['a', 'b', 'c', 'd'])
    assert.deepEqual(found('li:not(:has(+ li))'), ['c'])
    assert.equal(document.querySelector('.x')?.closest('ul')?.children.length, 3)
    assert.throws(() => found('li['))
  })
})

function assertMeasured(root: DomElement): void {
  for (const element of [root, ...root.querySelectorAll('*')]) {
    assert.equal(element.textLength, characters(element.textContent))
    const links = element.querySelectorAll('a').map((link) => characters(link.textContent))
    assert.equal(
      element.linkLength,
      links.reduce((sum, length) => sum + length, 0),
    )
  }
}
