import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkSettings } from '../../surfaces/cli/doctor/settings.ts'
import { loadConfig } from './config.ts'
import { misspelledSettings } from './misspelled-settings.ts'

const mistyped = (environment: Record<string, string>) =>
  loadConfig(environment).mistyped.map(({ name, meant }) => [name, meant])

test('a misspelled setting is reported with the intended one', () => {
  for (const [name, meant] of [
    ['PAY_DAILY_CENT', 'PAY_DAILY_CENTS'],
    ['PUBLIC_ULR', 'PUBLIC_URL'],
    ['SIGNUP', 'SIGN_UP'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['METRIC_TOKEN', 'METRICS_TOKEN'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['WELCOME_CREDIT_PER_DAY', 'WELCOME_CREDITS_PER_DAY'],
    ['RATE_LIMITS_PER_MINUTE', 'RATE_LIMIT_PER_MINUTE'],
  ] as const)
    assert.deepEqual(mistyped({ [name]: 'x' }), [[name, meant]])
})

test('the doctor reports a misspelled setting without any value', () => {
  const [check] = checkSettings(loadConfig({ STRIPE_KEYS: 'hunter2' }))
  assert.deepEqual(
    [check?.name, check?.state, check?.fix],
    ['setting STRIPE_KEYS', 'missing', 'Correct it to STRIPE_KEY, or remove it.'],
  )
  assert.doesNotMatch(JSON.stringify(check), /hunter2/)
})

test('real settings and variables of other programs are not reported', () => {
  const rows = readFileSync(
    join(import.meta.dirname, '../../../docs/reference/settings.md'),
    'utf8',
  ).matchAll(/^\| (`[A-Z0-9_]+`(?:, `[A-Z0-9_]+`)*) \|/gm)
  const names = [...rows].flatMap((row) => (row[1] ?? '').replaceAll('`', '').split(', '))
  assert.ok(names.length > 40)
  // Some are read only together with others, so each is compared with all the others.
  for (const name of names)
    assert.deepEqual(
      misspelledSettings(
        { [name]: 'x' },
        names.filter((other) => other !== name),
      ),
      [],
      name,
    )
  const others = [
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'MAIL',
    'SHELL',
    'SHLVL',
    'LANG',
    'LC_ALL',
    'TERM',
    'PWD',
    'OLDPWD',
    'HOSTNAME',
    'TZ',
    'TMPDIR',
    'EDITOR',
    'SUDO_USER',
    'SSH_AUTH_SOCK',
    'XDG_DATA_DIRS',
    'XDG_DATA_HOME',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'NODE_ENV',
    'NODE_OPTIONS',
    'npm_config_user_agent',
    'AWS_REGION',
    'PGHOST',
    'INVOCATION_ID',
    'JOURNAL_STREAM',
    'GITHUB_TOKEN',
    'UPSTREAM_SEMANTIC_KEY',
  ]
  assert.deepEqual(mistyped(Object.fromEntries(others.map((name) => [name, 'x']))), [])
})
