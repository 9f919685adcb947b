import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { asPage, isText, isXml } from './source-text.ts'

const page = (html: string, contentType = 'text/html') => ({ html, contentType })

it('detects a feed by its root element under any type', () => {
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

it('detects text by its type, or under a generic type by the absence of tags', () => {
  for (const type of ['', 'application/octet-stream', 'application/yaml', 'text/x-log']) {
    assert.ok(isText(page('a: 1\nb: 2', type)), type)
    assert.ok(!isText(page(`${'\n'.repeat(3_000)}<!doctype html><p>words`, type)), type)
  }
  assert.ok(isText(page('{"a": "<p>"}', 'application/hal+json')) && isText(page('[{"a": 1}]')))
  assert.ok(!isText(page('words without any tags')) && !isText(page('{{ template }} <p>words')))
})

it('detects the kind of a hostile page with repeated markup in bounded time', () => {
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
