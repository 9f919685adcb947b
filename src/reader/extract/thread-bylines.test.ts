import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { bodyOf, parseDocument } from './dom.ts'
import { extractContent } from './extract.ts'
import { findPosts } from './thread-bylines.ts'

const TEXTS = [
  'My tomatoes get brown spots at the bottom of each fruit, although I water them every morning before work. I looked at the leaves and they are green and healthy, so I do not think that it is a fungus. What could it be, and can I still save the fruits that are on the plant now?',
  'That is blossom end rot. It comes from uneven watering, because the plant cannot move calcium to the fruit when the soil dries out during the day. Water deeply twice a week instead of a little every morning, and remove the fruits that already have spots, since they only cost the plant its strength.',
  'I had the same problem last year. Mulch around the plants helped more than any fertilizer that I tried, because the soil below it stayed moist even in the hottest weeks of July. Straw works well, and so does cut grass if you let it dry for a day before you spread it around the stems.',
  'Thank you both, I will add mulch this weekend and report whether the next fruits look better than these. I have a lot of cut grass from the lawn, and I will change the watering as you described. I did not know that the spots had anything to do with water, everyone told me to buy calcium.',
]
const AUTHORS = ['gardener_jo', 'Dr. Plant', 'mulchfan', 'gardener_jo']
const DAYS = ['2026-03-05', '2026-03-06', '2026-03-07', '2026-03-09']
type Post = { readonly author: string; readonly day: string; readonly text: string }
const POSTS = TEXTS.map((text, at) => ({
  author: AUTHORS[at] ?? '',
  day: DAYS[at] ?? '',
  text,
}))

