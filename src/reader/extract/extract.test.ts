import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { extractContent, type ExtractInput } from './extract.ts'

const extract = (html: string, more: Partial<ExtractInput> = {}) =>
  extractContent({
    html,
    url: 'https://site.example/dir/page',
    format: 'markdown',
    mainContent: true,
    ...more,
  })
const words = (topic: string, count: number): string =>
  Array.from(
    { length: count },
    (_value, index) =>
      `${topic} ${index} is told in a whole sentence that a reader may well care about.`,
  ).join(' ')
const article = (
  inside: string,
): string => `<html><head><title>Bridges of the North | The Paper</title><meta property="og:type" content="article"></head><body>
  <header><a href="/">Home</a> <ul><li><a href="/a">World</a></li><li><a href="/b">Sport</a></li></ul></header>
  <main><h1>Bridges of the North</h1>${inside}</main>
  <aside>Most read today</aside><footer>© The Paper, all rights reserved</footer></body></html>`

describe('content of a page', () => {
  it('keeps the article and leaves out menus, sidebars, footers, sharing and newsletter boxes', () => {
    const { content, title } = extract(
      article(
        `<p>${words('Bridge', 20)}</p><div class="share-buttons">Tweet this</div><div class="newsletter">Get our mail</div>`,
      ),
    )
    assert.equal(title, 'Bridges of the North')
    assert.match(content, /^Bridge 0 is told[\s\S]*Bridge 19 is told/)
    for (const noise of [
      'Home',
      'World',
      'Most read',
      'rights reserved',
      'Tweet',
      'Get our mail',
      '# Bridges',
    ])
      assert.ok(!content.includes(noise), noise)
  })

  it('keeps the text of a page with misleading class names and styles', () => {
    const page = (name: string) =>
      `<body><h1>Guide</h1>${Array.from({ length: 8 }, (_value, index) => `<div class="${name}"><p>${words(`Step ${index}`, 3)}</p></div>`).join('')}</body>`
    for (const name of ['elementor-widget', 'skip-item', 'review', 'nav-section'])
      assert.ok(extract(page(name)).content.includes('Step 7 2 is told'), name)
    assert.ok(
      extract(
        `<body><div style="display:none"><p>${words('Late', 20)}</p></div><p>Menu</p><script src="/show.js"></script></body>`,
      ).content.includes('Late 19'),
    )
  })

  it('keeps marked-up words inside code and headings', () => {
    const code =
      '<h2><a class="toc-backref" href="#x">Set up</a></h2><pre><code class="language-js"><span class="token comment">// note</span>\n<span class="hljs-meta">use</span></code></pre>'
    const { content } = extract(article(`<p>${words('Bridge', 20)}</p>${code}`), {
      mainContent: false,
    })
    assert.ok(content.includes('## Set up\n\n```js\n// note\nuse\n```'), content.slice(-80))
  })

  it('finds hidden streamed parts and the noscript copy', () => {
    const streamed = `<body><header>Top</header><template id="B:0"></template><script>$RC("B:0","S:0")</script><div hidden id="S:0"><main><p>${words('Streamed', 20)}</p></main></div></body>`
    assert.ok(extract(streamed).content.includes('Streamed 19'))
    const forum = `<body><div id="app"></div><noscript><div>a</div><div>b</div><div><p>${words('Post', 20)}</p></div></noscript></body>`
    assert.ok(extract(forum).content.includes('Post 19'))
  })

  it('opens collapsed panels with their questions, and keeps dialogs and menus closed', () => {
    const hidden = (inside: string) =>
      [
        `<h3><button aria-controls="a1">Question one?</button></h3><div id="a1" hidden><p>${inside} one.</p></div>`,
        `<div role="tabpanel" aria-hidden="true"><p>${inside} two.</p></div>`,
        `<div class="accordion-item"><button>More</button><div style="display: none"><p>${inside} three.</p></div></div>`,
      ].join('')
    const { content } = extract(
      article(
        `<p>${words('Bridge', 20)}</p>${hidden('A whole sentence stands in panel')}<div role="dialog" aria-hidden="true"><p>A dialog that asks for a choice of something.</p></div><div hidden><p>Words for a program, not for a reader.</p></div>`,
      ),
    )
    for (const part of ['### Question one?', 'panel one', 'panel two', 'panel three'])
      assert.ok(content.includes(part), part)
    for (const part of ['A dialog', 'for a program']) assert.ok(!content.includes(part), part)
  })

  it('reads shadow roots, and formulas stored in scripts', () => {
    const html = article(
      `<p>${words('Bridge', 20)}</p><x-note><template shadowrootmode="open"><p>A note that browsers show to everybody.</p></template></x-note><p>Here <script type="math/tex">E=mc^2</script> holds.</p>`,
    )
    assert.match(
      extract(html, { mainContent: false }).content,
      /A note that browsers show to everybody\.[\s\S]*Here \$E=mc\^2\$ holds\./,
    )
    assert.match(
      extract(html, { format: 'text', mainContent: false }).content,
      /Here E=mc\^2 holds/,
    )
  })

  it('reads a document inside a frame of the page, but not a short one', () => {
    const frame = (inner: string) =>
      `<iframe srcdoc="${inner.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`
    const { content } = extract(
      article(
        `<p>${words('Bridge', 20)}</p>${frame(`<body class="a"><p>${words('Framed', 12)}</p><script>var hidden</script>`)}${frame('<p>Play the video</p>')}`,
      ),
    )
    assert.match(content, /Framed/)
    assert.doesNotMatch(content, /Play the video|var hidden/)
  })

  it('fills shadow root slots from the element, and keeps the default text of empty slots', () => {
    const root =
      '<template shadowrootmode="open"><h2><slot name="title">No title</slot></h2><slot></slot><p><slot name="end">The end of it.</slot></p></template>'
    const { content } = extract(
      article(
        `<p>${words('Bridge', 20)}</p><x-card>${root}<p>Words of the card.</p><span slot="title">Its title</span></x-card>`,
      ),
      { mainContent: false },
    )
    assert.ok(
      content.includes('## Its title\n\nWords of the card.\n\nThe end of it.'),
      content.slice(-120),
    )
  })

  it('reads a script-loaded image from its noscript copy', () => {
    const { content } = extract(
      article(
        `<p>${words('Bridge', 20)}</p><p><img alt="" src="data:image/gif;base64,R0"><noscript><img alt="The bridge" src="/bridge.jpg"></noscript></p><p><img src="/boat.jpg"><noscript><img src="/boat.jpg"></noscript></p>`,
      ),
    )
    assert.ok(
      content.endsWith(
        '![The bridge](https://site.example/bridge.jpg)\n\n![](https://site.example/boat.jpg)',
      ),
      content.slice(-120),
    )
  })

  it('writes an AMP image as an HTML image', () => {
    assert.match(
      extract('<p>Words</p><amp-img src="/d.jpg" alt="d"></amp-img>', {
        format: 'html',
        mainContent: false,
      }).content,
      /<img src="https:\/\/site\.example\/d\.jpg" alt="d">/,
    )
  })

  it('keeps exponents, indices, fractions and roots of formulas in every format', () => {
    const read = (math: string, format: 'markdown' | 'text' | 'html' = 'markdown') =>
      /Here (.*) holds\./.exec(
        extract(article(`<p>${words('Bridge', 20)} Here ${math} holds.</p>`), { format }).content,
      )?.[1]
    const x = '<mi>x</mi>'
    const squared = `<msup>${x}<mn>2</mn></msup>`
    const formulas: [string, string][] = [
      [`<math alttext="x^2">${x}</math>`, '$x^2$'],
      [
        `<mjx-container><mjx-math>xyz</mjx-math><mjx-assistive-mml><math><msqrt>${x}</msqrt></math></mjx-assistive-mml></mjx-container>`,
        '$\\sqrt{x}$',
      ],
      [
        `<span class="MathJax_Preview">x2</span><span class="MathJax">x2</span><script type="math/tex">x^2</script>`,
        '$x^2$',
      ],
      [String.raw`<img class="latex" alt="\frac{a}{b}" src="/l.png">`, String.raw`$\frac{a}{b}$`],
      [
        String.raw`<img alt="$\alpha$" src="https://s0.wp.com/latex.php?latex=x">`,
        String.raw`$\alpha$`,
      ],
      [
        `<math><semantics><mrow>${squared}</mrow><annotation encoding="application/x-tex">x^{2}</annotation></semantics></math>`,
        '$x^{2}$',
      ],
      [
        `<math>${squared}<mo>+</mo><msub>${x}<mrow><mi>i</mi><mo>+</mo><mn>1</mn></mrow></msub><mo>=</mo><mn>4</mn></math>`,
        '$x^2 + x_{i + 1} = 4$',
      ],
      [
        `<math display="block"><mfrac><mrow><mo>−</mo><mi>b</mi></mrow><mrow><mn>2</mn><mo>&#8290;</mo><mi>a</mi></mrow></mfrac></math>`,
        '$$\\frac{−b}{2a}$$',
      ],
      [
        `<math><msqrt>${x}<mo>≤</mo><mn>3</mn></msqrt><mroot>${x}<mn>3</mn></mroot></math>`,
        '$\\sqrt{x ≤ 3}\\sqrt[3]{x}$',
      ],
      [
        `<math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mover>${x}<mo>¯</mo></mover></math>`,
        '$∑_{i = 1}^n\\overline{x}$',
      ],
      [
        `<math><msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>10</mn></msup></math>`,
        '${(a)}^{10}$',
      ],
      [
        `<math><mtable><mtr><mtd>${x}</mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>1</mn></mtd><mtd>${squared}</mtd></mtr></mtable></math>`,
        '$\\begin{matrix}x & 0 \\\\ 1 & x^2\\end{matrix}$',
      ],
      [
        '<math><mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts></math>',
        '${}_6^{14}C$',
      ],
      [
        '<math><mmultiscripts><mi>R</mi><mi>i</mi><none/><none/><mi>j</mi></mmultiscripts></math>',
        '$R_i{}^j$',
      ],
      [`<math>${x}<mo>=</mo><mn>4</mn></math>`, 'x=4'],
      [`<math><msup>${x}</msup><mfrac></mfrac></math>`, '$x^{}$'],
    ]
    for (const [math, expected] of formulas) assert.equal(read(math), expected)
    assert.equal(read(`<math>${squared}</math>`, 'text'), 'x^2')
    assert.equal(read(`<math>${squared}</math>`, 'html'), 'x^2')
  })

  it('reads declared JSON-LD text only if the page shows no text', () => {
    const declared = (body: string) =>
      `<html><head><title>Story</title><script type="application/ld+json">{"@graph":[{"@type":"NewsArticle","articleBody":${JSON.stringify(words('Declared', 20))}}]}</script></head><body>${body}</body></html>`
    assert.match(
      extract(declared('<div id="root"></div>')).content,
      /^Declared 0 is told[\s\S]*Declared 19/,
    )
    assert.ok(!extract(declared(`<p>${words('Shown', 20)}</p>`)).content.includes('Declared'))
    assert.equal(
      extract('<script type="application/ld+json">{"articleBody":</script><p>x</p>').content,
      'x',
    )
  })

  it('returns content for pages that defeat the rules, and for empty input', () => {
    const hidden = `<body><div class="modal">${words('Lost', 40)}</div><div role="dialog">${words('Gone', 40)}</div></body>`
    assert.match(extract(hidden).content, /is told/)
    for (const html of [
      '',
      '   ',
      'just words',
      '<p>one',
      '<html>',
      '\0\0',
      '<!doctype html><head><p>in the head',
    ]) {
      assert.equal(typeof extract(html).content, 'string')
    }
    assert.equal(extract('just words').content, 'just words')
    assert.equal(
      extract('<html><head><title>t</title><div><p>in the head</p></div>', { format: 'text' })
        .content,
      'in the head',
    )
  })

  it('resolves relative links against the base element, and ignores a non-web base', () => {
    assert.ok(
      extract(
        '<head><base href="/other/"></head><body><p><a href="x">x</a></p></body>',
      ).content.includes('(https://site.example/other/x)'),
    )
    assert.ok(
      extract(
        '<head><base href="javascript:alert(1)//"></head><body><p><a href="x">x</a></p></body>',
      ).content.includes('(https://site.example/dir/x)'),
    )
  })

  it('returns the whole body when main content is not requested', () => {
    const { content } = extract(article(`<p>${words('Bridge', 20)}</p>`), { mainContent: false })
    for (const part of ['World', '# Bridges of the North', 'Most read', 'rights reserved'])
      assert.ok(content.includes(part), part)
  })

  it('writes a formula once when the page has a visual and an accessible copy', () => {
    const formula =
      '<span class="katex"><span class="katex-mathml"><math alttext="x^2"></math></span><span class="katex-html" aria-hidden="true">x2</span></span>'
    for (const mainContent of [true, false])
      assert.match(
        extract(article(`<p>${words('Bridge', 20)}</p><p>Here ${formula} holds.</p>`), {
          mainContent,
        }).content,
        /Here \$x\^2\$ holds\./,
      )
  })

  it('removes scripts, styles, handlers, frames and code links in any spelling from HTML', () => {
    const attacks = `<p onclick="x()" style="a:b">words that stay here for the reader to see</p><script>x</script><style>y</style><iframe src="//e"></iframe>
      <a href=" java\nscript:x">l</a><a href="JAVASCRIPT:x">m</a><a href="data:text/html,x">n</a><a href="vbscript:x">o</a><img src=x onerror=alert(1)><svg onload=x><a xlink:href="javascript:x">q</a></svg>
      <object data=x></object><embed src=x><form action="javascript:x"><button formaction="javascript:x">b</button></form><math><mtext><img src=x onerror=x></mtext></math>
      <a title='"><script>x</script>' href="https://ok.example/?a=1&b=2">ok</a><noscript><p title="</noscript><img src=x onerror=x>"></noscript><template><script>x</script></template>`
    const { content } = extract(attacks, { format: 'html', mainContent: false })
    assert.ok(
      !/<script|<style|<iframe|<object|<embed|<svg|<form|<math|<button/i.test(content),
      content,
    )
    assert.ok(!/<[^>]*\s(on\w+|style|formaction)=/i.test(content), content)
    assert.ok(!/(href|src)="(?!https?:|mailto:|tel:)/i.test(content), content)
    assert.ok(
      content.includes(
        '<a href="https://ok.example/?a=1&amp;b=2" title="&quot;&gt;&lt;script&gt;x&lt;/script&gt;">ok</a>',
      ),
      content,
    )
    assert.ok(content.includes('words that stay'))
  })

  it('writes text with one line per block and no markup', () => {
    assert.equal(
      extract(
        '<ul><li>a <b>b</b></li><li>c</li></ul><table><tr><td>1</td><td>2</td></tr></table>',
        { format: 'text', mainContent: false },
      ).content.replace(/\t+/g, '|'),
      'a b\nc\n\n1|2',
    )
  })

  it('returns title, description, language, and each absolute link once', () => {
    const html =
      '<html lang="de"><head><title>Seite</title><meta name="description" content=" Eine  Seite "></head><body><a href="/a#x">1</a><a href="/a">2</a><a href="#/view">5</a><a href="#!/view">6</a><a href="javascript:x">3</a><a href="https://other.example/">4</a></body></html>'
    const { title, description, language, links } = extract(html, { includesLinks: true })
    assert.deepEqual(
      { title, description, language, links },
      {
        title: 'Seite',
        description: 'Eine Seite',
        language: 'de',
        links: [
          'https://site.example/a',
          'https://site.example/dir/page#/view',
          'https://site.example/dir/page#!/view',
          'https://other.example/',
        ],
      },
    )
  })

  for (const [name, sentence, shown] of [
    ['a button', 'Press <button>Save</button>, then wait.', 'Press Save, then wait.'],
    ['a label', 'Choose <label>Colour</label> and go on.', 'Choose Colour and go on.'],
    [
      'a button next to emphasis',
      'Press <b>now</b><button> Save </button> to go on.',
      'Press **now** Save to go on.',
    ],
    ['no button after a sentence', 'This is code. <button>Copy</button>', 'This is code.'],
    [
      'no label of a field',
      'Your name <label>Name <input></label> is needed.',
      'Your name is needed.',
    ],
  ] as const)
    it(`keeps words of controls inside sentences: ${name}`, () => {
      const around = `<p>${words('Bridge', 20)}</p>`
      const { content } = extract(article(`${around}<p>${sentence}</p>${around}`))
      assert.equal(content.split('\n\n')[1], shown)
    })

  for (const [name, inside, expected] of [
    ['alone', '<noscript><img src="/i/pier.jpg" alt="Pier"></noscript>', true],
    [
      'that counts visits',
      '<noscript><img src="/i/pier.jpg" width="1" height="1"></noscript>',
      false,
    ],
    ['that is unseen', '<noscript><img src="/i/pier.jpg" style="display:none"></noscript>', false],
  ] as const)
    it(`shows an image for browsers without scripts, ${name}: ${expected ? 'yes' : 'no'}`, () => {
      const around = `<p>${words('Bridge', 20)}</p>`
      const { content } = extract(article(`${around}<p>${inside}</p>${around}`))
      assert.equal(content.includes('/i/pier.jpg'), expected)
    })
})
