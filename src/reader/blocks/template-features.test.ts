import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, parseDocument } from '../extract/dom.ts'
import { readPageBlocks } from './classify-blocks.ts'
import { FEATURES } from './block-features.ts'
import { readPageFacts } from './page-facts.ts'

function read(html: string) {
  const document = parseDocument(html)
  const page = readPageBlocks(bodyOf(document), readPageFacts(document, 'https://shop.example/'))
  return (text: string, feature: string): number => {
    const at = page.blocks.findIndex((block) => block.text === text)
    assert.ok(at >= 0, text)
    const value = page.features[at * FEATURES.length + FEATURES.indexOf(feature)]
    return Number((value ?? Number.NaN).toFixed(3))
  }
}

const CARDS = [1, 2, 3, 4]
  .map(
    (card) =>
      `<div class="card"><img src="/${card}.jpg"><h3>Lamp ${card}</h3><div><p>$ ${card}0.00</p></div></div>`,
  )
  .join('')

test('describes the repeated box around a block', () => {
  const feature = read(`<main><h1>Lamps</h1><div class="grid">${CARDS}</div></main>`)
  assert.equal(feature('Lamp 3', 'template: levels below'), 1)
  assert.equal(feature('$ 30.00', 'template: levels below'), 2)
  assert.equal(feature('Lamp 3', 'template: items'), 4)
  assert.equal(feature('Lamp 3', 'template: prices of an item'), 1)
  assert.equal(feature('Lamp 3', 'template: images of an item'), 1)
  assert.equal(feature('Lamp 3', 'template: rank'), 0)
  assert.equal(feature('Lamp 3', 'template: item of all'), 0.5)
})

test('reports that no box around a block is repeated', () => {
  const feature = read(`<main><h1>Lamps</h1><div class="grid">${CARDS}</div></main>`)
  assert.equal(feature('Lamps', 'template: levels below'), -1)
  assert.equal(feature('Lamps', 'template: items'), 0)
})

test('ranks repeated boxes by their text', () => {
  const menu = ['A', 'B', 'C'].map((name) => `<li><a href="/${name}">${name}</a></li>`).join('')
  const feature = read(`<ul>${menu}</ul><div class="grid">${CARDS}</div>`)
  assert.equal(feature('Lamp 1', 'template: rank'), 0)
  assert.ok(feature('A', 'template: rank') > 0)
  assert.equal(feature('A', 'page template: items'), 4)
})
