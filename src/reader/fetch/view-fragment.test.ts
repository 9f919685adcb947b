import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { namesView, withoutPosition } from './view-fragment.ts'

const PAGE = 'https://a.example/app?x=1'

describe('fragments of URLs', () => {
  for (const view of ['#/guide', '#!/guide', '#!guide', '#/guide?id=2&x=#', '#/a/b'])
    it(`stay if they name a view of an application: ${view}`, () => {
      const url = PAGE + view
      assert.ok(namesView(url))
      assert.equal(withoutPosition(url), url.replace(/#$/, ''))
    })

  for (const position of ['', '#', '#top', '#a/b', '#top#/x', '#/', '#!', '#!/', '#:~:text=a'])
    it(`are removed if they are a position on the page: "${position}"`, () => {
      assert.ok(!namesView(PAGE + position))
      assert.equal(withoutPosition(PAGE + position), PAGE)
    })

  it('lose the position within a view', () => {
    assert.equal(withoutPosition(`${PAGE}#/guide#install`), `${PAGE}#/guide`)
  })
})
