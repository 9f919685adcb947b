/** Pages written for the tests of the shipped model: the content is in `<!--+-->…<!---->`. */
export type GoldenPage = { readonly name: string; readonly url: string; readonly html: string }

const sentences = (topic: string, count: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `${topic} changed in ${1990 + at}, according to the survey, and ${3 + at} of the towns along the river reported lower costs than before.`,
  ).join(' ')
const content = (html: string): string => `<!--+-->${html}<!---->`
const menu = (words: readonly string[]): string =>
  `<ul class="nav-menu">${words.map((word) => `<li class="menu-item"><a href="/${word.toLowerCase()}">${word}</a></li>`).join('')}</ul>`
const NAV = `<header class="site-header"><a class="logo" href="/">The Harbour Post</a><nav>${menu(['World', 'Politics', 'Business', 'Science', 'Health', 'Sport', 'Culture', 'Travel'])}</nav><button>Sign in</button></header>`
const FOOTER = `<footer class="site-footer">${menu(['About', 'Careers', 'Contact', 'Advertise', 'Imprint'])}<p>© 2026 The Harbour Post. All rights reserved. <a href="/privacy">Privacy policy</a> <a href="/terms">Terms of use</a></p></footer>`
const teasers = (name: string, titles: readonly string[]): string =>
  `<section class="${name}"><h3>${name === 'related-posts' ? 'Related articles' : 'Most popular'}</h3>${titles.map((title, at) => `<article class="card"><a href="/story-${at}"><img src="/${at}.jpg"><h4>${title}</h4></a><p class="card-excerpt">${title} is a story of another day, in short.</p><time>${at + 2} hours ago</time></article>`).join('')}</section>`
const TITLES = [
  'Council votes on the new tram line',
  'Ten bakeries that open before dawn',
  'Why the lighthouse keeps blinking',
  'A short history of the fish market',
  'Storm warning for the northern coast',
]
const page = (title: string, head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title} | The Harbour Post</title>${head}</head><body>${NAV}${body}${FOOTER}</body></html>`
const ARTICLE_HEAD =
  '<meta property="og:type" content="article"><meta property="og:site_name" content="The Harbour Post">'

const COMMENTS = Array.from(
  { length: 8 },
  (_, at) =>
    `<li class="comment"><span class="comment-author">reader${at}</span><p>I do not agree with point ${at} at all, my neighbour agrees, thanks for writing about it.</p><a href="#reply">Reply</a></li>`,
).join('')
const HAN =
  '市政府周一宣布，新的有轨电车线路将于明年春天开工，预计两年内完成。沿线居民对噪音表示担心，市长则表示，夜间施工将受到严格限制。'
const HAN_LINKS = Array.from(
  { length: 10 },
  (_, at) => `<li><a href="/n/${at}">热门新闻标题第${at}条：港口城市的早餐</a></li>`,
).join('')

export const GOLDEN_PAGES: readonly GoldenPage[] = [
  {
    name: 'a news article with popular stories and a newsletter box',
    url: 'https://post.example/business/2026/11/tariffs-fall-along-the-river',
    html: page(
      'Tariffs fall along the river',
      ARTICLE_HEAD,
      `<main><article class="post"><h1>Tariffs fall along the river</h1><div class="share-buttons"><a href="#">Share</a> <a href="#">Tweet</a></div><div class="entry-content">${content(`<p>${sentences('The tariff', 3)}</p><p>${sentences('Freight', 4)}</p><h2>Reports from the towns</h2><p>${sentences('The levy', 3)}</p><ul><li>Lower fees for small boats</li><li>One form instead of four</li></ul><p>${sentences('Trade', 4)}</p>`)}</div><div class="newsletter-signup"><p>Subscribe to our newsletter and never miss a story.</p></div></article></main><aside class="sidebar">${teasers('most-popular', TITLES)}</aside>`,
    ),
  },
  {
    name: 'a blog post with comments and related posts',
    url: 'https://post.example/blog/how-we-repair-nets',
    html: page(
      'How we repair nets',
      ARTICLE_HEAD,
      `<main><article class="post"><div class="entry-content"><h1>How we repair nets</h1>${content(`<p>${sentences('The net', 3)}</p><p>${sentences('The knot', 3)}</p><p>${sentences('The twine', 3)}</p>`)}</div></article>${teasers('related-posts', TITLES)}<section id="comments" class="comments-area"><h3>8 comments</h3><ol class="comment-list">${COMMENTS}</ol></section></main>`,
    ),
  },
  {
    name: 'a Chinese article next to popular stories',
    url: 'https://news.example/a/20261103/tram.html',
    html: `<html lang="zh"><head><title>新电车线路明年开工_港口新闻</title></head><body><div class="nav">${menu(['首页', '国内', '国际', '财经', '体育'])}</div><div class="main"><div class="article"><h1>新电车线路明年开工</h1>${content(`<p>${HAN}</p><p>${HAN}${HAN}</p><p>${HAN}</p>`)}</div><div class="hot"><h3>热门新闻</h3><ul>${HAN_LINKS}</ul></div></div><div class="footer">版权所有 港口新闻 备案 12345 号</div></body></html>`,
  },
  {
    name: 'a page of documentation with a table of contents',
    url: 'https://docs.example/guide/install.html',
    html: `<html lang="en"><head><title>Install - Net Docs</title></head><body><nav class="docs-sidebar">${menu(['Overview', 'Install', 'Configure', 'Deploy', 'Upgrade', 'Plugins', 'Reference', 'FAQ'])}</nav><main class="docs-content"><h1>Install</h1>${content(`<p>The package needs version 20 of the runtime and 200 MB of disk space. Install it with the package manager of your system.</p><pre><code>net install --global</code></pre><h2>Check the installation</h2><p>Run the command below. It prints the version and the folder of the configuration file, which you need in the next chapter.</p><pre><code>net --version</code></pre><p>If the command is not found, add its folder to the search path of your shell and open a new terminal.</p>`)}</main><div class="toc"><h4>On this page</h4>${menu(['Install', 'Check'])}</div><footer class="footer">© Net Docs. Edit this page</footer></body></html>`,
  },
  {
    name: 'a thread of a forum',
    url: 'https://forum.example/t/which-rope-for-a-dinghy/812',
    html: `<html lang="en"><head><title>Which rope for a dinghy? - Sailing Forum</title></head><body><header class="header"><a href="/">Sailing Forum</a>${menu(['Forums', 'New posts', 'Members', 'Log in', 'Register'])}</header><div class="p-body"><h1>Which rope for a dinghy?</h1>${Array.from({ length: 5 }, (_, at) => `<article class="message message--post"><div class="message-user"><h4>sailor${at}</h4><span>Joined 2019</span><span>Messages 1${at}4</span></div><div class="message-content">${content(`<div class="bbWrapper"><p>Answer ${at}: I would take eight millimetres, because it is easier on the hands and does not slip on the winch in wet weather. The thin one saved me nothing.</p></div>`)}</div><footer class="message-footer"><a href="#">Like</a> <a href="#">Reply</a></footer></article>`).join('')}</div><footer class="footer"><a href="/help">Help</a> <a href="/privacy">Privacy policy</a> Forum software by Example</footer></body></html>`,
  },
]

/** The HTML of the marked content, without the rest of the page. */
export function contentOf({ html }: GoldenPage): string {
  return [...html.matchAll(/<!--\+-->([^]*?)<!---->/g)].map(([, inside]) => inside).join(' ')
}
