import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailMarkdown } from './email-markdown.ts'

test('writes the visible text of an HTML email with its blocks and links', () => {
  assert.equal(
    emailMarkdown(
      `<html><head><title>t</title><style>p{color:red}</style></head><body>
      <h1>Welcome</h1><p>Hello <b>Bo</b>,<br>confirm <a href="https://a.example/c?x=1&amp;y=2">here</a>.</p>
      <ul><li>one<li>two</ul><table><tr><td><p>Your code: <span>123456</span></p></td></tr></table>
      <img src="https://t.example/p.gif" width="1" height="1"><a href="https://a.example/"><img alt="Shop" src="cid:x"></a>
      <script>alert(1)</script><!-- secret --></body></html>`,
    ),
    [
      '# Welcome',
      'Hello **Bo**,  \nconfirm [here](https://a.example/c?x=1&y=2).',
      '- one\n- two',
      'Your code: 123456',
      '[Shop](https://a.example/)',
    ].join('\n\n'),
  )
})

test('leaves out hidden text, and nothing that is shown', () => {
  const hidden = [
    '<div style="display:none">SECRET</div>',
    '<div style="DISPLAY : NONE !important">SECRET</div>',
    '<span style="visibility:hidden">SECRET</span>',
    '<div style="opacity:0;color:#fff">SECRET</div>',
    '<div style="max-height:0px;overflow:hidden">SECRET</div>',
    '<div style="overflow:hidden;height:0">SECRET</div>',
    '<div style="font-size:0;line-height:0">SECRET<b>SECRET</b></div>',
    '<div style="font-size:0px">SECRET</div>',
    '<p style="position:absolute;left:-9999px">SECRET</p>',
    '<p style="text-indent:-9999px">SECRET</p>',
    '<p hidden>SECRET</p>',
    '<style>.pre, #x{display:none}</style><p class="a pre">SECRET</p><p id=x>SECRET</p>',
    '<template>SECRET</template><noscript></noscript><textarea>SECRET</textarea>',
  ]
  for (const html of hidden) assert.equal(emailMarkdown(`${html}<p>shown</p>`), 'shown', html)
  const shown = [
    '<div style="font-size:0"><div style="font-size:13px">shown</div></div>',
    '<div style="max-height:0.5em;overflow:hidden">shown</div>',
    '<div style="border-width:0;overflow:hidden">shown</div>',
    '<div style="opacity:0.9">shown</div>',
    '<div style="font-size:0.9em">shown</div>',
    '<div style="margin-left:-5px;min-height:0;overflow:hidden">shown</div>',
    '<style>@media (max-width:600px){.m{display:none}} .n p{display:none}</style><p class=m>shown',
    '<!--[if mso]><p>outlook</p><![endif]--><p aria-hidden="true">shown</p>',
  ]
  for (const html of shown) assert.equal(emailMarkdown(html), 'shown', html)
})

test('reads hostile markup in bounded time', () => {
  const before = process.cpuUsage()
  for (const html of [
    '<div>'.repeat(100_000) + 'deep',
    `<style>${'@a{'.repeat(33_000)}</style>x`,
    `<style>${'a{b{'.repeat(25_000)}</style>x`,
    `<style>${'/*'.repeat(50_000)}</style>x`,
    '<p style="left:'.repeat(30_000),
    `<p style="${'opacity:'.repeat(60_000)}">x`,
    `<p style="${';'.repeat(400_000)}">x`,
    `<p style="${' '.repeat(400_000)}">x`,
    `<p style="opacity${' '.repeat(400_000)}">x`,
    `<p style="opacity:0${' '.repeat(400_000)}x">x`,
  ])
    assert.equal(typeof emailMarkdown(html), 'string')
  const { user } = process.cpuUsage(before)
  assert.ok(user < 20e6, `${user} µs`)
})
