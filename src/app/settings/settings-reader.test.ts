import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { StartError } from '../../errors/start-error.ts'
import { loadConfig } from './config.ts'

describe('secrets from files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'))
  after(() => rmSync(folder, { recursive: true }))
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const key = `0x${'1'.repeat(64)}`

  it('reads every kind of secret from a file, without its last line break', () => {
    const config = loadConfig({
      PAY_EVM_KEY_FILE: file('evm', `${key}\n`),
      UPSTREAM_SEMANTIC_KEY_FILE: file('semantic', 'k1\r\n'),
      UPSTREAM_UNBLOCK_ZONE_FILE: file('zone', 'z1\n'),
      STRIPE_KEY_FILE: file('stripe', 'sk_1\n'),
      STRIPE_WEBHOOK_SECRET_FILE: file('hook', 'whsec_1'),
      METRICS_TOKEN_FILE: file('metrics', 'a-token-of-24-characters\n'),
      SMTP_URL_FILE: file('smtp', 'smtp://me:hunter2@mail.example:587\n'),
      MAIL_FROM: 'gate@gate.example',
      PUBLIC_URL: 'https://gate.example',
      S3_ENDPOINT: 'https://s3.example',
      S3_BUCKET: 'files',
      S3_ACCESS_KEY_ID_FILE: file('id', 'AK\n'),
      S3_SECRET_ACCESS_KEY_FILE: file('s3', 'SK\n'),
      OIDC_ISSUER: 'https://id.example',
      OIDC_CLIENT_ID: 'c',
      OIDC_CLIENT_SECRET_FILE: file('oidc', 'os\n'),
      DATABASE_URL_FILE: file('db', 'postgres://me:pw@db/gate\n'),
    })
    assert.equal(config.pay.evmKey, key)
    assert.deepEqual(
      [config.upstreams.get('semantic')?.credentials, config.upstreams.get('unblock')?.credentials],
      [{ KEY: 'k1' }, { ZONE: 'z1' }],
    )
    assert.deepEqual(
      [config.cards?.key, config.cards?.webhookSecret, config.metricsToken],
      ['sk_1', 'whsec_1', 'a-token-of-24-characters'],
    )
    assert.deepEqual(
      [config.s3?.accessKeyId, config.s3?.secretAccessKey, config.databaseUrl],
      ['AK', 'SK', 'postgres://me:pw@db/gate'],
    )
    assert.deepEqual(config.mistyped, [])
  })

  it('rejects a secret set in both forms and repeats neither', () => {
    for (const name of ['PAY_TEMPO_KEY', 'UPSTREAM_SEMANTIC_KEY', 'STRIPE_KEY']) {
      assert.throws(
        () => loadConfig({ [name]: 'hunter2', [`${name}_FILE`]: file('both', 'hunter3') }),
        (error) =>
          error instanceof StartError &&
          error.message === `${name} and ${name}_FILE are both set. Remove one of them.`,
      )
    }
  })

  it('rejects unreadable and empty files by the name of the setting', () => {
    assert.throws(
      () => loadConfig({ PAY_EVM_KEY_FILE: join(folder, 'none') }),
      (error) =>
        error instanceof StartError &&
        /^PAY_EVM_KEY_FILE names .+none, which cannot be read \(ENOENT\)/.test(error.message),
    )
    assert.throws(
      () => loadConfig({ UPSTREAM_SEMANTIC_KEY_FILE: file('empty', '\n') }),
      (error) =>
        error instanceof StartError &&
        /^UPSTREAM_SEMANTIC_KEY_FILE names .+ is empty/.test(error.message),
    )
  })

  it("ignores other programs' files and reports a misspelled name", () => {
    assert.deepEqual(
      loadConfig({
        VAULT_TOKEN_FILE: '/nowhere',
        PORT_FILE: '/nowhere',
        UPSTREAM_SEMANTIC_URL_FILE: '/nowhere',
      }).mistyped,
      [],
    )
    assert.deepEqual(loadConfig({ PAY_EVM_KEY_FIEL: '/x' }).mistyped, [
      { name: 'PAY_EVM_KEY_FIEL', meant: 'PAY_EVM_KEY_FILE' },
    ])
  })
})
