import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createExtractionPool } from './extraction-pool.ts'
import { bodyOf, parseDocument } from './dom.ts'
import { selectParts, type PageParts } from './select-parts.ts'

const PROSE = 'Pottery has been made in this valley for nine centuries. '.repeat(12)
const PAGE = `<!doctype html><html lang="en"><head><title>Pots &amp; pans</title></head><body><nav>Menu</nav><article class="story"><h1>Pots</h1><p>${PROSE}</p><aside class="ad">Buy now</aside></article><span class="price">19 &euro;</span><div class="comments"><p>Nice &lt;pots&gt;.</p></div><script>var a = "<p>"</script></body></html>`

const textWith = (parts: PageParts): string =>
  (bodyOf(parseDocument(selectParts(PAGE, parts))).textContent ?? '').replace(/\s+/g, ' ').trim()

describe('selected parts', () => {
  it('keeps the whole page and its head when nothing is selected', () => {
    const [before, same] = [PAGE, selectParts(PAGE, {})].map((html) => parseDocument(html))
    assert.equal(same?.documentElement?.textContent, before?.documentElement?.textContent)
    assert.equal(same?.querySelector('title')?.textContent, 'Pots & pans')
  })

  it('keeps only the outermost included elements, in the order of the page', () => {
    assert.equal(textWith({ include: ['.price', 'h1', 'article h1'] }), 'Pots19 €')
    assert.equal(textWith({ include: ['.missing'] }), '')
  })

  it('leaves out excluded elements and comments', () => {
    const text = textWith({ exclude: ['.ad', 'nav'], comments: false })
    assert.doesNotMatch(text, /Menu|Buy now|Nice/)
    assert.match(text, /nine centuries/)
    assert.match(textWith({ comments: true }), /Nice <pots>/)
  })

  it('is read by the worker, with the verdict on the whole page', async () => {
    const pool = createExtractionPool({ workers: 1 })
    after(() => pool.close())
    const read = (parts: PageParts) =>
      pool.run(
        {
          html: PAGE,
          url: 'https://a.example/',
          format: 'markdown',
          mainContent: true,
          status: 200,
          parts,
        },
        { accountId: 'a', signal: new AbortController().signal },
      )
    const { content, title, verdict } = await read({ include: ['.price'] })
    assert.deepEqual([content, title, verdict.flags], ['19 €', 'Pots', []])
    assert.doesNotMatch((await read({ exclude: ['p'] })).content, /nine centuries/)
  })
})
