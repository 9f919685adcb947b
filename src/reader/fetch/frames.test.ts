import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { contentFrame } from './frames.ts'

const BASE = 'https://a.example/old/'
const frameset = (...frames: string[]) =>
  `<html><head><title>Old</title></head><frameset cols="20%,80%">${frames.join('')}<noframes><body>Your browser shows no frames.</body></noframes></frameset></html>`

it('reads a frameset as its content frame, else as its last frame without a navigation name', () => {
  const pages: readonly (readonly [string, string])[] = [
    [
      frameset(
        '<frame src="nav.html" name="menu">',
        '<frame src="a.html?x=1&amp;y=2" name="main">',
        '<frame src="b.html" name="other">',
      ),
      'https://a.example/old/a.html?x=1&y=2',
    ],
    [
      frameset(
        "<FRAME NAME=links SRC='/links.html'>",
        '<FRAME SRC=/right.html NAME=frame2>',
        '<frame name="footer" src="/foot.html">',
      ),
      'https://a.example/right.html',
    ],
    [
      frameset(
        '<frame src="top.html">',
        '<frameset rows="*,*"><frame src="menu.html"><frame src="story.html"></frameset>',
      ),
      'https://a.example/old/story.html',
    ],
    [frameset('<frame src="menu.html">'), 'https://a.example/old/menu.html'],
  ]
  for (const [html, frame] of pages) assert.equal(contentFrame(html, BASE), frame, html)
})

it('ignores pages without frames, or with content outside frames', () => {
  const article = `<p>${'A harbour was rebuilt in stages. '.repeat(30)}`
  const own = [
    frameset('<frame src="a.html">').replace('Your browser shows no frames.', article),
    frameset(),
    frameset('<frame src="about:blank">'),
    `<p>How to write &lt;frameset&gt;<pre>&lt;frame src="x.html"></pre>`,
    `<!-- ${frameset('<frame src="a.html">')} -->${article}`,
    `<iframe src="/ad.html"></iframe>${article}`,
  ]
  for (const html of own) assert.equal(contentFrame(html, BASE), undefined, html)
  for (const part of ['<frameset ', '<frameset><frame ', '<noframes>', '<frameset><noframes><'])
    assert.ok(
      cpuMsOf(() => void contentFrame(part.repeat(2_000_000 / part.length), BASE)) < 1_000,
      part,
    )
})
