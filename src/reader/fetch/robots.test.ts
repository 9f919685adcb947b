import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { parseRobots } from './robots.ts'

const allows = (text: string, path: string): boolean =>
  parseRobots(text, 'Tollgate').isAllowed(path)

describe('robots.txt', () => {
  it('applies the longest rule, and prefers Allow in a tie', () => {
    const text =
      'User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /tie\nDisallow: /tie'
    assert.deepEqual(
      ['/a', '/a/b', '/a/b/c', '/z', '/tie'].map((path) => allows(text, path)),
      [false, true, false, true, true],
    )
  })

  it('prefers the group for this agent over `*`, regardless of case and position', () => {
    const text =
      'User-agent: *\nDisallow: /\n\nUser-agent: otherbot\nUser-Agent: TOLLGATE/2\nDisallow: /x\n'
    assert.ok(allows(text, '/y'))
    assert.ok(!allows(text, '/x'))
    assert.ok(allows('User-agent: tollgate\nDisallow:\nUser-agent: *\nDisallow: /', '/y'))
    assert.ok(!allows('User-agent: tollgatekeeper\nAllow: /\nUser-agent: *\nDisallow: /', '/y'))
  })

  it('matches `*` and `$` by the standard, and other characters literally', () => {
    const text = 'User-agent: *\nDisallow: /*.php$\nDisallow: /p*/q?x=(\n'
    assert.ok(!allows(text, '/dir/a.php'))
    assert.ok(allows(text, '/dir/a.php?x'))
    assert.ok(!allows(text, '/paaa/q?x=(1'))
    assert.ok(allows(text, '/aphp'))
  })

  it('compares octets in any encoding', () => {
    const rules = (rule: string) => `User-agent: *\nDisallow: ${rule}\n`
    for (const [rule, path] of [
      ['/foo/bar?baz=http://foo.bar', '/foo/bar?baz=http://foo.bar'],
      ['/foo/bar/ツ', '/foo/bar/%E3%83%84'],
      ['/foo/bar/%E3%83%84', '/foo/bar/%E3%83%84'],
      ['/foo/bar/%e3%83%84', '/foo/bar/%E3%83%84'],
      ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
      ['/foo/bar/baz', '/foo/bar/%62%61%7a'],
      ['/path/a-%2A.html', '/path/a-*.html'],
      ['/path/foo-%24', '/path/foo-$'],
      ['/a$b', '/a$b'],
      ['/two words', '/two%20words'],
      ['/%', '/%'],
    ] as const)
      assert.ok(!allows(rules(rule), path), `${rule} ${path}`)
    for (const [rule, path] of [
      ['/a%2Fb', '/a/b'],
      ['/path/a-%2A.html', '/path/a-x.html'],
      ['/path/foo-%24', '/path/foo-'],
    ] as const)
      assert.ok(allows(rules(rule), path), `${rule} ${path}`)
    assert.ok(allows('User-agent: *\nDisallow: /ツ\nAllow: /%E3%83%84', '/%E3%83%84'))
  })

  it('finds sitemaps outside groups, and ignores comments and invalid lines', () => {
    const file = parseRobots(
      '\uFEFFfoo\r\n# hi\rSitemap: https://e.example/s.xml # main\nUser-agent: * # all\nDisallow: /x # no',
      'Tollgate',
    )
    assert.deepEqual(file.sitemaps, ['https://e.example/s.xml'])
    assert.ok(!file.isAllowed('/x'))
  })

  it('allows everything for an empty file, and evaluates a rule of stars quickly', () => {
    assert.ok(allows('', '/'))
    const text = `User-agent: *\nDisallow: /${'*a'.repeat(9)}b\n${`Disallow: ${'*x'.repeat(40)}\n`}`
    const cpuMs = cpuMsOf(() => assert.ok(allows(text, `/${'a'.repeat(60)}`)))
    assert.ok(cpuMs < 2_000, `${cpuMs} ms`)
  })

  it('parses any text in linear time', () => {
    for (const text of [
      `allow: a${' '.repeat(500_000)}b`,
      ' '.repeat(500_000),
      `${'#'.repeat(500_000)}\u2028`,
      'user-agent: a\n'.repeat(35_000),
      `${'user-agent: *\n'.repeat(35_000)}${'allow: /a\n'.repeat(5_000)}`,
      ':'.repeat(500_000),
    ]) {
      const cpuMs = cpuMsOf(() => void parseRobots(text, 'Tollgate'))
      assert.ok(cpuMs < 1_000, `${text.slice(0, 20)}: ${cpuMs} ms`)
    }
  })
})
