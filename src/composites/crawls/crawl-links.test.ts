import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { linksToFollow } from './crawl-links.ts'

describe('links of a crawl', () => {
  it('are the pages and views of the host, each once', () => {
    const links = ['/a', '/a#top', '/#/guide', '/#/guide#install', '/#!api', '/#/', '/x.pdf#/a']
    assert.deepEqual(
      linksToFollow(
        links.map((path) => `https://www.a.example${path}`).concat('https://b.example/#/guide'),
        'https://a.example/',
      ),
      ['a', '#/guide', '#!api', ''].map((path) => `https://www.a.example/${path}`),
    )
  })
})
