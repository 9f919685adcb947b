import assert from 'node:assert/strict'
import { test } from 'node:test'
import { services } from '../../../vendors/index.ts'
import { checkLanes } from './lanes.ts'

test('reports ok only when every setting of the vendor is set', () => {
  const checkOf = (credentials: Record<string, string>) =>
    checkLanes(services, new Map([['boxc', { url: null, credentials }]])).find(
      ({ name }) => name === 'service boxc',
    )
  assert.deepEqual(checkOf({ KEY: 'k' }), {
    name: 'service boxc',
    state: 'missing',
    found: 'only KEY: live calls return 503',
    fix: 'Set UPSTREAM_BOXC_KEY and UPSTREAM_BOXC_TEAM_ID and UPSTREAM_BOXC_PROJECT_ID.',
  })
  assert.equal(checkOf({ KEY: 'k', TEAM_ID: 't', PROJECT_ID: 'p' })?.state, 'ok')
})

test('recommends removing a key for a merchant that accepts none', () => {
  for (const id of ['sandbox', 'gitstore', 'vehicles', 'drugs', 'trials', 'recalls']) {
    const checkOf = (url: string | null) =>
      checkLanes(services, new Map([[id, { url, credentials: { KEY: 'k' } }]])).find(
        ({ name }) => name === `service ${id}`,
      )
    const { state, found, fix } = checkOf(null) ?? assert.fail('the service is checked')
    assert.deepEqual(
      [state, found],
      ['missing', 'KEY, not used: the merchant is paid per call and accepts no key'],
    )
    assert.match(
      fix ?? '',
      new RegExp(
        `^Remove UPSTREAM_${id.toUpperCase()}_KEY\\. Set PAY_TEMPO_KEY to pay per call, or UPSTREAM_${id.toUpperCase()}_URL to `,
      ),
    )
    assert.equal(checkOf('http://127.0.0.1:1')?.state, 'ok')
  }
})

test('accepts a service without a key when the operator’s wallet pays its merchant', () => {
  const checkOf = (paysBy: readonly string[]) =>
    checkLanes(services, new Map(), { paysBy: new Set(paysBy) }).find(
      ({ name }) => name === 'service sandbox',
    )
  assert.deepEqual(checkOf(['tempo.charge']), {
    name: 'service sandbox',
    state: 'ok',
    found: 'paid per call',
    fix: null,
  })
  assert.equal(checkOf(['x402.exact'])?.state, 'missing')
})

test('counts actions that need a language model as in-house only with one', () => {
  for (const id of ['render', 'render2']) {
    const inHouse = (hasModel: boolean) => {
      const { found = '' } =
        checkLanes(services, new Map(), { hasModel }).find(
          ({ name }) => name === `service ${id}`,
        ) ?? {}
      return Number(/^in-house for (\d+) of/.exec(found)?.[1] ?? Number.NaN)
    }
    const needModel = Object.values(
      services.find((service) => service.id === id)?.actions ?? {},
    ).filter((action) => action.kind === 'call' && action.inHouseNeedsModel === true)
    assert.equal(needModel.length, 1, id)
    assert.equal(inHouse(true) - inHouse(false), 1, id)
  }
})
