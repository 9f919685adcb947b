import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { refreshTarget } from './refresh.ts'

const BASE = 'https://a.example/old/page'
const meta = (content: string) =>
  `<html><head><title>Moved</title><meta http-equiv="refresh" content="${content}"></head><body>Click here.`
const targetOf = (html: string, header = '') => refreshTarget(html, header, BASE)

describe('pages that redirect by themselves', () => {
  it('detects the redirect in every spelling that browsers accept, or in the header', () => {
    const html: Readonly<Record<string, string>> = {
      [meta('0; url=/new')]: 'https://a.example/new',
      [meta('3;URL=new?a=1&amp;b=2')]: 'https://a.example/old/new?a=1&b=2',
      [meta("0;url='https://b.example/x'")]: 'https://b.example/x',
      [meta('0, /new')]: 'https://a.example/new',
      [meta('0.5; /new')]: 'https://a.example/new',
      '<META CONTENT=0;url=/new HTTP-EQUIV=Refresh>': 'https://a.example/new',
    }
    for (const [page, target] of Object.entries(html)) assert.equal(targetOf(page), target, page)
    assert.equal(targetOf('<p>Moved', '0; url=/new'), 'https://a.example/new')
  })

  it('ignores pages that reload themselves, delay the redirect, or redirect only without scripts', () => {
    const staying = [
      meta('30'),
      meta('0'),
      meta('0; url='),
      meta('0; url=/old/page#top'),
      meta('30; url=/next'),
      meta('soon; url=/next'),
      `<noscript>${meta('0; url=/no-script')}</noscript><p>Words`,
      `<!-- ${meta('0; url=/comment')} -->`,
      `<script>'${meta('0; url=/script')}'</script>`,
      '<meta name="description" content="0; url=/new">',
      `${'<p>words</p>'.repeat(2_000)}${meta('0; url=/late')}`,
    ]
    for (const page of staying) assert.equal(targetOf(page), undefined, page.slice(0, 100))
  })

  it('searches a hostile page with repeated markup in bounded time', () => {
    for (const part of ['<noscript>', '<!--', '<meta ', '<meta content=', '<script'])
      assert.ok(cpuMsOf(() => void targetOf(part.repeat(2_000_000 / part.length))) < 1_000, part)
    assert.ok(cpuMsOf(() => void targetOf('', `0${' '.repeat(100_000)}`)) < 1_000)
  })
})
