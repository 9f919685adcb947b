import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const source = (path: string): string =>
  JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../src', path)).href)

/** Loads the modules of `npm start`, configures SMTP and a provider, and returns the loaded packages. */
const START = `
import { registerHooks } from 'node:module'
const packages = new Set()
registerHooks({ resolve(specifier, context, next) { if (!/^[./]|^\\w+:/.test(specifier)) packages.add(specifier); return next(specifier, context) } })
await import(${source('app/processes/processes.ts')})
const { openAuth } = await import(${source('app/wiring/auth.ts')})
openAuth({ signUp: true, mail: { smtpUrl: 'smtp://127.0.0.1', from: 'a@example.com' }, provider: { issuer: 'https://id.example', clientId: 'c', clientSecret: 's', name: 'n' } })
console.log(JSON.stringify([...packages]))
`

test('a gateway loads no sign-in library before the first sign-in', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', START], {
    encoding: 'utf8',
  })
  assert.ok(stdout !== '', stderr)
  const packages = JSON.parse(stdout) as string[]
  assert.ok(packages.includes('fastify'), 'the rest of the gateway is loaded')
  assert.deepEqual(
    packages.filter((name) => /^(@simplewebauthn|nodemailer|openid-client)/.test(name)),
    [],
  )
})
