import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { judgePage, type JudgedPage } from './judge.ts'

const judge = (page: Partial<JudgedPage>) =>
  judgePage({
    content: '',
    title: null,
    status: 200,
    finalUrl: 'https://site.example/page',
    ...page,
  })
const page = (title: string, body: string): string =>
  `<!doctype html><html><head><title>${title}</title><style>p{}</style></head><body>${body}</body></html>`
const prose = (sentence: string, times: number): string =>
  `<p>${Array.from({ length: times }, (_value, index) => `${sentence} Part ${index}.`).join(' ')}</p>`

const WALLS: Record<string, string> = {
  'a browser check': page(
    'Just a moment...',
    '<h1>site.example</h1><p>Verifying you are human. This may take a few seconds.</p><p>site.example needs to review the security of your connection before proceeding.</p>',
  ),
  'a block page': page(
    'Attention Required! | Cloudflare',
    '<h1>Sorry, you have been blocked</h1><p>You are unable to access site.example</p><p>Why have I been blocked? This website is using a security service to protect itself from online attacks.</p><p>Cloudflare Ray ID: 8a9b0c1d2e3f</p>',
  ),
  'an edge refusal': page(
    'Access Denied',
    '<h1>Access Denied</h1>You don\'t have permission to access "http&#58;&#47;&#47;site&#46;example" on this server.<p>Reference&#32;&#35;18&#46;2d351ab8&#46;1557333295</p>',
  ),
  'press and hold': page(
    'Access to this page has been denied',
    '<p>Access to this page has been denied because we believe you are using automation tools to browse the website.</p><p>Press &amp; Hold to confirm you are a human (and not a bot).</p><p>Reference ID 0f3a9c10-11ee</p>',
  ),
  'an interruption': page(
    'Pardon Our Interruption',
    '<p>As you were browsing something about your browser made us think you were a bot.</p>',
  ),
  'a frame of a firewall':
    '<html><head><meta name="robots" content="noindex"></head><body><iframe src="/x">Request unsuccessful. Incapsula incident ID: 70300016-1913</iframe></body></html>',
  'a script-only challenge':
    '<html><head></head><body><script>window.challenge="abc";run()</script></body></html>',
  'a captcha in German': page(
    'Sicherheitsprüfung',
    '<p>Bitte bestätigen Sie, dass Sie kein Roboter sind.</p>',
  ),
  'a captcha in Chinese': page('安全验证', '<p>请完成验证后继续访问</p>'),
  'encoded words': page('Hold on', '<p>&#67;hecking your browser before accessing</p>'),
  'a request to switch a blocker off':
    '<html lang="en"><head><title>shop.example</title></head><body><p id="cmsg">Please enable JS and disable any ad blocker</p><script>var dd={}</script></body></html>',
  'words for readers without scripts':
    '<html><head><title></title></head><body><div id="c"></div><noscript><h1>JavaScript is disabled</h1>In order to continue, we need to verify that you&#39;re not a robot. This requires JavaScript.</noscript><script>go()</script></body></html>',
  'a rejected request': page(
    'Request Rejected',
    'The requested URL was rejected. Please consult with your administrator.<br>Your support ID is: 1234567890123',
  ),
  'a check in a proof of work': page(
    'Making sure you&#39;re not a bot!',
    '<p>Loading...</p><p>You are seeing this because the administrator of this website has set up a program to protect the server.</p>',
  ),
  'a bare refusal': page('403 Forbidden', '<center><h1>403 Forbidden</h1></center><hr>'),
  'a slider in Chinese': page('验证', '<p>亲，请拖动下方滑块完成验证</p>'),
  'too many requests': page(
    'Blocked',
    '<p>We have detected unusual traffic from your network.</p>',
  ),
  'a login wall': page(
    'Log in to Site',
    '<p>You must log in to continue.</p><form><input name="u"><button>Log in</button></form>',
  ),
  'a consent wall': page(
    'Before you continue',
    '<p>Before you continue to Site. We use cookies and data to deliver services.</p><p>Accept all Reject all</p>',
  ),
  'a country wall': page('Sorry', '<p>This content is not available in your country.</p>'),
}

const SHELLS: Record<string, string> = {
  'an application that waits for its script': page(
    'Shop',
    '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/a.js"></script>',
  ),
  'an empty body': page('2025 in review', ''),
  'a few menu words in a large source': page(
    'Store',
    `<div>Home Shop About Contact Cart Search Menu</div><script>${'x'.repeat(9_000)}</script>`,
  ),
  'an error page with status 200': page(
    '404 Not Found',
    '<p>The page you requested could not be found.</p>',
  ),
  'a gateway error with status 200': page('502 Bad Gateway', '<center>nginx</center>'),
}

