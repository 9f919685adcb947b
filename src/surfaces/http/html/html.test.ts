import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/harness/property.ts'
import { html } from './html.ts'

test('escapes values so that they open no tag, close no attribute and begin no entity', () => {
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

test('renders markup of the tag unchanged, alone and in lists', () => {
  assert.equal(
    html`<ul>${['a', '<b>'].map((item) => html`<li>${item}</li>`)}</ul>`.markup,
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>',
  )
})

test('does not treat an object with a markup field as markup', () => {
  const forged = JSON.parse('{"markup":"<script>"}') as never
  assert.doesNotMatch(html`${forged}`.markup, /<script>/)
})

test('renders false, null and undefined as nothing, and zero as 0', () => {
  assert.equal(html`${false}${null}${undefined}${0}`.markup, '0')
})
