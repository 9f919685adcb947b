import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bodyOf, parseDocument } from '../extract/dom.ts'
import { extractContent } from '../extract/extract.ts'
import { keepWholes } from './keep-wholes.ts'
import { readBlocks } from './read-blocks.ts'

const paragraph = (number: number) =>
  `<p>The keeper of the harbour light wrote down height ${number} of the water every morning for thirty years, first in pencil and later in ink, and he never missed a day of the winter.</p>`
const read = (inside: string) =>
  extractContent({
    html: `<!doctype html><html><head><title>Heights of the water</title></head><body><article><h1>Heights of the water</h1>${paragraph(1)}${paragraph(2)}${inside}${paragraph(3)}${paragraph(4)}</article></body></html>`,
    url: 'https://site.example/',
    format: 'markdown',
    mainContent: true,
  }).content

const CODE = 'import torch\nfrom torch import nn\nclass Tide(nn.Module):\n    pass'
const kinds: [string, string, RegExp][] = [
  [
    'an image with a caption',
    '<figure><img src="/i/pier.jpg" alt="Pier"><figcaption>Photo: R. Vane</figcaption></figure>',
    /!\[Pier\]\(https:\/\/site\.example\/i\/pier\.jpg\)/,
  ],
  [
    'an image with a caption in further boxes',
    '<figure><div><div><img src="/i/pier.jpg" alt="Pier"></div><div>Credit: R. Vane</div></div></figure>',
    /!\[Pier\]/,
  ],
  [
    'a quoted post',
    '<blockquote class="twitter-tweet"><p>The tide is out.</p>— R. Vane (@vane) <a href="https://t.example/1">May 5</a></blockquote>',
    /> The tide is out\.\n>\s*\n> — R\. Vane/,
  ],
  [
    'code with a caption',
    `<pre><code class="language-python">${CODE}</code></pre><div class="caption">Listing 1</div>`,
    /```python\nimport torch\nfrom torch import nn\nclass Tide\(nn\.Module\):\n {4}pass\n```/,
  ],
  [
    'code with line numbers in a box of their own',
    `<div class="language-python"><span class="lang">python</span><pre><code>${CODE}</code></pre><div aria-hidden="true"><span>1</span><br><span>2</span><br><span>3</span></div></div>`,
    /import torch\nfrom torch/,
  ],
  [
    'an equation in a table',
    '<table class="ltx_equation ltx_eqn_table"><tbody><tr><td></td><td><math alttext="a=\\frac{Q}{K}" display="block"><mi>a</mi></math></td><td>(1)</td></tr></tbody></table>',
    /\n\$\$\n?a=\\frac\{Q\}\{K\}\n?\$\$\n/,
  ],
  [
    'the note of a mark',
    `<p>Many readers cut through this.<sup><a href="#fn-1" id="ref-1">1</a></sup> Others do not.</p>${paragraph(5)}${paragraph(6)}<section class="footnotes"><ol><li id="fn-1"><p>A reader shows feeds.</p></li></ol></section>`,
    /A reader shows feeds\./,
  ],
  [
    'a term without its description',
    `<dl><dt>Gauge</dt><dd>A staff in the harbour that shows how high the water stands on the day.</dd></dl>`,
    /Gauge/,
  ],
]

const written: [string, string, RegExp][] = [
  [
    'a row span of zero',
    '<table><tbody><tr><td rowspan="0">Pier</td><td>1901</td><td>12</td></tr><tr><td>1902</td><td>13</td></tr><tr><td>1903</td><td>14</td></tr></tbody></table>',
    /\| Pier \| 1902 \| 13 \|\n\| Pier \| 1903 \| 14 \|/,
  ],
  [
    'a line of code in a cell',
    '<table><tr><th>Option</th><th>Meaning</th><th>Example</th></tr><tr><td>depth</td><td>how deep</td><td><pre>depth: 3</pre></td></tr></table>',
    /\| depth \| how deep \| `depth: 3` \|/,
  ],
  [
    'code without the numbers of its lines',
    '<pre><code><span class="n">1</span>import torch\n<span class="n">2</span>x = 2\n<span class="n">3</span>pass</code></pre>',
    /```\nimport torch\nx = 2\npass\n```/,
  ],
  [
    'code that counts',
    '<pre><code><span class="n">1</span>,<span class="n">2</span>,\n<span class="n">3</span></code></pre>',
    /```\n1,2,\n3\n```/,
  ],
  [
    'code of an editor without its tool bar',
    '<pre><div><div>Python</div><button>Copy</button></div><div><div class="cm-content"><span>import torch</span><br><span>pass</span></div></div></pre>',
    /```\nimport torch\npass\n```/,
  ],
  [
    'an image of a formula',
    '<p>Fraction: <img src="https://latex.codecogs.com/svg.image?%5Cfrac%7Ba%7D%7Bb%7D">.</p>',
    /Fraction: \$\\frac\{a\}\{b\}\$\./,
  ],
]

describe('structures in Markdown', () => {
  for (const [kind, html, expected] of written)
    it(`are written for ${kind}`, () => {
      assert.match(read(html), expected)
    })
})

describe('structures of the main content', () => {
  for (const [kind, html, expected] of kinds)
    it(`keep ${kind}`, () => {
      assert.match(read(html), expected)
    })
})

/** Texts of the blocks that `keepWholes` keeps; blocks that begin with "+" are chosen. */
function keptOf(html: string): string[] {
  const page = readBlocks(bodyOf(parseDocument(html)), 'https://site.example/')
  const chosen = page.blocks.map(({ text }) => text.startsWith('+'))
  const { kept } = keepWholes(page, chosen)
  return page.blocks.flatMap(({ text }, at) => (kept[at] === true ? [text] : []))
}

/** Posts with the author's data as forum software writes them; the model chose a part of the data. */
const PROFILES: Record<string, (text: string) => string> = {
  phpBB: (text) =>
    `<div class="post"><dl class="postprofile"><dt><a href="/u" class="username">Ann</a></dt><dd>+Posts: 12 of the author</dd></dl><p>${text}</p></div>`,
  XenForo: (text) =>
    `<article><div class="message-userExtras"><dl class="pairs"><dt>Joined</dt><dd>+Feb 1, 2011</dd></dl></div><div><p>${text}</p></div></article>`,
  vBulletin: (text) =>
    `<div class="postbit"><dl class="userinfo_extra"><dt>Date</dt><dd>+Jan 2001</dd></dl><p>${text}</p></div>`,
  'a table': (text) =>
    `<div class="post"><table class="poster-profile"><tr><th>Posts</th><td>+4,100 and more</td></tr><tr><th>Since</th><td>+May 2009</td></tr></table><p>${text}</p></div>`,
}

describe('data next to posts', () => {
  for (const [software, post] of Object.entries(PROFILES))
    it(`is not completed like the terms of an article: ${software}`, () => {
      const html = post('+The gauge stands in the harbour.') + post('+It stood there in 1901.')
      assert.deepEqual(
        keptOf(html).filter((text) => !text.startsWith('+')),
        [],
      )
    })

  it('does not stop terms and values of an article from being completed', () => {
    const terms = `<dl><dt>Gauge</dt><dd>+A staff in the harbour.</dd><dt>Tide</dt><dd>+The height.</dd></dl>`
    const values = `<dl class="specs"><dt>Weight</dt><dd>+12 kg net</dd></dl>`
    const html = `<p>+First words.</p>${terms}<p>+More words.</p>${values}<p>+Last words.</p>`
    for (const name of ['Gauge', 'Tide', 'Weight']) assert.ok(keptOf(html).includes(name), name)
  })
})
