import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { fc } from '../../../test/harness/property.ts'
import { canonicalKey, cleanUrl, isWithin } from './canonical-url.ts'

function keyOf(text: string): string | null {
  const clean = cleanUrl(text)
  return clean === null ? null : canonicalKey(clean)
}

const SAME: readonly (readonly string[])[] = [
  [
    'https://example.com/a',
    'http://www.example.com/a/',
    'https://EXAMPLE.com:443/a#part',
    'https://m.example.com/a?utm_source=x&utm_medium=y',
    'https://example.com//a?gclid=1',
  ],
  [
    'https://example.com/',
    'https://example.com',
    'https://www.example.com/index.html',
    'https://amp.example.com/',
  ],
  [
    'https://example.com/a?b=1&c=2',
    'https://example.com/a?c=2&b=1&fbclid=zz',
    'https://example.com/a?mc_cid=q&b=1&c=2',
  ],
  ['https://en.wikipedia.org/wiki/Heat_pump', 'https://en.m.wikipedia.org/wiki/Heat_pump#History'],
  [
    'https://example.com/story',
    'https://example.com/story/amp',
    'https://example.com/story/amp/',
    'https://example.com/story?amp=1',
  ],
  ['https://example.com/caf%C3%A9', 'https://example.com/café'],
  [
    'https://arxiv.org/abs/2401.01234',
    'https://arxiv.org/pdf/2401.01234v2',
    'http://arxiv.org/pdf/2401.01234.pdf',
    'https://arxiv.org/abs/2401.01234v3',
  ],
  ['https://doi.org/10.1000/XYZ', 'http://dx.doi.org/10.1000/xyz'],
  [
    'https://www.youtube.com/watch?v=abc&t=10',
    'https://youtu.be/abc?si=1',
    'https://m.youtube.com/watch?v=abc',
  ],
]

for (const spellings of SAME) {
  test(`merges ${spellings[0]} with ${spellings.length - 1} other spellings`, () => {
    assert.deepEqual(new Set(spellings.map(keyOf)).size, 1, spellings.map(keyOf).join(' '))
  })
}

test('distinguishes path, content parameter, port, application route and subdomain', () => {
  const apart = [
    'https://example.com/a',
    'https://example.com/b',
    'https://example.com/a?id=1',
    'https://example.com/a?id=2',
    'https://example.com:8443/a',
    'https://example.com/A',
    'https://docs.example.com/a',
    'https://example.com/#/a',
    'https://example.com/#!/b',
    'https://wwwexample.com/a',
    'https://m.com/a',
    'https://example.com/amphibian',
  ]
  assert.equal(new Set(apart.map(keyOf)).size, apart.length)
})

test('returns null for a text that is not a web address', () => {
  for (const text of [
    '',
    'nothing',
    'ftp://example.com/',
    'javascript:alert(1)',
    'mailto:a@example.com',
    'https://localhost/',
  ])
    assert.equal(keyOf(text), null, text)
})

test('matches a domain and its subdomains, but no host with the same ending', () => {
  assert.deepEqual(
    ['example.com', 'a.b.example.com', 'notexample.com', 'example.com.evil.org'].map((host) =>
      isWithin(host, ['example.com']),
    ),
    [true, true, false, false],
  )
})

test('accepts any text without failing, and is idempotent', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        fc.string(),
        fc.string().map((text) => `https://example.com/${text}`),
      ),
      (text) => {
        const clean = cleanUrl(text)
        if (clean === null) return
        assert.equal(cleanUrl(clean), clean)
        assert.equal(typeof canonicalKey(clean), 'string')
      },
    ),
    { numRuns: 300 },
  )
})

test('removes thousands of tracking parameters in linear time', () => {
  const address = `https://example.com/a?${Array.from({ length: 20_000 }, (_, place) => `utm_${place}=1`).join('&')}&b=%20`
  const cpuMs = cpuMsOf(() => assert.equal(cleanUrl(address), 'https://example.com/a?b=%20'))
  assert.ok(cpuMs < 500, `${cpuMs} ms`)
})
