import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { asPage, isText, isXml } from './source-text.ts'

const page = (html: string, contentType = 'text/html') => ({ html, contentType })

it('a feed is told by its root under any type, whatever stands before it, and a page is none', () => {
  for (const before of [
    '',
    '\n',
    '<?xml version="1.0"?>\n',
    '<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><!-- made by hand -->\n',
  ]) {
    for (const root of ['<rss version="2.0">', '<feed xmlns="x">', '<urlset>'])
      assert.ok(isXml(page(before + root)), before + root)
  }
  for (const html of ['<html><body><rss>', '<p>About <feed>', '<!-- <rss> --><p>words'])
    assert.ok(!isXml(page(html)), html)
  assert.ok(!isXml(page('<?xml version="1.0"?><html xmlns="x"><p>words', 'application/xml')))
})

it('a text is told by its type, or where that says nothing by having no tags; a page that begins late is a page', () => {
  for (const type of ['', 'application/octet-stream', 'application/yaml', 'text/x-log']) {
    assert.ok(isText(page('a: 1\nb: 2', type)), type)
    assert.ok(!isText(page(`${'\n'.repeat(3_000)}<!doctype html><p>words`, type)), type)
  }
  assert.ok(isText(page('{"a": "<p>"}', 'application/hal+json')) && isText(page('[{"a": 1}]')))
  assert.ok(!isText(page('words without any tags')) && !isText(page('{{ template }} <p>words')))
})

it('what is read is told in time that does not grow with what a hostile page repeats', () => {
  for (const part of ['<!---->', '<!-- --> ', '<?x?>', '<?xml ', '{ ', '['])
    assert.ok(
      cpuMsOf(() => [isXml(page(part.repeat(1_000_000))), isText(page(part.repeat(1_000_000)))]) <
        1_000,
      part,
    )
  for (const part of ['# ', '# a ', '#\t#', 'a\n=', 'a\n', '= '])
    assert.ok(
      cpuMsOf(() =>
        asPage({ ...page(part.repeat(1_000_000), 'text/markdown'), url: 'https://a.example/' }),
      ) < 1_000,
      part,
    )
})
