import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import iconv from 'iconv-lite'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { charsetOf, decodeText } from './charset.ts'

const SAMPLES: Record<string, string> = {
  shift_jis: '日本語のページ',
  'euc-jp': '日本語',
  gb18030: '简体中文网页',
  gbk: '中文',
  big5: '繁體中文',
  'euc-kr': '한국어 문서',
  'iso-8859-1': 'déjà vu',
  'iso-8859-2': 'žluťoučký kůň',
  'iso-8859-7': 'Ελληνικά',
  'iso-8859-15': 'œuf à 5 €',
  'windows-1251': 'Привет',
  'koi8-r': 'Привет',
  'windows-1252': '“quotes” – €5',
  'utf-8': 'mixed: é 漢 🎈',
}

describe('charset detection', () => {
  for (const [charset, text] of Object.entries(SAMPLES)) {
    it(`reads ${charset} by the header and by the page's own declaration`, () => {
      const html = `<html><head><meta charset="${charset}"></head><p>${text}</p>`
      assert.ok(decodeText(iconv.encode(html, charset), 'text/html').includes(text))
      assert.ok(
        decodeText(
          iconv.encode(`<p>${text}</p>`, charset),
          `text/html; charset="${charset}"`,
        ).includes(text),
      )
    })
  }

  it('reads the older form of declaration and an XML declaration', () => {
    const meta =
      '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>Привет'
    assert.ok(decodeText(iconv.encode(meta, 'windows-1251'), undefined).endsWith('Привет'))
    const xml = '<?xml version="1.0" encoding="koi8-r"?><p>Привет'
    assert.ok(decodeText(iconv.encode(xml, 'koi8-r'), undefined).endsWith('Привет'))
  })

  it('a byte order mark wins over the header', () => {
    for (const charset of ['utf-8', 'utf-16le', 'utf-16be']) {
      assert.equal(
        decodeText(
          iconv.encode('日本', charset, { addBOM: true }),
          'text/html; charset=windows-1252',
        ),
        '日本',
      )
    }
  })

  it('undeclared bytes are UTF-8 when they are valid UTF-8, else windows-1252', () => {
    assert.equal(decodeText(Buffer.from('naïve 日本'), 'text/html'), 'naïve 日本')
    assert.equal(
      decodeText(Buffer.from([0x93, 0x6e, 0x61, 0xef, 0x76, 0x65, 0x94]), undefined),
      '“naïve”',
    )
  })

  it('reads UTF-8 and windows-1252 labeled as each other by their bytes', () => {
    const german = '<p>Die größte Fähre fährt täglich.'
    for (const label of ['iso-8859-1', 'windows-1252', 'us-ascii']) {
      assert.equal(decodeText(Buffer.from(german), `text/html; charset=${label}`), german, label)
      assert.equal(
        decodeText(iconv.encode(german, 'windows-1252'), `text/html; charset=${label}`),
        german,
        label,
      )
    }
    assert.equal(
      decodeText(iconv.encode(german, 'windows-1252'), 'text/html; charset=utf-8'),
      german,
    )
    assert.equal(
      decodeText(iconv.encode('Привет, мир', 'windows-1251'), 'text/html; charset=windows-1251'),
      'Привет, мир',
    )
    const russian = '<meta charset="windows-1251"><p>Привет, мир'
    assert.equal(
      decodeText(iconv.encode(russian, 'windows-1251'), 'text/html; charset=utf-8'),
      russian,
      'the page knows better than its server',
    )
  })

  it('a UTF-8 page with a stray byte loses only that byte', () => {
    const stray = Buffer.concat([
      Buffer.from('größte Fähre '),
      Buffer.from([0x92]),
      Buffer.from(' täglich'),
    ])
    for (const label of ['text/html; charset=utf-8', 'text/html'])
      assert.equal(decodeText(stray, label), 'größte Fähre \ufffd täglich')
  })

  it('ignores declarations in comments, unknown ones, and UTF-16 declared in ASCII', () => {
    assert.equal(
      decodeText(Buffer.from('<!-- <meta charset="big5"> -->é'), undefined).slice(-1),
      'é',
    )
    assert.equal(decodeText(Buffer.from('é'), 'text/html; charset=klingon'), 'é')
    assert.equal(decodeText(Buffer.from('<meta charset="utf-16le">é'), undefined).slice(-1), 'é')
  })

  it('reads a header full of blanks as fast as any other', () => {
    const cpuMs = cpuMsOf(() => void charsetOf(`text/html; charset=${' '.repeat(100_000)}`))
    assert.ok(cpuMs < 1_000, `${cpuMs} ms`)
    assert.equal(charsetOf('text/html; charset = " koi8-r"'), 'koi8-r')
  })
})