const PAGES: Record<string, string> = {
  'a long article about captchas': page(
    'How captchas work',
    prose(
      'A captcha asks you to verify you are human, and bot protection such as Cloudflare may say "Just a moment" while checking your browser before access denied pages appear.',
      30,
    ),
  ),
  'a short glossary entry that names captchas': page(
    'Captcha',
    '<p>A captcha is a test on the web. It shows pictures or letters that are easy for people and hard for programs. The word was made up in 2003 by researchers who wanted to keep programs from opening mail accounts; today it is often a single box to tick, and it is found in front of many forms.</p>',
  ),
  'an article with a cookie notice': page(
    'Bread',
    `${prose('Flour and water make bread when they are given time and heat.', 20)}<div>We use cookies. Accept all. Manage preferences.</div>`,
  ),
  'an article for which one can also log in': page(
    'News',
    `${prose('The council met on Tuesday and talked about the bridge.', 20)}<p>Log in to continue reading more.</p>`,
  ),
  'a Chinese article': page(
    '新闻',
    `<p>${'市政府星期二讨论了新的桥梁建设计划并听取了居民的意见。'.repeat(10)}</p>`,
  ),
}

describe('page judge', () => {
  for (const [name, html] of Object.entries(WALLS)) {
    it(`detects a wall with status 200: ${name}`, () => {
      const verdict = judge({ html })
      assert.deepEqual([verdict.flags, verdict.yield], [['blocked'], 0], verdict.reason)
    })
  }

  for (const [name, html] of Object.entries(SHELLS)) {
    it(`judges as thin: ${name}`, () => {
      const verdict = judge({ html })
      assert.deepEqual(verdict.flags, ['thin_content'], verdict.reason)
      assert.ok(verdict.yield < 0.3)
    })
  }

  for (const [name, html] of Object.entries(PAGES)) {
    it(`judges as a page: ${name}`, () => {
      const content = html.replace(/<[^>]+>/g, ' ')
      assert.deepEqual(
        [judge({ html, content }).flags, judge({ content, title: 'x' }).flags],
        [[], []],
        judge({ html, content }).reason,
      )
    })
  }

  it('accepts a tiny static page, because it does not wait for scripts', () => {
    assert.deepEqual(
      judge({ html: page('Hello', '<h1>It works</h1>'), content: 'It works' }).flags,
      [],
    )
  })

  it('detects a wall by its words without the source', () => {
    assert.deepEqual(
      judge({ title: 'Just a moment...', content: '# site.example\n\nVerifying you are human.' })
        .flags,
      ['blocked'],
    )
    assert.deepEqual(
      judge({
        title: 'Attention Required! | Cloudflare',
        content: 'Please [complete the security check](https://x.example) to access site.example',
      }).flags,
      ['blocked'],
    )
    assert.deepEqual(judge({ title: 'Shop', content: 'Loading' }).flags, ['thin_content'])
  })

  it('judges no error status as a page: refusals are blocked, others thin', () => {
    const content = prose('A long and friendly page that says sorry in many words.', 40)
    for (const status of [401, 403, 429, 503])
      assert.deepEqual(judge({ content, status }).flags, ['blocked'], String(status))
    for (const status of [404, 410, 500, 502])
      assert.deepEqual(judge({ content, status }).flags, ['thin_content'], String(status))
  })

  it('estimates the yield of content without a source by its words, at most 0.9', () => {
    const yields = [2, 5, 50, 500].map(
      (times) =>
        judge({ content: prose('Some words that say a little about a thing.', times) }).yield,
    )
    assert.deepEqual(
      yields,
      yields.toSorted((a, b) => a - b),
    )
    assert.ok((yields[0] ?? 1) < 0.5 && (yields[3] ?? 1) <= 0.9)
  })

  it('judges hostile source in linear time', () => {
    const pieces = [
      '<',
      '<script>',
      '<a',
      '<!--',
      '&#x',
      '</script',
      '<svg/>',
      '<title>',
      '<input ',
      'class="',
      '<script type=',
    ]
    const cpuMs = cpuMsOf(() =>
      pieces.forEach((piece) => void judge({ html: piece.repeat(100_000) })),
    )
    assert.ok(cpuMs < 5_000, `${cpuMs} ms`)
  })
})
