import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bodyOf, parseDocument } from '../extract/dom.ts'
import { toSafeHtml } from '../extract/safe-html.ts'
import { pruneBlocks } from './prune-blocks.ts'
import { readBlocks } from './read-blocks.ts'

const SITE = 'https://site.example/'

/** The HTML that is left when only blocks with a plus sign are chosen. */
function prune(html: string, figures: readonly number[] = []): string {
  const body = bodyOf(parseDocument(html))
  const page = readBlocks(body, SITE)
  pruneBlocks(page, { kept: page.blocks.map(({ text }) => text.startsWith('+')), figures })
  return toSafeHtml(body, SITE).replaceAll(/\s*\n\s*/g, '')
}

describe('pruneBlocks', () => {
  it('removes blocks at any depth and the elements that are empty then', () => {
    assert.equal(
      prune(
        '<div><p>+a</p><p>no</p></div><div><ul><li>no</li><li><b>no</b></li></ul></div><div>no<p>+b</p>no</div>',
      ),
      '<div><p>+a</p></div><div><p>+b</p></div>',
    )
  })

  it('keeps the columns of a table', () => {
    assert.equal(
      prune('<table><tr><td>no</td><td>+1</td></tr><tr><td>+2</td><td>no</td></tr></table>'),
      '<table><tbody><tr><td></td><td>+1</td></tr><tr><td>+2</td><td></td></tr></tbody></table>',
    )
  })

  it('keeps images next to content and removes those next to boilerplate', () => {
    const image = (name: string) => `<figure><img src="/${name}.png"></figure>`
    assert.equal(
      prune(
        `<div><p>+ a long text of the content</p>${image('in')}</div><div>${image('out')}<p>no</p></div>`,
      )
        .match(/\w+\.png/g)
        ?.join(),
      'in.png',
    )
  })
})
