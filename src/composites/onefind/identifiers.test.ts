import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { parseIdentifier, parseIdentifiers, isWebmail, toProfileUrl } from './identifiers.ts'

const kindsOf = (texts: readonly string[]) =>
  texts.map((text) => [text, parseIdentifier(text)?.kind ?? 'none'])
const all = (texts: readonly string[], kind: string) => texts.map((text) => [text, kind])

describe('identifiers', () => {
  test('include email addresses in all common forms', () => {
    const texts = [
      'ana@acme.test',
      ' Ana.X+news@Mail.Acme.co.uk ',
      'mailto:ana@acme.test',
      '<ana@acme.test>',
      'Ana X <ana@acme.test>',
      '"Ana X" <ana@acme.test>',
      'email: ana@acme.test',
      'E-mail address ana@acme.test',
      'ana@acme.test.',
      "'ana@acme.test'",
      'o’neil@acme.test'.replace('’', "'"),
      'jörg@müller.example',
      'find ana@acme.test',
      'who is ana@acme.test?',
      'ａｎａ@acme.test',
    ]
    assert.deepEqual(kindsOf(texts), all(texts, 'email'))
    assert.equal(parseIdentifier('Ana X <Ana@ACME.test>')?.value, 'ana@acme.test')
  })

  test('include LinkedIn URLs in all common forms', () => {
    const texts = [
      'https://www.linkedin.com/in/ana-x',
      'http://linkedin.com/in/ana-x/',
      'linkedin.com/in/ana-x',
      'www.linkedin.com/in/ana-x?trk=nav',
      'fr.linkedin.com/in/ana-x',
      '//linkedin.com/in/ana-x',
      'HTTPS://WWW.LINKEDIN.COM/IN/ANA-X',
      'https://www.linkedin.com/pub/ana-x/1/2a/3b',
      'https://www.linkedin.com/company/acme',
      'https://lnkd.in/abc',
      'linkedin profile: https://www.linkedin.com/in/ana-x',
      '<https://www.linkedin.com/in/ana-x>',
      'https://www.linkedin.com/in/an%C3%A4-x',
    ]
    assert.deepEqual(kindsOf(texts), all(texts, 'linkedin'))
  })

  test('include phone numbers in all common forms', () => {
    const texts = [
      '+1 (415) 555-0132',
      '(415) 555-0132',
      '415-555-0132',
      '415.555.0132',
      '4155550132',
      '+14155550132',
      '0033 1 99 00 12 34',
      '+33(0)199001234',
      '+49/30/901820',
      'tel:+1-415-555-0132',
      'phone: 415 555 0132',
      '+1 415 555 0132 ext. 7',
      '415-555-0132 x12',
      '415–555–0132',
      '＋１ ４１５ ５５５ ０１３２',
      '+1 415 555 0132',
      '[+1 415 555 0132]',
      '555-0132',
    ]
    assert.deepEqual(kindsOf(texts), all(texts, 'phone'))
  })

  test('exclude descriptions that mention one', () => {
    const texts = [
      'CTOs of fintech startups in Lyon',
      'Ana X at Acme',
      'people at acme.test',
      'founders who post on linkedin.com every day',
      'sales leads with a phone number',
      '24/7 nurses',
      'engineers hired 2019-2024',
      'people who write to press@acme.test about ledgers',
      'notlinkedin.com/in/ana',
      'mylinkedin.company',
      '@acme',
      'a@b',
      '911',
      '',
    ]
    assert.deepEqual(kindsOf(texts), all(texts, 'none'))
  })

  test('have one canonical URL for each profile, and none for other pages', () => {
    for (const text of [
      'linkedin.com/in/Ana-X',
      'https://fr.linkedin.com/in/ana-x/?trk=a#b',
      'http://www.linkedin.com/in/ana-x/details/experience',
    ]) {
      assert.equal(toProfileUrl(text), 'https://www.linkedin.com/in/ana-x')
    }
    assert.equal(
      toProfileUrl('https://www.linkedin.com/pub/ana-x/1/2A/3b?x=1'),
      'https://www.linkedin.com/pub/ana-x/1/2a/3b',
    )
    assert.equal(toProfileUrl('https://www.linkedin.com/company/acme'), null)
    assert.equal(toProfileUrl('https://acme.test/linkedin.com/in/ana'), null)
  })

  test('distinguish private mailboxes from company mailboxes', () => {
    for (const domain of [
      'Gmail.com',
      'qq.com',
      'yahoo.com',
      'yahoo.co.jp',
      'yahoo.com.mx',
      'hotmail.be',
      'gmx.at',
      'icloud.com',
      'proton.me',
      'live.com',
      'live.no',
      'aol.co.uk',
      'optonline.net',
    ])
      assert.ok(isWebmail(`ana@${domain}`), domain)
    for (const domain of [
      'acme.test',
      'gmail.com.acme.test',
      'yahoo-inc.com',
      'outlook.agency',
      'live.acme.test',
    ])
      assert.ok(!isWebmail(`ana@${domain}`), domain)
  })

  test('are parsed in linear time for runs of spaces and separators', () => {
    const texts = [' ', '\t', '\n', '\u2003', ' ,', ' x'].map(
      (piece) => `a${piece.repeat(1_000).slice(0, 998)}b`,
    )
    const cpuMs = cpuMsOf(() => texts.forEach((text) => void parseIdentifiers(text)))
    assert.ok(cpuMs < 500, `${cpuMs} ms`)
  })

  test('are parsed from any text without failing', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.emailAddress(), fc.webUrl()),
        (text) => {
          const found = parseIdentifier(text)
          assert.ok(found === null || found.value !== '')
        },
      ),
      { numRuns: 100 },
    )
  })
})
