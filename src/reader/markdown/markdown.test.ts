import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bodyOf, parseDocument } from '../extract/dom.ts'
import { toMarkdown } from './markdown.ts'

const BASE = 'https://site.example/dir/page'
const markdown = (html: string): string => toMarkdown(bodyOf(parseDocument(html)), BASE)

/** Guarantee, HTML, markdown. */
const CASES: [string, string, string][] = [
  [
    'headings keep their level on one line',
    '<h1>One</h1><h3>Three<br>more</h3><h2> </h2>',
    '# One\n\n### Three more',
  ],
  [
    'a heading loses the link to itself and keeps other links',
    '<h2><a href="#a">One</a><a class="headerlink" href="/dir/page#a">¶</a></h2><h2><a href="/b#c">Two</a></h2>',
    '## One\n\n## [Two](https://site.example/b#c)',
  ],
  [
    'a link to a place of the same page is written as words, unless it is a note or a view',
    '<p><a href="#a">One</a> <a href="/dir/page#b">two</a><sup><a href="#n">1</a></sup> <a href="#/c">three</a> <a href="/b#d">four</a></p>',
    'One two[1](https://site.example/dir/page#n) [three](https://site.example/dir/page#/c) [four](https://site.example/b#d)',
  ],
  [
    'lines that begin with a drawn bullet are items of a list',
    '<p>Bring:<br>• a towel<br>•&nbsp;water</p><div>▪ shoes</div><p>5 • 6</p>',
    'Bring:\n- a towel\n- water\n\n- shoes\n\n5 • 6',
  ],
  [
    'paragraphs are separated and white space collapses',
    '<p>a\n  b</p><div>c <b>d</b></div>e',
    'a b\n\nc **d**\n\ne',
  ],
  [
    'emphasis signs stay inside the spaces',
    '<p>x<b> y </b>z <i>q</i><del>w</del></p>',
    'x **y** z *q*~~w~~',
  ],
  ['a line break is a hard break', '<p>a<br>b</p>', 'a  \nb'],
  [
    'links and images are absolute, with parentheses and spaces encoded',
    '<p><a href="../x (1)">x</a> <img src="i.png" alt="An [i]"></p>',
    '[x](https://site.example/x%20%281%29) ![An i](https://site.example/dir/i.png)',
  ],
  [
    'script links keep only their words, and inline images are removed',
    '<p><a href="javascript:alert(1)">go</a><a href="JaVaScRiPt:x">o</a><img src="data:image/png;base64,AA" alt="x"></p>',
    'goo',
  ],
  [
    "a lazy image is read from its loader's attribute",
    '<img data-src="/a.jpg" src="data:image/gif;base64,R0"><img srcset="/b.jpg 1x, /c.jpg 2x">',
    '![](https://site.example/a.jpg)![](https://site.example/b.jpg)',
  ],
  [
    'an image is read from its sources, and a URL keeps its comma',
    '<picture><source data-srcset="/a,w_2/b.webp 320w, /c.webp 640w"><img src="data:image/gif;base64,R0" alt="p"></picture><amp-img src="/d.jpg"></amp-img>',
    '![p](https://site.example/a,w_2/b.webp)![](https://site.example/d.jpg)',
  ],
  [
    'a lazy image replaces its blank placeholder',
    '<img src="/blank.gif" data-src="/a.jpg">',
    '![](https://site.example/a.jpg)',
  ],
  [
    'exponents and indexes keep their tags, and ordinals become words',
    '<p>10<sup>6</sup> H<sub>2</sub>O 1<sup>st</sup> word<sup><a href="/n">2</a></sup></p>',
    '10<sup>6</sup> H<sub>2</sub>O 1st word[2](https://site.example/n)',
  ],
  ['an item keeps its own number', '<ol><li value="7">a</li><li>b</li></ol>', '7. a\n8. b'],
  [
    'lines of code separated only by styles stay lines',
    '<pre><code><span class="line">a</span><span class="line">b</span></code></pre><pre><span class="line">a</span>\n<span class="line">b</span></pre>',
    '```\na\nb\n```\n\n```\na\nb\n```',
  ],
  [
    'a linked card keeps its blocks, with the link on its heading',
    '<a href="/c"><h3>Card</h3><p>Words.</p></a>',
    '### [Card](https://site.example/c)\n\nWords.',
  ],
  [
    'nested lists are indented under their item and stay tight',
    '<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul>',
    '- a\n  - b\n    1. c\n- d',
  ],
  [
    'a list directly in a list belongs to the item before it',
    '<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>',
    '- a\n  - b\n- c',
  ],
  ["numbers start at the page's value", '<ol start="9"><li>a</li><li>b</li></ol>', '9. a\n10. b'],
  [
    'items of several paragraphs are loose and indented',
    '<ul><li><p>a</p><p>b</p></li><li>c</li></ul>',
    '- a\n\n  b\n\n- c',
  ],
  [
    'task lists keep their boxes',
    '<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> open</li></ul>',
    '- [x] done\n- [ ] open',
  ],
  [
    'code keeps its spaces and its language',
    '<div class="highlight"><pre><code class="language-ts">if (a) {\n  b\n}\n</code></pre></div>',
    '```ts\nif (a) {\n  b\n}\n```',
  ],
  [
    'line numbers of highlighters are removed',
    '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>a\nb</pre></td></tr></table>',
    '```\na\nb\n```',
  ],
  ['a fence is longer than any fence inside', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  [
    'inline code with backticks is fenced with more of them',
    '<p><code>a`b</code> <code>`</code></p>',
    '``a`b`` `` ` ``',
  ],
  [
    'tables are GFM with escaped bars',
    '<table><thead><tr><th>a</th><th>b|c</th></tr></thead><tbody><tr><td>1</td><td>x<br>y</td></tr></tbody></table>',
    '| a | b\\|c |\n| --- | --- |\n| 1 | x<br>y |',
  ],
  [
    'a cell over several rows names each row, and columns stay aligned',
    '<table><tr><th>a</th><th>b</th><th>c</th></tr><tr><td rowspan=2>1</td><td colspan=2>2</td></tr><tr><td>3</td><td>4</td></tr></table>',
    '| a | b | c |\n| --- | --- | --- |\n| 1 | 2 |  |\n| 1 | 3 | 4 |',
  ],
  [
    'a header over several columns names each, and a title over all columns is written once',
    '<table><thead><tr><th colspan=3>Rates</th></tr><tr><th>a</th><th colspan=2>b</th></tr></thead><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    '| Rates |  |  |\n| --- | --- | --- |\n| a | b | b |\n| 1 | 2 | 3 |',
  ],
  [
    'adjacent lists stay apart',
    '<ul><li>a</li></ul><ul><li>b<ul><li>c</li></ul></li></ul><ul><li>d</li></ul><ol><li>e</li></ol><ol><li>f</li></ol>',
    '- a\n\n* b\n  - c\n\n- d\n\n1. e\n\n1) f',
  ],
  ['an item may begin with a rule', '<ul><li><hr><p>a</p></li></ul>', '- ***\n\n  a'],
  [
    'raw formulas keep their signs, and other dollars and brackets stay text',
    '<p>If \\(x_1 * y_1\\) holds, \\[\\{a\\}^2\\] and $$\\frac{a_b}{c}$$ cost $5 or $6 (\\o/).</p>',
    'If $x_1 * y_1$ holds, $$\\{a\\}^2$$ and $$\\frac{a_b}{c}$$ cost $5 or $6 (\\o/).',
  ],
  [
    'a caption is written above its table',
    '<table><caption>Rates</caption><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
    'Rates\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'a layout table is written as blocks',
    '<table role="presentation"><tr><td><p>a</p></td><td><p>b</p></td></tr></table>',
    'a\n\nb',
  ],
  [
    'quotes nest',
    '<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>',
    '> a\n>\n> > b',
  ],
  ['terms are bold over their definitions', '<dl><dt>T</dt><dd>D</dd></dl>', '**T**\n\nD'],
  [
    'only signs that would change the text are escaped',
    '<p>2 * 3 snake_case [x](y) &lt;b&gt; &amp;amp; C#</p><p># no heading</p><p>1. no list</p><p>- nor this</p>',
    '2 \\* 3 snake_case [x\\](y) \\<b> \\&amp; C#\n\n\\# no heading\n\n1\\. no list\n\n\\- nor this',
  ],
  [
    'emphasis that begins with strong words keeps both',
    '<p><em><strong>a</strong> b</em> and <strong><em>c</em> d</strong> and <i><em>e</em></i></p>',
    '***a** b* and ***c* d** and *e*',
  ],
  ['a line break in code keeps its words apart', '<p><code>a<br>b</code></p>', '`a b`'],
  [
    'invisible word-break characters are removed',
    '<p>Donau\u00addampf\u200bschiff, a \u200b b</p>',
    'Donaudampfschiff, a b',
  ],
  [
    'names between underscores keep all underscores',
    '<p>call __init__ and _x_ of a_b__c</p>',
    'call \\_\\_init\\_\\_ and \\_x\\_ of a_b__c',
  ],
  [
    'a note that looks like a link definition stays visible',
    '<p>[1]: https://a.example/</p>',
    '\\[1]: https://a.example/',
  ],
  [
    'a list may start at 0, but not below',
    '<ol start="0"><li>a</li></ol><ol start="-3"><li>b</li></ol>',
    '0. a\n\n1) b',
  ],
  [
    'words next to a link, in it, or at the end of a heading keep their meaning',
    '<p>Wow!<a href="/a">a]b</a> <a href="/b">c\\</a> <a href="/c">[x](y)</a> <a href="/d">[1]</a></p><h2>Use #</h2>',
    'Wow\\![a\\]b](https://site.example/a) [c\\\\](https://site.example/b) [\\[x\\](y)](https://site.example/c) [[1]](https://site.example/d)\n\n## Use \\#',
  ],
  [
    'adjacent bold runs are merged at any nesting',
    '<p><b>B</b><b>reakfast</b> <b>a</b><span><b>:</b> c</span> <i>d</i><em>e</em></p>',
    '**Breakfast** **a:** c *de*',
  ],
  [
    'punctuation between bold and other words does not break the signs',
    '<p><b>Note:</b>text これは<b>「強調」</b>です a<b>®</b> <b>x:</b> y</p>',
    '**Note**:text これは<strong>「強調」</strong>です a® **x:** y',
  ],
  [
    'a line of signs after a line break does not create a heading or a list',
    '<p>Title<br>==</p><p>Title<br>-</p><p>1)</p>',
    'Title  \n\\==\n\nTitle  \n\\-\n\n1\\)',
  ],
  [
    'the reading of a word is written in parentheses, once',
    '<p><ruby>東京<rt>とうきょう</rt></ruby> <ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby></p>',
    '東京(とうきょう) 漢(かん)',
  ],
  [
    'words and wrappers directly in a list become items',
    '<ul>a<div><li>b</li><li>c</li></div></ul>',
    '- a\n- b\n- c',
  ],
  [
    'a heading in a cell becomes a line of the cell',
    '<table><tr><th><h4>a</h4></th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'code with a block element per line keeps its lines and its language',
    '<div class="syntaxhighlighter php"><table><tr><td class="gutter"><div class="line">1</div><div class="line">2</div></td><td class="code"><div class="container"><div class="line"><code>echo</code> <code>1;</code></div><div class="line"><code>&nbsp;&nbsp;</code><code>x;</code></div></div></td></tr></table></div>',
    '```php\necho 1;\n  x;\n```',
  ],
  [
    "code in a plugin's table keeps its lines",
    '<table><tr><td class="crayon-nums"><div>1</div><div>2</div></td><td class="crayon-code"><div><span>a</span> = 1;</div><div>b</div></td></tr></table><table><tr><td class="line_numbers"><pre>1</pre></td><td class="code"><pre>c</pre></td></tr></table>',
    '```\na = 1;\nb\n```\n\n```\nc\n```',
  ],
  [
    'a lazy image is preferred over its placeholder',
    '<img src="/placeholder.svg" data-lazy-srcset="/a.jpg 300w">',
    '![](https://site.example/a.jpg)',
  ],
  [
    'scripts, styles and controls are removed',
    '<p>a</p><script>x</script><style>y</style><select><option>z</select><svg><text>t</text></svg>',
    'a',
  ],
]

describe('markdown', () => {
  for (const [guarantee, html, expected] of CASES) {
    it(guarantee, () => {
      assert.equal(markdown(html), expected)
    })
  }

  it('converts a page with any number of cells, paragraphs or backticks', () => {
    assert.equal(
      markdown(`<table>${`<tr>${'<td>1</td>'.repeat(50)}</tr>`.repeat(2_600)}</table>`).split('\n')
        .length,
      2_601,
    )
    assert.equal(markdown(`<div>${'<p>a</p>'.repeat(130_000)}</div>`).split('\n\n').length, 130_000)
    for (const tag of ['pre', 'code'])
      assert.ok(markdown(`<${tag}>${'a`b '.repeat(150_000)}</${tag}>`).startsWith('``'), tag)
  })

  it('limits the size of a table with absurd spans', () => {
    const rows = markdown(
      '<table><tr><td colspan=1000000 rowspan=1000000>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>',
    )
    assert.ok(rows.length < 5_000)
  })
})
