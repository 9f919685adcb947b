import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { extractContent } from '../extract/extract.ts'
import { judgePage } from './judge.ts'

const MENU = `<header><nav>${'<a href="/x">Menu item</a>'.repeat(20)}</nav></header>`
const PLAIN_MENU = `<div class="top-menu"><ul>${'<li><a href="/x">Menu item</a></li>'.repeat(20)}</ul></div>`
const FOOTER =
  '<footer><p>© 2026 Example Corp. All rights reserved.</p><a href="/p">Privacy</a></footer>'
const HELP = `<section><h3>Help</h3><ul>${'<li><a href="/h">Help topic</a></li>'.repeat(30)}</ul></section>`
const PROSE = `<p>${'Pottery has been made in this valley for nine centuries. '.repeat(8)}</p>`
const CARDS = `<ul>${Array.from({ length: 30 }, (_value, at) => `<li><h3>Running shoe ${at}</h3><p>Road running shoes in size ${at}, ${at} dollars</p></li>`).join('')}</ul>`

const flagsOf = (body: string) => {
  const html = `<html><head><title>Shop</title></head><body>${body}<script>${'var a=1;'.repeat(8_000)}</script></body></html>`
  const url = 'https://site.example/'
  const { content, title } = extractContent({ html, url, format: 'markdown', mainContent: true })
  return judgePage({ html, content, title, status: 200, finalUrl: url }).flags
}

describe('empty applications', () => {
  it('are thin although they show a menu and a footer', () => {
    const shells: Record<string, string> = {
      'an empty root': `${MENU}<div id="root"></div>${FOOTER}`,
      'a spinner': `${PLAIN_MENU}<div id="app"><div class="spinner"></div></div><div class="site-footer">© 2026 Example Corp. <a href="/p">Privacy</a></div>`,
      'only a footer': `<div id="__next"></div>${FOOTER}`,
      'an empty main': `${MENU}<main></main>${FOOTER}`,
      'a loading text': `${MENU}<app-root>Loading...</app-root>${FOOTER}`,
      'links for help': `${MENU}<div id="root"><div>Loading…</div></div>${HELP}${FOOTER}`,
      'a newsletter box': `${MENU}<div class="view"></div><section class="newsletter"><h2>Join our list</h2><p>Subscribe for early access to new products and offers.</p></section>${FOOTER}`,
      'a footer of many words': `${MENU}<div class="page"></div><footer><p>${'Member of the association of harbour hotels since 1984. '.repeat(3)}</p></footer>`,
      'a spinner and a footer without links': `<div id="root"><div class="part-header">${MENU}</div><div class="grid" aria-busy="true">Loading</div><div class="part-footer">${'<div><span>Track my order</span></div>'.repeat(30)}</div></div>`,
      'a layout with an empty middle': `<div id="root">${MENU}<main id="main"><div class="skeleton"></div></main>${FOOTER}</div>`,
    }
    for (const [name, body] of Object.entries(shells))
      assert.deepEqual(flagsOf(body), ['thin_content'], name)
  })

  it('are not pages with content outside the empty element', () => {
    const pages: Record<string, string> = {
      'prose next to it': `${MENU}<div id="root"></div>${PROSE}${FOOTER}`,
      'an empty dialog': `${MENU}<main>${PROSE}</main><div id="modal-root"></div>${FOOTER}`,
      cards: `${MENU}<div id="app"></div>${CARDS}${FOOTER}`,
      'a copy for browsers without scripts': `<div id="app"></div><noscript><div>${PROSE}${PROSE}</div></noscript>`,
      'a list of links': `${MENU}<main>${HELP}</main>${FOOTER}`,
    }
    for (const [name, body] of Object.entries(pages)) assert.deepEqual(flagsOf(body), [], name)
  })
})
