import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/harness/property.ts'
import { html } from './html.ts'

test('no value can open a tag, close an attribute or begin an entity', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', '/') }),
      (value) => {
        const { markup } = html`<p title="${value}">${value}</p>`
        const inner = markup.slice('<p title="'.length, -'</p>'.length)
        assert.doesNotMatch(inner.replace('">', ''), /[<>"']/)
        assert.doesNotMatch(inner, /&(?!amp;|lt;|gt;|quot;|#39;)/)
      },
    ),
  )
})

test('markup of the tag itself passes unchanged, alone and in lists', () => {
  assert.equal(
    html`<ul>${['a', '<b>'].map((item) => html`<li>${item}</li>`)}</ul>`.markup,
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>',
  )
})

test('an object that looks like markup is not taken for it', () => {
  const forged = JSON.parse('{"markup":"<script>"}') as never
  assert.doesNotMatch(html`${forged}`.markup, /<script>/)
})

test('false, null and undefined leave nothing; zero stays', () => {
  assert.equal(html`${false}${null}${undefined}${0}`.markup, '0')
})
