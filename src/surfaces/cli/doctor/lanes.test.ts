import assert from 'node:assert/strict'
import { test } from 'node:test'
import { services } from '../../../vendors/index.ts'
import { checkLanes } from './lanes.ts'

test('every setting that a vendor wants is named before its lane is called well', () => {
  const checkOf = (credentials: Record<string, string>) =>
    checkLanes(services, new Map([['boxc', { url: null, credentials }]])).find(
      ({ name }) => name === 'service boxc',
    )
  assert.deepEqual(checkOf({ KEY: 'k' }), {
    name: 'service boxc',
    state: 'missing',
    found: 'only KEY: live calls answer 503',
    fix: 'Set UPSTREAM_BOXC_KEY and UPSTREAM_BOXC_TEAM_ID and UPSTREAM_BOXC_PROJECT_ID.',
  })
  assert.equal(checkOf({ KEY: 'k', TEAM_ID: 't', PROJECT_ID: 'p' })?.state, 'ok')
})

test('a key for a merchant that takes none is told of as one to remove, also where a free source would answer without it', () => {
  for (const id of ['sandbox', 'gitstore', 'vehicles', 'drugs', 'trials', 'recalls']) {
    const checkOf = (url: string | null) =>
      checkLanes(services, new Map([[id, { url, credentials: { KEY: 'k' } }]])).find(
        ({ name }) => name === `service ${id}`,
      )
    const { state, found, fix } = checkOf(null) ?? assert.fail('it is looked at')
    assert.deepEqual(
      [state, found],
      ['missing', 'KEY, of no use: its merchant is paid by the call and takes no key'],
    )
    assert.match(
      fix ?? '',
      new RegExp(
        `^Remove UPSTREAM_${id.toUpperCase()}_KEY\\. Set PAY_TEMPO_KEY to pay by the call, or UPSTREAM_${id.toUpperCase()}_URL to `,
      ),
    )
    assert.equal(checkOf('http://127.0.0.1:1')?.state, 'ok')
  }
})

test('a service whose merchant the operator’s wallet pays is well without a key', () => {
  const checkOf = (paysBy: readonly string[]) =>
    checkLanes(services, new Map(), new Set(paysBy)).find(({ name }) => name === 'service sandbox')
  assert.deepEqual(checkOf(['tempo.charge']), {
    name: 'service sandbox',
    state: 'ok',
    found: 'paid by the call',
    fix: null,
  })
  assert.equal(checkOf(['x402.exact'])?.state, 'missing')
})
