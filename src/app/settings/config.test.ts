import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StartError } from '../../errors/start-error.ts'
import { loadConfig, withPort } from './config.ts'

describe('the configuration', () => {
  it('needs nothing to be set', () => {
    const config = loadConfig({})
    assert.deepEqual(
      [config.host, config.port, config.publicUrl, config.databaseUrl, config.logLevel],
      ['127.0.0.1', 4020, 'http://127.0.0.1:4020', null, 'info'],
    )
    assert.match(config.dataDir, /\/\.tollgate$/)
    assert.equal(config.upstreams.size, 0)
  })

  it('treats an empty variable as unset', () => {
    assert.equal(loadConfig({ PORT: '', DATABASE_URL: ' ' }).port, 4020)
  })

  it('reads vendor keys, credentials and URLs by service label', () => {
    const { upstreams } = loadConfig({
      UPSTREAM_SEMANTIC_KEY: 'k',
      UPSTREAM_UNBLOCK_ZONE: 'z',
      UPSTREAM_UNBLOCK_KEY: 'u',
      UPSTREAM_LLMNATIVE_A_KEY: 'a',
      UPSTREAM_RENDER2_URL: 'http://10.0.0.5:3000/',
    })
    assert.deepEqual(upstreams.get('semantic'), { url: null, credentials: { KEY: 'k' } })
    assert.deepEqual(upstreams.get('unblock')?.credentials, { ZONE: 'z', KEY: 'u' })
    assert.deepEqual(upstreams.get('llmnative-a')?.credentials, { KEY: 'a' })
    assert.equal(upstreams.get('render2')?.url, 'http://10.0.0.5:3000/')
  })

  const invalidSetting: readonly (readonly [string, string])[] = [
    ['PORT', 'many'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '4020.5'],
    ['LOG_LEVEL', 'loud'],
    ['PUBLIC_URL', 'gate.example'],
    ['PUBLIC_URL', 'ftp://gate.example'],
    ['DATABASE_URL', 'mysql://x'],
    ['ALLOW_PRIVATE_NETWORKS', '127.0.0.1'],
    ['ALLOW_PRIVATE_NETWORKS', '127.0.0.0/8,nonsense'],
    ['TRUSTED_PROXIES', '10.0.0.1'],
    ['BROWSER_CONCURRENCY', '0'],
    ['RESPECT_ROBOTS', 'yes'],
    ['UPSTREAM_SEMANTIC_URL', 'localhost:3000'],
  ]
  for (const [name, value] of invalidSetting) {
    it(`rejects ${name}=${value} with a message that names it`, () => {
      assert.throws(
        () => loadConfig({ [name]: value }),
        (error) =>
          error instanceof StartError &&
          error.message.startsWith(name) &&
          !error.message.includes('\n'),
      )
    })
  }

  it('rejects unusable URLs of the gateway or the store without repeating passwords', () => {
    for (const address of [
      'https://gate.example/?x',
      'https://gate.example/#x',
      'https://me:hunter2@gate.example.com',
      'https://:hunter2@gate.example.com',
    ]) {
      assert.throws(
        () => loadConfig({ PUBLIC_URL: address }),
        (error) =>
          error instanceof StartError &&
          error.message.startsWith('PUBLIC_URL is invalid') &&
          !error.message.includes('hunter2'),
      )
      assert.throws(
        () =>
          loadConfig({
            S3_ENDPOINT: address,
            S3_BUCKET: 'files',
            S3_ACCESS_KEY_ID: 'a',
            S3_SECRET_ACCESS_KEY: 's',
          }),
        /S3_ENDPOINT is invalid/,
      )
    }
    assert.equal(
      loadConfig({ PUBLIC_URL: 'https://gate.example/below/' }).publicUrl,
      'https://gate.example/below',
    )
  })

  it('rejects invalid vendor URLs without repeating passwords', () => {
    for (const name of ['UPSTREAM_SEMANTIC_URL', 'UPSTREAM_LLM_URL', 'OIDC_ISSUER']) {
      assert.throws(
        () =>
          loadConfig({
            [name]: 'htps://me:hunter2@vendor.example',
            OIDC_CLIENT_ID: 'a',
            OIDC_CLIENT_SECRET: 's',
          }),
        (error) =>
          error instanceof StartError &&
          error.message.startsWith(name) &&
          !error.message.includes('hunter2'),
        name,
      )
    }
  })

  it('rejects a vendor key with a line break without repeating it', () => {
    assert.throws(
      () => loadConfig({ UPSTREAM_SEMANTIC_KEY: 'hunter2\r\nOTHER=x' }),
      (error) =>
        error instanceof StartError &&
        error.message.startsWith('UPSTREAM_SEMANTIC_KEY contains a line break') &&
        !error.message.includes('hunter2'),
    )
    assert.deepEqual(
      loadConfig({ UPSTREAM_SEMANTIC_KEY: 'k\r\n' }).upstreams.get('semantic')?.credentials,
      { KEY: 'k' },
    )
  })

  it('sells credit by card only with both Stripe secrets and repeats neither', () => {
    const both = { STRIPE_KEY: 'hunter2', STRIPE_WEBHOOK_SECRET: 'hunter3' }
    assert.equal(loadConfig({}).cards, null)
    assert.deepEqual(loadConfig(both).cards, {
      key: 'hunter2',
      webhookSecret: 'hunter3',
      url: 'https://api.stripe.com',
      packs: [500, 2_000, 10_000],
      range: [500, 200_000],
      seller: '',
    })
    assert.deepEqual(
      loadConfig({ ...both, CREDIT_PACKS: '50, 99999999' }).cards?.packs,
      [50, 99_999_999],
    )
    for (const wrong of [
      { STRIPE_KEY: 'hunter2' },
      { STRIPE_WEBHOOK_SECRET: 'hunter3' },
      ...['0', '49', '5.5', '500,', '-5', '100000000'].map((packs) => ({
        ...both,
        CREDIT_PACKS: packs,
      })),
      { ...both, CREDIT_FROM_CENTS: '49' },
      { ...both, CREDIT_FROM_CENTS: '600', CREDIT_UP_TO_CENTS: '500' },
    ]) {
      assert.throws(
        () => loadConfig(wrong),
        (error) => error instanceof StartError && !error.message.includes('hunter'),
      )
    }
  })

  it('accepts a long enough metrics token and repeats none', () => {
    assert.equal(loadConfig({}).metricsToken, null)
    assert.equal(
      loadConfig({ METRICS_TOKEN: ' sixteen-letters. ' }).metricsToken,
      'sixteen-letters.',
    )
    for (const token of [
      'hunter2',
      'fifteen-letters',
      'with a space in the middle',
      'with-an-umlaut-ü-in-it',
    ]) {
      assert.throws(
        () => loadConfig({ METRICS_TOKEN: token }),
        (error) =>
          error instanceof StartError &&
          error.message.startsWith('METRICS_TOKEN must be at least 16 ASCII characters') &&
          !error.message.includes(token),
      )
    }
  })

  const mail = {
    SMTP_URL: 'smtp://gate:hunter2@mail.example.com:587',
    MAIL_FROM: 'Tollgate <gate@example.com>',
  }
  const provider = {
    OIDC_ISSUER: 'https://id.example/',
    OIDC_CLIENT_ID: 'gate',
    OIDC_CLIENT_SECRET: 'hunter2',
  }

  it('keeps sign-up, email and OpenID Connect off by default', () => {
    assert.deepEqual(loadConfig({}).people, {
      signUp: false,
      welcomeCreditsPerDay: 100,
      mail: null,
      provider: null,
    })
    assert.deepEqual(loadConfig({ ...mail, SIGN_UP: 'open' }).people, {
      signUp: true,
      welcomeCreditsPerDay: 100,
      mail: { smtpUrl: mail.SMTP_URL, from: mail.MAIL_FROM },
      provider: null,
    })
    assert.deepEqual(loadConfig({ ...provider, SIGN_UP: 'open' }).people, {
      signUp: true,
      welcomeCreditsPerDay: 100,
      mail: null,
      provider: {
        issuer: provider.OIDC_ISSUER,
        clientId: 'gate',
        clientSecret: 'hunter2',
        name: 'id.example',
      },
    })
    assert.equal(loadConfig({ ...provider, OIDC_NAME: 'Example' }).people.provider?.name, 'Example')
    for (const smtpUrl of [
      'smtp://localhost',
      'smtps://mail.example',
      'smtp://[::1]:25/',
      'smtp://a%40b:c%25d@mail.example.com',
    ])
      assert.equal(loadConfig({ ...mail, SMTP_URL: smtpUrl }).people.mail?.smtpUrl, smtpUrl)
  })

  it('rejects open sign-up without a way to verify addresses', () => {
    assert.throws(
      () => loadConfig({ SIGN_UP: 'open' }),
      (error) => error instanceof StartError && error.message.startsWith('SIGN_UP=open needs'),
    )
    assert.throws(() => loadConfig({ SIGN_UP: 'yes' }), /SIGN_UP="yes"/)
  })

  it('rejects incomplete or invalid email and provider settings, repeating no secret', () => {
    for (const name of Object.keys(mail))
      assert.throws(
        () => loadConfig({ ...mail, [name]: '' }),
        (error) =>
          error instanceof StartError &&
          error.message.startsWith(`${name} must be set`) &&
          !error.message.includes('hunter'),
      )
    for (const name of Object.keys(provider))
      assert.throws(
        () => loadConfig({ ...provider, [name]: ' ' }),
        (error) =>
          error instanceof StartError &&
          error.message.startsWith(`${name} must be set`) &&
          !error.message.includes('hunter'),
      )
    for (const smtpUrl of [
      'hunter2',
      'mail.example:25',
      'http://u:hunter2@mail.example.com',
      'smtp://',
      'smtp:hunter2',
      'smtp://u:hunter2@mail.example.com/?ignoreTLS=true',
      'smtp://u:hunter2@mail.example.com/#x',
      'smtp://u:hunter2@mail.example.com/path',
      'smtp://u:hunter2%zz@mail.example.com',
    ]) {
      assert.throws(
        () => loadConfig({ ...mail, SMTP_URL: smtpUrl }),
        (error) =>
          error instanceof StartError &&
          error.message.startsWith('SMTP_URL is invalid') &&
          !error.message.includes('hunter'),
        smtpUrl,
      )
    }
    for (const from of ['nobody', 'a@b\r\nBcc: c@d', '@'])
      assert.throws(() => loadConfig({ ...mail, MAIL_FROM: from }), /MAIL_FROM=/)
    assert.throws(() => loadConfig({ ...provider, OIDC_ISSUER: 'id.example' }), /OIDC_ISSUER=/)
  })

  const s3 = {
    S3_ENDPOINT: 'https://s3.example/',
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'hunter2',
  }

  it('reads the S3 settings, and stores files on disk without them', () => {
    assert.deepEqual(loadConfig(s3).s3, {
      endpoint: 'https://s3.example',
      bucket: 'files',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'hunter2',
    })
    assert.equal(loadConfig({ ...s3, S3_REGION: 'eu-central-1' }).s3?.region, 'eu-central-1')
    assert.equal(loadConfig({}).s3, null)
  })

  it('rejects incomplete S3 settings, naming what is missing and no secret', () => {
    for (const name of Object.keys(s3)) {
      assert.throws(
        () => loadConfig({ ...s3, [name]: '' }),
        (error) =>
          error instanceof StartError &&
          error.message.startsWith(`${name} must be set`) &&
          !error.message.includes('hunter2'),
      )
    }
    assert.throws(() => loadConfig({ S3_REGION: 'eu' }), StartError)
    assert.throws(
      () => loadConfig({ ...s3, S3_ENDPOINT: 's3.example' }),
      /^StartError: S3_ENDPOINT=|S3_ENDPOINT="s3.example"/,
    )
    assert.throws(() => loadConfig({ ...s3, S3_BUCKET: 'a/b' }), /S3_BUCKET/)
  })

  it('never repeats a database address, which may hold a password', () => {
    assert.throws(
      () => loadConfig({ DATABASE_URL: 'mysql://u:hunter2@h/d' }),
      (error: StartError) => !error.message.includes('hunter2'),
    )
  })

  it('maps each certificate-checking sslmode to verify-full', () => {
    const read = (mode: string): string | null =>
      loadConfig({ DATABASE_URL: `postgres://u:p@h/d?${mode}&application_name=a` }).databaseUrl
    for (const mode of ['require', 'verify-ca', 'prefer', 'verify-full'])
      assert.equal(
        read(`sslmode=${mode}`),
        'postgres://u:p@h/d?sslmode=verify-full&application_name=a',
        mode,
      )
    for (const mode of ['sslmode=no-verify', 'sslmode=disable', 'xsslmode=require'])
      assert.ok(read(mode)?.includes(`?${mode}&`), mode)
  })

  it('rejects TLS parameters that pg would ignore, without repeating the password', () => {
    for (const mistyped of [
      'sslmode=required',
      'sslmode=',
      'sslmode=allow',
      'SSLMODE=require',
      'ssl_mode=require',
      'sslMode=require',
      'sslca=/root.pem',
      'sslmode=require&sslmode=none',
    ]) {
      const words = (error: unknown): boolean =>
        error instanceof StartError &&
        /^DATABASE_URL has an unknown .*(verify-full|sslrootcert)/.test(error.message) &&
        !error.message.includes('hunter2')
      assert.throws(
        () => loadConfig({ DATABASE_URL: `postgres://u:hunter2@h/d?${mistyped}` }),
        words,
        mistyped,
      )
    }
    for (const known of [
      'sslmode=verify-full&sslrootcert=/root.pem',
      'ssl=true',
      'sslnegotiation=direct',
      'channel_binding=require',
    ])
      assert.doesNotThrow(() => loadConfig({ DATABASE_URL: `postgres://u:p@h/d?${known}` }), known)
  })

  it('uses an address in links that can be opened', () => {
    const urls = ['127.0.0.1', '0.0.0.0', '::', '::1', 'gate.example'].map(
      (HOST) => loadConfig({ HOST }).publicUrl,
    )
    assert.deepEqual(urls, [
      'http://127.0.0.1:4020',
      'http://127.0.0.1:4020',
      'http://127.0.0.1:4020',
      'http://[::1]:4020',
      'http://gate.example:4020',
    ])
    assert.ok(urls.every((url) => URL.canParse(url)))
  })

  it('includes the port that the system chose in its address', () => {
    assert.equal(withPort(loadConfig({ PORT: '0' }), 40_123).publicUrl, 'http://127.0.0.1:40123')
    assert.equal(
      withPort(loadConfig({ PORT: '0', PUBLIC_URL: 'https://gate.example' }), 40_123).publicUrl,
      'https://gate.example',
    )
  })
})
