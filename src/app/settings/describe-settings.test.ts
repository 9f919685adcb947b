import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from './config.ts'

const SECRETS = {
  DATABASE_URL: 'postgres://u:passw0rd-of-db@db.example/t',
  SMTP_URL: 'smtps://u:passw0rd-of-mail@mail.example',
  METRICS_TOKEN: 'metrics-token-0123456789',
  VENDOR_KEYS_SECRET: 'sealing-secret-0123456789-0123456789',
  UPSTREAM_RAG_KEY: 'rag-key-0123456789x3f',
  UPSTREAM_CITED_KEY: 'short',
  UPSTREAM_SEMANTIC_URL: 'https://u:passw0rd-of-url@semantic.example',
  OIDC_CLIENT_SECRET: 'oidc-secret-0123456789',
  OIDC_CLIENT_ID: 'tollgate-client',
  OIDC_ISSUER: 'https://login.example.com',
  MAIL_FROM: 'Tollgate <t@example.com>',
}

test('lists settings with their sources, and no secret', () => {
  const { settings } = loadConfig({ ...SECRETS, PORT: '4099' })
  const text = JSON.stringify(settings)
  for (const [name, secret] of Object.entries(SECRETS))
    if (!['MAIL_FROM', 'OIDC_CLIENT_ID', 'OIDC_ISSUER'].includes(name))
      assert.ok(!text.includes(secret), name)
  assert.ok(!text.includes('passw0rd'))
  const lineOf = (name: string) => settings.find((line) => line.name === name)
  assert.deepEqual(lineOf('PORT'), {
    name: 'PORT',
    value: '4099',
    ending: null,
    source: 'environment',
  })
  assert.deepEqual(lineOf('HOST'), {
    name: 'HOST',
    value: '127.0.0.1',
    ending: null,
    source: 'default',
  })
  assert.equal(lineOf('UPSTREAM_RAG_KEY')?.ending, 'x3f')
  assert.equal(lineOf('UPSTREAM_CITED_KEY')?.ending, null)
})
