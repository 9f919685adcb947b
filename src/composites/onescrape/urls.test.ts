import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { AppError } from '../../errors/app-error.ts'
import { normaliseUrls } from './urls.ts'

function refusal(...urls: string[]): AppError {
  try {
    normaliseUrls(urls)
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error
  }
  assert.fail(`${urls.join(' ')} was accepted`)
}

/** The normalised URLs, or undefined if one was rejected. */
function accepted(urls: readonly string[]): string[] | undefined {
  try {
    return normaliseUrls(urls)
  } catch (error) {
    assert.ok(error instanceof AppError)
    return undefined
  }
}

describe('URLs for onescrape', () => {
  test('reads a bare host over https, with its port and path', () => {
    assert.deepEqual(
      normaliseUrls([
        'example.com',
        'example.com/a?b=1',
        '//example.org/x',
        'example.net:8080/y',
        'localhost:3000',
        '127.0.0.1:9/z',
      ]),
      [
        'https://example.com/',
        'https://example.com/a?b=1',
        'https://example.org/x',
        'https://example.net:8080/y',
        'https://localhost:3000/',
        'https://127.0.0.1:9/z',
      ],
    )
  })

  test('ignores host case, fragment, default port, trailing dot and a lone question mark', () => {
    const same = [
      'https://Example.com/Path',
      'https://example.com:443/Path#top',
      ' https://EXAMPLE.com./Path? ',
      'example.com/Path',
    ]
    assert.deepEqual(normaliseUrls(same), ['https://example.com/Path'])
  })

  test('distinguishes views of an application, and ignores positions within them', () => {
    const views = ['a.com/#/one', 'a.com/#/one#top', 'a.com/#!two', 'a.com/#/', 'a.com/#three']
    assert.deepEqual(normaliseUrls(views), [
      'https://a.com/#/one',
      'https://a.com/#!two',
      'https://a.com/',
    ])
  })

  test('preserves order and removes only true duplicates', () => {
    assert.deepEqual(normaliseUrls(['b.com/x', 'a.com', 'b.com/x', 'http://a.com', 'b.com/x/']), [
      'https://b.com/x',
      'https://a.com/',
      'http://a.com/',
      'https://b.com/x/',
    ])
  })

  test('names the mistake in a URL with a space or credentials', () => {
    const errorText = (url: string) => {
      const { code, message, fix, param } = refusal('https://example.com/', url)
      assert.deepEqual([code, param], ['bad_url', 'urls[1]'])
      return `${message} ${fix}`
    }
    assert.match(errorText('https://example.com/a b?c=d e'), /space .*%20/)
    assert.match(
      errorText('https://example.com/a\nhttps://example.com/b'),
      /line break\. Send one URL per page/,
    )
    assert.match(errorText('https://ana:secret@example.com/'), /user name or password\. Remove/)
    assert.doesNotMatch(errorText('https://ana:secret@example.com/'), /secret/)
    assert.match(errorText('not a url'), /is not the URL of a web page\. Send an http/)
  })

  test('rejects invalid URLs with the name of the parameter', () => {
    const bad = [
      'hello',
      'not a url',
      '12345',
      '3.14',
      '',
      ' ',
      'http://',
      'https://.',
      'ftp://example.com/',
      'mailto:someone@example.com',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'https://user:secret@example.com/',
      'someone@example.com',
      'tel:5551234',
      'https://exa mple.com',
      'https://exam\nple.com/',
      `https://example.com/${'a'.repeat(3_000)}`,
      'https://[::1',
      '://example.com',
      'example',
      'https://example.com:99999/',
    ]
    for (const url of bad) {
      const error = refusal('https://example.com/', url)
      assert.equal(error.code, 'bad_url', url)
      assert.equal(error.param, 'urls[1]', url)
    }
  })

  test('rejects social platforms with all their subdomains and short links', () => {
    const social = [
      'https://www.linkedin.com/in/x',
      'lnkd.in/abc',
      'https://x.com/a',
      'https://mobile.twitter.com/a',
      'https://t.co/x',
      'https://www.instagram.com/p/1/',
      'https://vm.tiktok.com/x/',
      'https://old.reddit.com/r/x',
      'https://redd.it/1',
      'https://m.youtube.com/watch?v=1',
      'https://youtu.be/1',
      'https://X.COM./a',
      'https://s.weibo.com/x',
      'https://www.xiaohongshu.com/explore/1',
      'https://v.douyin.com/x',
      'https://www.bilibili.com/video/x',
      'https://zhuanlan.zhihu.com/p/1',
      'https://www.kuaishou.com/x',
      'http://t.cn/A6x',
      'https://www.wechat.com/en/',
      'https://open.weixin.qq.com/connect',
      'https://live.gifshow.com/x',
    ]
    for (const url of social) assert.equal(refusal(url).code, 'onescrape_social', url)
  })

  test('accepts hosts that only resemble a platform', () => {
    const fine = [
      'https://notx.com/',
      'https://x.com.example.org/',
      'https://reddit.community.example/',
      'https://mylinkedin.com/',
      'https://example.com/x.com',
      'https://youtube.example.com/',
      'https://first.co/',
    ]
    assert.equal(normaliseUrls(fine).length, fine.length)
  })

  test('rejects documents by their extension, including encoded ones', () => {
    for (const url of [
      'https://a.com/x.pdf',
      'https://a.com/X.PDF?download=1',
      'https://a.com/x.docx#p2',
      'https://a.com/x%2Epdf',
      'a.com/table.xlsx',
      'a.com/slides.odp',
      'a.com/%.pdf',
    ]) {
      assert.equal(refusal(url).code, 'onescrape_document', url)
    }
  })

  test('accepts pages whose URL only mentions a document', () => {
    assert.equal(
      normaliseUrls([
        'https://a.com/x.pdf/view',
        'https://a.com/pdf',
        'https://a.com/?file=x.pdf',
        'https://doc.com/',
        'https://a.com/x.pdfs',
        'https://a.com/%zz',
      ]).length,
      6,
    )
  })
})

describe('properties of URL normalisation', () => {
  const webUrl = fc.webUrl({ withQueryParameters: true, withFragments: true })

  test('is idempotent', () => {
    fc.assert(
      fc.property(fc.array(webUrl, { minLength: 1, maxLength: 5 }), (urls) => {
        const once = accepted(urls)
        if (once !== undefined) assert.deepEqual(normaliseUrls(once), once)
      }),
    )
  })

  test('returns no position on a page, no duplicate and at most as many URLs as given', () => {
    fc.assert(
      fc.property(fc.array(webUrl, { minLength: 1, maxLength: 5 }), (urls) => {
        const result = accepted([...urls, ...urls])
        if (result === undefined) return
        assert.ok(result.length >= 1 && result.length <= urls.length)
        assert.equal(new Set(result).size, result.length)
        for (const url of result) assert.match(new URL(url).hash, /^$|^#[!/]/)
      }),
    )
  })

  test('normalises any text or rejects it with one of three codes and its position', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      webUrl,
      fc.string().map((text) => `https://${text}`),
      fc.ipV6().map((address) => `http://[${address}]/`),
    )
    fc.assert(
      fc.property(texts, (text) => {
        try {
          const [url = ''] = normaliseUrls([text])
          assert.match(url, /^https?:\/\//)
        } catch (error) {
          assert.ok(error instanceof AppError)
          assert.ok(['bad_url', 'onescrape_social', 'onescrape_document'].includes(error.code))
          assert.equal(error.param, 'urls[0]')
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
