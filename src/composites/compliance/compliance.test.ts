/** The in-house checks, with published examples and common mistakes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { fc } from '../../../test/harness/property.ts'
import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { anyAddress } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import { modulo97 } from './bank-accounts.ts'
import type { SiteProbe } from './check.ts'
import { checkRules } from './check-rules.ts'
import { checks } from './checks.ts'
import { createCompliance } from './create-compliance.ts'
import type { DomainNames } from '../shared/public-names.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'

const zone: Readonly<Record<string, readonly unknown[]>> = {
  'MX mail.example': [
    { exchange: 'b.mail.example', priority: 20 },
    { exchange: 'a.mail.example', priority: 10 },
  ],
  'MX null.example': [{ exchange: '', priority: 0 }],
  'A web.example': ['192.0.2.1'],
  'A mail.example': ['192.0.2.2'],
  'NS mail.example': ['ns1', 'ns2'],
  'TXT mail.example': [['v=spf1 include:x', ' -all'], ['other']],
  'TXT _dmarc.mail.example': [['v=DMARC1; p=reject; rua=mailto:x@mail.example']],
  'TXT s1._domainkey.mail.example': [['v=DKIM1; p=MIG']],
  'CAA mail.example': [{ critical: 0, issue: 'ca.example' }],
  'A vault.corp.example': ['10.0.0.5'],
  'AAAA vault.corp.example': ['fd00::5', '64:ff9b::a00:5', '::ffff:10.0.0.5'],
  'TXT vault.corp.example': [['rack=12']],
  'CNAME vault.corp.example': ['vault-1.corp.example'],
  'MX vault.corp.example': [{ exchange: 'mx.corp.example', priority: 1 }],
  'A wire.example': ['168.63.129.16'],
  'A both.example': ['8.8.4.4', '192.168.1.1'],
  'CNAME both.example': ['db.prod.internal', 'edge.cdn.example'],
  'MX both.example': [
    { exchange: 'mail.lan', priority: 1 },
    { exchange: 'mx.cdn.example', priority: 2 },
  ],
  'TXT both.example': [['v=spf1 -all']],
  'A metadata.google.internal': ['169.254.169.254'],
  'MX corp.internal': [{ exchange: 'mx.corp.internal', priority: 1 }],
}
const names: DomainNames = {
  resolve: (domain, kind) => Promise.resolve(zone[`${kind} ${domain}`] ?? []),
}
const hop = (url: string, status: number, headers: Record<string, string> = {}) => ({
  url,
  status,
  headers,
  latencyMs: 5,
})
const site: SiteProbe = {
  request: async (url, { maxRedirects }) => {
    const { hostname, pathname } = new URL(url)
    if (hostname === 'down.example') throw new Error('ECONNREFUSED')
    if (hostname === 'private.example') throw new AppError('bad_url', 'private')
    if (hostname === 'hostile.example')
      return {
        hops: [hop(url, 200)],
        text: `allow: a${' '.repeat(250_000)}x\ry\n${'#'.repeat(250_000)}\rz`,
      }
    if (pathname === '/robots.txt')
      return {
        hops: [hop(url, hostname === 'bare.example' ? 404 : 200)],
        text: 'User-agent: a\nUser-agent: b\nDisallow: /x # not here\n\nUser-agent: *\nAllow: /\nSitemap: https://web.example/sitemap.xml',
      }
    const hops = [
      hop(url, 301, { location: 'https://web.example/' }),
      hop('https://web.example/', 200, {
        'strict-transport-security': 'max-age=31536000',
        'content-security-policy': "frame-ancestors 'none'",
      }),
    ]
    return { hops: hops.slice(0, maxRedirects + 1), text: '' }
  },
  certificates: async (host) => {
    if (host === 'down.example') throw new Error('ECONNREFUSED')
    return {
      trusted: host === 'web.example',
      problem: host === 'web.example' ? null : 'CERT_HAS_EXPIRED',
      protocol: 'TLSv1.3',
      chain: [
        {
          subject: host,
          issuer: 'Example CA',
          validFrom: 'Nov  1 00:00:00 2026 GMT',
          validTo: 'Dec  1 00:00:00 2026 GMT',
          names: [host],
          fingerprint: 'AA',
        },
      ],
    }
  },
}
const handler = createCompliance({ names, site })
const tools = { now: manualClock(Date.parse('2026-11-20T12:00:00Z')) } as unknown as CallTools

async function check(name: string, parameters: Data): Promise<Data> {
  const answer = (await handler({ endpoint: `/x402/${name}`, ...parameters }, tools)) as Data
  assertFits(`compliance/check /x402/${name}`, answer)
  return answer
}

async function verdicts(
  name: string,
  field: string,
  values: readonly string[],
): Promise<unknown[]> {
  return Promise.all(values.map(async (value) => (await check(name, { [field]: value }))['valid']))
}

test('rejects overlong parameters before parsing them', async () => {
  const endless = `a${'/'.repeat(900_000)}\nb`
  const before = process.threadCpuUsage().user
  for (const [name, field] of [
    ['dns-lookup', 'domain'],
    ['mx-lookup', 'domain'],
    ['email-auth-check', 'email'],
    ['ssl-check', 'host'],
    ['iban-validate', 'iban'],
    ['email-validate-bulk', 'text'],
  ] as const) {
    await assert.rejects(check(name, { [field]: endless }), rejects(field))
  }
  await assert.rejects(
    check('dns-lookup', { domain: endless.slice(0, 1_998).concat('\nb') }),
    rejects('domain'),
  )
  assert.ok(process.threadCpuUsage().user - before < 1_000_000)
})

function rejects(param: string) {
  return (error: unknown) =>
    error instanceof AppError && error.code === 'invalid_params' && error.param === param
}

describe('bank accounts', () => {
  const ibans = [
    'DE89 3704 0044 0532 0130 00',
    'GB29NWBK60161331926819',
    'FR1420041010050500013M02606',
    'IT60X0542811101000000123456',
    'NO9386011117947',
    'MT84MALT011000012345MTLCAST001S',
    'CH9300762011623852957',
    'SA0380000000608010167519',
  ]

  test('accepts published IBANs, and rejects them with any changed digit', async () => {
    for (const iban of ibans) {
      assert.equal((await check('iban-validate', { iban }))['valid'], true, iban)
      const plain = iban.replaceAll(' ', '')
      for (let index = 2; index < plain.length; index += 1) {
        if (!/[0-9]/.test(plain.charAt(index))) continue
        const changed = `${plain.slice(0, index)}${(Number(plain.charAt(index)) + 1) % 10}${plain.slice(index + 1)}`
        assert.equal((await check('iban-validate', { iban: changed }))['valid'], false, changed)
      }
    }
  })

  test('distinguishes errors of country, length and format, and extracts the bank', async () => {
    assert.equal((await check('iban-validate', { iban: ibans[0] ?? '' }))['bank_code'], '37040044')
    assert.equal((await check('iban-validate', { iban: ibans[3] ?? '' }))['bank_code'], '05428')
    for (const [iban, words] of [
      ['ZZ8937040044053201300', /ZZ has no IBANs/],
      ['DE8937040044053201300', /has 22 characters/],
      ['DE89X70400440532013000', /letters in place of digits/],
      ['hello', /two letters, two digits/],
    ] as const) {
      assert.match(String((await check('iban-validate', { iban }))['errors']), words)
    }
  })

  test('computes the remainder of the whole number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (number) =>
        assert.equal(modulo97(String(number)), Number(number % 97n)),
      ),
    )
  })

  test('requires bank, existing country and location of a BIC', async () => {
    assert.deepEqual(
      await verdicts('swift-validate', 'swift', [
        'DEUTDEFF',
        'deutdeff500',
        'DEUTZZFF',
        'DEUTDEF',
        'DEUTDEFF50',
      ]),
      [true, true, false, false, false],
    )
  })
})

describe('numbers', () => {
  test('checks VAT numbers by the format of their country', async () => {
    assert.deepEqual(
      await verdicts('vat-format-validate', 'vat_number', [
        'DE123456789',
        'ATU12345678',
        'EL123456789',
        'GR123456789',
        'NL123456789B01',
        'FRXX123456789',
        'CHE-123.456.789 MWST',
        'DE12345678',
        'US123456789',
        '',
      ]),
      [true, true, true, true, true, true, true, false, false, false],
    )
  })

  test('checks the digits of books and Czech companies', async () => {
    assert.deepEqual(
      await verdicts('isbn-validate', 'isbn', [
        '978-0-306-40615-7',
        '0-306-40615-2',
        '080442957X',
        '9780306406158',
        '0306406153',
        '123',
      ]),
      [true, true, true, false, false, false],
    )
    assert.equal((await check('isbn-validate', { isbn: '0306406152' }))['isbn13'], '9780306406157')
    assert.deepEqual(
      await verdicts('cz-ico-validate', 'ico', [
        '45274649',
        '25596641',
        '45274648',
        '00000000',
        'abc',
      ]),
      [true, true, false, false, false],
    )
  })
})

describe('wallet addresses', () => {
  const valid: Readonly<Record<string, readonly string[]>> = {
    bitcoin: [
      '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
      '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
    ],
    dogecoin: ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L'],
    eth: [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359',
    ],
    solana: ['So11111111111111111111111111111111111111112', '11111111111111111111111111111111'],
    tron: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    xrp: ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
  }

  test('accepts valid addresses', async () => {
    for (const [chain, addresses] of Object.entries(valid))
      assert.deepEqual(
        await verdicts(`${chain}-address-validate`, 'address', addresses),
        addresses.map(() => true),
        chain,
      )
  })

  test('rejects changed characters, addresses of other chains and other texts', async () => {
    for (const [chain, addresses] of Object.entries(valid)) {
      const others = Object.entries(valid).flatMap(([other, list]) => (other === chain ? [] : list))
      for (const address of [...others, '', 'x', '0x12', '0'.repeat(200)])
        assert.equal(
          (await check(`${chain}-address-validate`, { address }))['valid'],
          false,
          `${chain} ${address}`,
        )
      if (chain === 'solana') continue
      for (const address of addresses.filter((text) => !/^0x[0-9a-f]+$/.test(text))) {
        const last =
          address.at(-1) === 'a'
            ? 'A'
            : address.at(-1)?.toLowerCase() === address.at(-1)
              ? 'q'
              : 'b'
        const changed = `${address.slice(0, -1)}${last === address.at(-1) ? 'p' : last}`
        assert.equal(
          (await check(`${chain}-address-validate`, { address: changed }))['valid'],
          false,
          changed,
        )
      }
    }
  })
})

describe('mail', () => {
  test('requires a valid format and a domain that accepts mail', async () => {
    assert.deepEqual(
      await verdicts('email-validate', 'email', [
        'a.b+c@mail.example',
        'x@web.example',
        'x@null.example',
        'x@nowhere.example',
        'a..b@mail.example',
        'a@b@mail.example ',
        'no address',
        '@mail.example',
      ]),
      [true, true, false, false, false, false, false, false],
    )
    const { role_account: role, disposable } = await check('email-validate', {
      email: 'info@mailinator.com',
    })
    assert.deepEqual([role, disposable], [true, true])
  })

  test('rejects an invalid domain without affecting other addresses of a list', async () => {
    assert.deepEqual(await verdicts('email-validate', 'email', ['x@-bad-.example', 'x@1.2.3.4']), [
      false,
      false,
    ])
    assert.deepEqual(
      await check('email-validate-bulk', { emails: ['a@mail.example', 'x@-bad-.example'] }).then(
        ({ total, valid_count: valid }) => [total, valid],
      ),
      [2, 1],
    )
  })

  test('checks each of at most fifty addresses once', async () => {
    const { total, valid_count: valid } = await check('email-validate-bulk', {
      text: 'a@mail.example, b@nowhere.example; a@mail.example',
    })
    assert.deepEqual([total, valid], [2, 1])
    await assert.rejects(
      check('email-validate-bulk', {
        emails: Array.from({ length: 51 }, (_, index) => `${index}@mail.example`),
      }),
      rejects('emails'),
    )
  })

  test('lists mail servers by priority', async () => {
    const { mx_records: records } = (await check('mx-lookup', {
      domain: 'https://Mail.Example/path',
    })) as { mx_records: { exchange: string }[] }
    assert.deepEqual(
      records.map(({ exchange }) => exchange),
      ['a.mail.example', 'b.mail.example'],
    )
    await assert.rejects(check('mx-lookup', { domain: '10.0.0.1' }), rejects('domain'))
    await assert.rejects(check('dns-lookup', { domain: 'localhost' }), rejects('domain'))
  })

  test('reads SPF, DKIM and DMARC records', async () => {
    const { spf, dmarc, dkim } = (await check('email-auth-check', {
      email: 'x@mail.example',
      dkim_selector: 's1',
    })) as Record<string, Data>
    assert.deepEqual(
      [spf?.['record'], dmarc?.['policy'], dkim?.['found']],
      ['v=spf1 include:x -all', 'reject', true],
    )
    assert.deepEqual(
      [
        (await check('email-deliverability-check', { domain: 'mail.example' }))['score'],
        (await check('email-deliverability-check', { domain: 'web.example' }))['deliverable'],
      ],
      [100, false],
    )
  })

  test('rates a domain by its DNS records', async () => {
    assert.equal((await check('domain-reputation', { domain: 'mail.example' }))['rating'], 'good')
    assert.equal((await check('domain-reputation', { domain: 'nowhere.example' }))['score'], 0)
    assert.equal((await check('domain-reputation', { domain: 'mailinator.com' }))['score'], 0)
  })
})

describe('websites', () => {
  test('reports a site as up, gone or unreachable', async () => {
    assert.deepEqual(
      [
        (await check('uptime-check', { url: 'web.example/old' }))['up'],
        (await check('page-exists', { url: 'https://down.example/' }))['reachable'],
      ],
      [true, false],
    )
    const { status_code: status, redirects } = await check('url-health-check', {
      url: 'https://web.example/old',
      follow_redirects: false,
    })
    assert.deepEqual([status, redirects], [301, 0])
  })

  test('rejects a forbidden URL instead of reporting it as down', async () => {
    await assert.rejects(
      check('uptime-check', { url: 'https://private.example/' }),
      (error) => error instanceof AppError && error.code === 'bad_url',
    )
    await assert.rejects(
      check('page-exists', { url: 'no address' }),
      (error) => error instanceof AppError && error.code === 'bad_url',
    )
  })

  test('lists each redirect', async () => {
    const { redirect_count: count, hops } = await check('redirect-trace', {
      url: 'https://web.example/old',
    })
    assert.deepEqual(
      [count, hops],
      [
        1,
        [
          { url: 'https://web.example/old', status_code: 301, location: 'https://web.example/' },
          { url: 'https://web.example/', status_code: 200, location: null },
        ],
      ],
    )
  })

  test('grades security headers, and accepts a policy instead of an older header', async () => {
    const { score, grade, missing } = await check('header-security-check', {
      url: 'https://web.example/',
    })
    assert.deepEqual(
      [score, grade, missing],
      [65, 'C', ['x-content-type-options', 'referrer-policy', 'permissions-policy']],
    )
    await assert.rejects(
      check('header-security-check', { url: 'https://down.example/' }),
      (error) => error instanceof AppError && error.code === 'no_results',
    )
  })

  test('parses robots.txt into groups of agents', async () => {
    const { groups, sitemaps } = await check('robots-txt-parse', {
      url: 'https://web.example/some/page',
    })
    assert.deepEqual(groups, [
      { user_agents: ['a', 'b'], allow: [], disallow: ['/x'] },
      { user_agents: ['*'], allow: ['/'], disallow: [] },
    ])
    assert.deepEqual(sitemaps, ['https://web.example/sitemap.xml'])
    assert.equal(
      (await check('robots-txt-parse', { url: 'https://bare.example/' }))['exists'],
      false,
    )
  })

  test('parses a robots.txt of spaces and comment marks in linear time', async () => {
    const before = process.threadCpuUsage().user
    assert.equal(
      (await check('robots-txt-parse', { url: 'https://hostile.example/' }))['exists'],
      true,
    )
    assert.ok(process.threadCpuUsage().user - before < 1_000_000)
  })

  test('reports the validity, problem and remaining days of a certificate', async () => {
    const { valid, days_left: days } = await check('ssl-check', { domain: 'web.example' })
    assert.deepEqual([valid, days], [true, 10])
    assert.equal(
      (await check('ssl-certificate-chain', { host: 'old.example', port: 8443 }))['problem'],
      'CERT_HAS_EXPIRED',
    )
    await assert.rejects(
      check('ssl-check', { domain: 'down.example' }),
      (error) => error instanceof AppError && error.code === 'no_results',
    )
  })
})

describe('reference checks', () => {
  test('counts an age in whole years', async () => {
    const ageOf = async (born: string, at?: string) =>
      (
        await check('age-verify', {
          date_of_birth: born,
          ...(at === undefined ? {} : { reference_date: at }),
        })
      )['age']
    assert.deepEqual(
      [
        await ageOf('2008-11-20'),
        await ageOf('2008-11-21'),
        await ageOf('2004-02-29', '2022-02-28'),
        await ageOf('2004-02-29', '2022-03-01'),
      ],
      [18, 17, 17, 18],
    )
    await assert.rejects(
      check('age-verify', { date_of_birth: '2008-02-30' }),
      rejects('date_of_birth'),
    )
  })

  test('rates common passwords lowest and long mixed ones highest', async () => {
    const scores = await Promise.all(
      ['Password1', 'aaaaaaaaaaaaaaaa', 'kT9#vQ2!mZ7x', ''].map(
        async (password) => (await check('password-strength', { password }))['score'],
      ),
    )
    assert.deepEqual(scores, [0, 0, 3, 0])
  })

  test('finds countries by code and name, and Incoterms by code', async () => {
    assert.deepEqual(
      [
        (await check('iso-country-lookup', { query: 'DEU' }))['alpha2'],
        (await check('iso-country-lookup', { query: 'côte d’ivoire' }))['alpha3'],
        (await check('iso-country-lookup', { query: 'zz' }))['found'],
      ],
      ['DE', 'CIV', false],
    )
    assert.equal(
      (await check('incoterms-explain', { incoterm: 'ddp' }))['import_duties_paid_by'],
      'seller',
    )
    await assert.rejects(check('incoterms-explain', { incoterm: 'XXX' }), rejects('incoterm'))
  })

  test('recognises LinkedIn URLs of people and companies', async () => {
    const typeOf = async (url: string) => (await check('linkedin-url-validate', { url }))['type']
    assert.deepEqual(
      [
        await typeOf('linkedin.com/in/somebody/'),
        await typeOf('https://de.linkedin.com/company/acme?x=1'),
        await typeOf('https://linkedin.com.evil.example/in/x'),
      ],
      ['person', 'company', null],
    )
  })
})

test('rejects before the hold what the check itself would reject', async () => {
  const parameters = [
    'domain',
    'host',
    'url',
    'email',
    'text',
    'emails',
    'incoterm',
    'date_of_birth',
    'reference_date',
  ]
  const texts = fc.constantFrom(
    '',
    'x',
    'example.com',
    'https://web.example/',
    'a@mail.example',
    'DDP',
    '1990-04-23',
    '1990-02-30',
  )
  for (const name of Object.keys(checks)) {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...parameters), texts), async (sent) => {
        const isCallersFault = (error: unknown) =>
          error instanceof AppError && error.spec.status === 400
        const refusal = await check(name, sent).then(
          () => null,
          (error: unknown) => (isCallersFault(error) ? error : null),
        )
        if (refusal === null) checkRules[name]?.(sent, anyAddress)
        else assert.throws(() => checkRules[name]?.(sent, anyAddress), isCallersFault)
      }),
      { numRuns: 50 },
    )
  }
})

test('never fails on any text', async () => {
  const named: Readonly<Record<string, string>> = {
    'iban-validate': 'iban',
    'swift-validate': 'swift',
    'vat-format-validate': 'vat_number',
    'isbn-validate': 'isbn',
    'cz-ico-validate': 'ico',
    'bitcoin-address-validate': 'address',
    'tron-address-validate': 'address',
    'solana-address-validate': 'address',
    'email-validate': 'email',
    'password-strength': 'password',
    'iso-country-lookup': 'query',
    'linkedin-url-validate': 'url',
  }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(named)),
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      async (name, text) => {
        const answer = await check(name, { [named[name] ?? '']: text }).catch((error: unknown) => {
          assert.ok(error instanceof AppError)
          return {}
        })
        assert.ok(typeof answer === 'object')
      },
    ),
    { numRuns: 300 },
  )
})

describe('names of private networks', () => {
  type Answer = {
    resolves: boolean
    omitted_records?: number
    note?: string
    records: Record<string, unknown[]>
  }
  const lookUp = async (domain: string) =>
    (await check('dns-lookup', { domain })) as unknown as Answer

  test('rejects internal names in every check', async () => {
    for (const domain of [
      'metadata.google.internal',
      'vault.service.local',
      'db.default.svc',
      'x.localhost',
      'nas.home.arpa',
      'files.lan',
      'METADATA.google.INTERNAL.',
      'metadata',
    ]) {
      for (const name of [
        'dns-lookup',
        'mx-lookup',
        'email-deliverability-check',
        'domain-reputation',
        'ssl-check',
      ]) {
        await assert.rejects(check(name, { domain }), rejects('domain'), `${name} ${domain}`)
        assert.throws(() => checkRules[name]?.({ domain }, anyAddress), rejects('domain'))
      }
    }
    assert.deepEqual(
      (await check('email-validate', { email: 'x@corp.internal' }))['mx_records'],
      [],
    )
  })

  test('shows no records of a name with only private addresses, and reports it', async () => {
    const { resolves, records, omitted_records: omitted, note } = await lookUp('vault.corp.example')
    assert.deepEqual([resolves, Object.values(records).flat(), omitted], [false, [], 7])
    assert.equal(note, 'Records of private networks are omitted.')
    assert.deepEqual((await lookUp('wire.example')).records['a'], [])
    assert.equal((await check('domain-reputation', { domain: 'vault.corp.example' }))['score'], 0)
    assert.equal((await check('mx-lookup', { domain: 'vault.corp.example' }))['has_mx'], false)
  })

  test('omits private addresses and internal targets of a public name', async () => {
    const { records, omitted_records: omitted } = await lookUp('both.example')
    assert.deepEqual(
      [records['a'], records['cname'], records['mx'], records['txt'], omitted],
      [
        ['8.8.4.4'],
        ['edge.cdn.example'],
        [{ exchange: 'mx.cdn.example', priority: 2 }],
        [['v=spf1 -all']],
        3,
      ],
    )
    assert.equal((await lookUp('mail.example')).omitted_records, undefined)
  })
})