const page = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Brown spots on tomatoes</title></head><body><header><nav><a href="/">Home</a> <a href="/new">New</a> <a href="/login">Sign in</a></nav></header>${body}<footer><p>Terms · Privacy · Powered by a forum</p></footer></body></html>`
const all = (write: (post: Post, at: number) => string): string => POSTS.map(write).join('')

/** Pages with the markup of common forum software. */
const THREADS: Record<string, string> = {
  discourse: `<div id="main-outlet"><h1>Brown spots on tomatoes</h1>${all(
    ({ author, day, text }) =>
      `<div id="post_1" itemprop="comment" itemscope class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope><a itemprop="url" href="/u/x"><span itemprop="name">${author}</span></a></span><span class="crawler-post-infos"><time itemprop="datePublished" datetime="${day}T08:15:00Z" class="post-time">March 5</time><span itemprop="position">1</span></span></div><div class="post" itemprop="text"><p>${text}</p></div><div class="crawler-linkback-list"></div></div>`,
  )}</div>`,
  phpbb: `<div id="page-body"><h2 class="topic-title"><a href="/t">Brown spots on tomatoes</a></h2>${all(
    ({ author, day, text }) =>
      `<div id="p1" class="post bg2"><div class="inner"><dl class="postprofile"><dt><a href="/u" class="username">${author}</a></dt><dd class="profile-posts"><strong>Posts:</strong> 12</dd></dl><div class="postbody"><h3><a href="#p1">Re: Brown spots</a></h3><p class="author"><span class="responsive-hide">by <strong><a href="/u" class="username">${author}</a></strong> » </span><time datetime="${day}T08:15:00+00:00">Thu Mar 05, 2026 8:15 am</time></p><div class="content">${text}</div></div></div></div><hr class="divider">`,
  )}</div>`,
  'hacker news': `<center><table id="hnmain"><tr><td><table class="comment-tree">${all(
    ({ author, day, text }, at) =>
      `<tr class="athing comtr"><td><table><tr><td class="ind" indent="${at}"><img src="s.gif" height="1" width="${at * 40}"></td><td class="default"><div><span class="comhead"><a href="user?id=x" class="hnuser">${author}</a> <span class="age" title="${day}T08:15:00"><a href="item?id=1">3 days ago</a></span> <span class="navs">| <a href="#1">next</a></span></span></div><br><div class="comment"><div class="commtext c00">${text}<p>And one more remark about it, in a second paragraph.</p></div><div class="reply"><p><font size="1"><u><a href="reply">reply</a></u></font></p></div></div></td></tr></table></td></tr>`,
  )}</table></td></tr></table></center>`,
  'stack exchange': `<div id="mainbar"><h1><a href="/q">Brown spots on tomatoes</a></h1>${all(
    ({ author, day, text }, at) =>
      `<div class="${at === 0 ? 'question' : 'answer'}"><div class="post-layout"><div class="votecell"><div class="js-vote-count">12</div></div><div class="postcell"><div class="s-prose js-post-body"><p>${text}</p></div><div class="mb0"><div class="post-signature owner"><div class="user-info"><div class="user-action-time">answered <span title="${day} 08:15:00Z" class="relativetime">Mar 5</span></div><div class="user-details"><a href="/users/1">${author}</a><div>1,024</div></div></div></div></div></div></div></div>`,
  )}</div>`,
  'reddit old': `<div class="content"><div class="commentarea">${POSTS.reduceRight(
    (replies, { author, day, text }) =>
      `<div class="thing comment"><div class="entry"><p class="tagline"><a class="expand" href="#">[–]</a><a href="/user/x" class="author">${author}</a> <span class="score">12 points</span> <time title="long" datetime="${day}T08:15:00+00:00">3 days ago</time></p><div class="usertext-body"><div class="md"><p>${text}</p></div></div><ul class="flat-list buttons"><li><a href="#">permalink</a></li></ul></div><div class="child">${replies}</div></div>`,
    '',
  )}</div></div>`,
}

describe('authors and dates of posts', () => {
  const read = (body: string) =>
    extractContent({
      html: page(body),
      url: 'https://forum.example/t/1',
      format: 'markdown',
      mainContent: true,
    }).content

  for (const [name, body] of Object.entries(THREADS))
    it(`stand once before each post of a thread: ${name}`, () => {
      const content = read(body)
      const kept = POSTS.filter(({ text }) => content.includes(text))
      assert.ok(kept.length >= 2, content)
      for (const { author, day, text } of kept) {
        const before = content.slice(0, content.indexOf(text)).trimEnd().split('\n').at(-1) ?? ''
        assert.ok(before.includes(author), content)
        assert.match(before, new RegExp(` · ${day}$|Thu Mar 05, 2026 8:15 am$`), content)
      }
      assert.equal(content.match(/Dr. Plant/g)?.length, 1, content)
    })

  it('are not added to an article, nor to teasers of articles', () => {
    const prose = TEXTS.join(' ')
    const article = `<article><h1>Brown spots</h1><p class="by"><span class="author">Ann Grower</span> <time datetime="2026-03-05">March 5</time></p><p>${prose}</p><p>${prose}</p></article>`
    assert.doesNotMatch(read(article), / · 2026/)
    const teasers = all(
      ({ author, day, text }) =>
        `<div class="card"><h2><a href="/a">All about it</a></h2><span class="author">${author}</span><time datetime="${day}">x</time><p>${text}</p></div>`,
    )
    assert.doesNotMatch(read(`<main>${teasers}</main>`), / · 2026/)
  })

  it('are not added to plain text, which has no markup for them', () => {
    const html = page(THREADS['discourse'] ?? '')
    const input = { html, url: 'https://forum.example/t/1', mainContent: true } as const
    assert.match(extractContent({ ...input, format: 'html' }).content, / · 2026-03-05/)
    assert.doesNotMatch(extractContent({ ...input, format: 'text' }).content, / · 2026-03-05/)
  })

  it('take bounded time for marks in deep and in wide trees', () => {
    const mark = '<span class="username">someone</span><time datetime="2026-03-05">x</time>'
    for (const html of [
      `<div>${mark} some more words of this post`.repeat(900),
      `<p>${mark}</p>`.repeat(5_000),
    ]) {
      const body = bodyOf(parseDocument(html))
      assert.ok(cpuMsOf(() => void findPosts(body)) < 3_000)
    }
  })

  it('are not taken from mentions and quotes inside a post', () => {
    const content = read(
      (THREADS['discourse'] ?? '').replace(
        TEXTS[2] ?? '',
        `<blockquote><a class="username">quoted_person</a> wrote something</blockquote><a class="username">@mention</a> ${TEXTS[2]}`,
      ),
    )
    assert.match(content, /mulchfan · 2026-03-07/)
    assert.doesNotMatch(content, /(quoted_person|mention) · /)
  })

  it('are not written on a page with two authors, such as an article with a comment', () => {
    const posts = POSTS.slice(0, 2)
      .map(
        ({ author, day, text }) =>
          `<div class="comment"><span class="username">${author}</span> <time datetime="${day}">${day}</time><p>${text}</p></div>`,
      )
      .join('')
    assert.equal(findPosts(bodyOf(parseDocument(page(posts)))).length, 0)
  })
})
