import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseContactPages } from './contact-pages.ts'
import { findPublishedAddresses } from './published-addresses.ts'

const found = (html: string) => findPublishedAddresses(html, 'acme.example')

test('finds linked and shown addresses of the domain and its subdomains once', () => {
  assert.deepEqual(
    found(
      `<a href="mailto:Sales@acme.example?subject=a@b.example">write</a> ana@acme.example,
      <b>ana@acme.example.</b> press&#64;media.acme.example (post&commat;acme.example)
      <a href='mailto:jobs%40acme.example,hr@acme.example'>jobs</a> büro@acme.example`,
    ),
    [
      'sales@acme.example',
      'jobs@acme.example',
      'hr@acme.example',
      'ana@acme.example',
      'press@media.acme.example',
      'post@acme.example',
      'büro@acme.example',
    ],
  )
})

test('omits other domains, placeholders, code, comments, and disguised addresses', () => {
  assert.deepEqual(
    found(
      `x@other.example x@notacme.example x@acme.example.evil.example you@acme.example
      <!-- old@acme.example --><script>var a = 'js@acme.example'</script>
      <style>/* css@acme.example */</style><template>t@acme.example</template>
      ana [at] acme.example, ana(at)acme.example, logo@2x.png <!-- open@acme.example`,
    ),
    [],
  )
})

test('reads hostile pages in linear time', () => {
  for (const piece of [
    `mailto:a${'.'.repeat(590)}x `,
    `mailto:${'a@é.cd,'.repeat(85)} `,
    'a@',
    'a@a.',
    'a.',
    '<script>',
    '<!--',
    'mailto:',
    '&#64;',
    `${'a'.repeat(64)}@`,
    `${'a'.repeat(64)}@${'a.'.repeat(20)}`,
    '&#1114112;',
    '%%%',
  ]) {
    const before = process.cpuUsage()
    found(piece.repeat(Math.ceil(2_100_000 / piece.length)))
    const usedMs = process.cpuUsage(before).user / 1_000
    // Quadratic time would take minutes.
    assert.ok(usedMs < 3_000, `${piece.slice(0, 20)}: ${usedMs} ms`)
  }
})

test('chooses pages of the same site that usually name addresses, the likeliest first', () => {
  const links = [
    'https://acme.example/about/us',
    'https://acme.example/blog/contact-lenses-2020/x',
    'https://acme.example/privacy',
    'https://acme.example/shop',
    'https://www.acme.example/contact#form',
    'https://www.acme.example/contact',
    'https://acme.example/de/impressum.html',
    'https://evil.example/contact',
    'http://acme.example/team',
    'mailto:a@acme.example',
    'https://acme.example:8443/team',
    'not a url',
  ]
  assert.deepEqual(chooseContactPages(links, 'https://acme.example/', 4), [
    'https://www.acme.example/contact',
    'https://acme.example/blog/contact-lenses-2020/x',
    'https://acme.example/de/impressum.html',
    'https://acme.example/about/us',
  ])
})

test('chooses views of an application like pages', () => {
  const links = ['#/contact', '#!/legal-notice', '#contact', '#/shop']
  assert.deepEqual(chooseContactPages(links, 'https://acme.example/', 4), [
    'https://acme.example/#/contact',
    'https://acme.example/#!/legal-notice',
  ])
})
