/**
 * The promises of the product: names, published prices, parameters, limits and billing of its
 * actions.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../lib/money.ts'
import type { Action } from './vocabulary/define.ts'
import { createCatalog } from './index.ts'
import type { Data } from './vocabulary/outcome.ts'
import { worstCase } from './prices/price.ts'
import { billingBlock } from './published/billing-block.ts'
import { inputSchema, type JsonSchema } from './published/json-schema.ts'
import { priceText } from './published/price-block.ts'
import { requiredParams } from './published/required-params.ts'
import { loadPromises } from './testing/promises.ts'

const catalog = createCatalog()
const promises = await loadPromises(catalog.services.map(({ id }) => id))
const offered = [...promises].flatMap(([id, { offers }]) =>
  offers.map((row) => [id, ...row] as const),
)
const limited = [...promises].flatMap(([id, { limits }]) =>
  limits.map((row) => [id, ...row] as const),
)
const chosen = [...promises].flatMap(([id, { choices }]) =>
  choices.map((row) => [id, ...row] as const),
)

function actionOf(id: string): Action {
  const [service = '', name = ''] = id.split('/')
  return catalog.findAction(service, name).action
}

function fieldOf(id: string, name: string): JsonSchema {
  let field: JsonSchema | undefined = inputSchema(actionOf(id))
  for (const part of name.split('.')) field = field?.properties?.[part]
  assert.ok(field, `${id} takes ${name}`)
  return field
}

describe('the catalog offers everything that is promised', () => {
  for (const [service, action, price, promised] of offered) {
    const id = `${service}/${action}`
    test(`${id}: ${price}`, () => {
      const record = actionOf(id)
      assert.equal(priceText(record), price)
      const names = promised.split(' ').filter((name) => name !== '')
      const { required_params: demanded } = requiredParams(record)
      const taken = Object.keys(inputSchema(record).properties ?? {})
      for (const name of names) assert.ok(taken.includes(name.replace('!', '')), `takes ${name}`)
      for (const name of demanded.filter((field) => field !== 'endpoint')) {
        // An unpromised parameter may be required; a promised one without "!" may not.
        assert.ok(!names.includes(name), `${name} may be left out`)
      }
      for (const name of names.filter((field) => field.endsWith('!')))
        assert.ok(demanded.includes(name.slice(0, -1)), `${name} is demanded`)
    })
  }

  for (const [service, action, name, least, most, standard] of limited) {
    const id = `${service}/${action}`
    test(`${id}: ${name} is ${least} to ${most}`, () => {
      const field = fieldOf(id, name)
      assert.equal(field.minimum ?? field.minItems ?? field.minLength, least)
      assert.equal(
        field.maximum ?? field.maxItems ?? (field as { maxLength?: number }).maxLength,
        most,
      )
      assert.equal(field.default, standard)
    })
  }

  for (const [service, action, name, values, standard] of chosen) {
    const id = `${service}/${action}`
    test(`${id}: ${name} is one of ${values}`, () => {
      const field = fieldOf(id, name)
      assert.deepEqual(field.enum, values.split(' '))
      assert.equal(field.default, standard)
    })
  }

  test('offers nothing beyond the promises', () => {
    const promisedIds = new Set(offered.map(([service, action]) => `${service}/${action}`))
    const unpromised = catalog
      .allActions()
      .filter(({ service, name }) => !promisedIds.has(`${service.id}/${name}`))
    const rows = unpromised.map(
      ({ service, name, action }) =>
        `${service.id}/promises.ts: ['${name}', '${priceText(action)}', '…'],`,
    )
    assert.equal(rows.length, 0, `Add what callers are promised, by hand, to\n${rows.join('\n')}`)
  })

  test('publishes the prices of options: phones, light lookups, processors, surveys', () => {
    const priceOf = (id: string, input: Data) => worstCase(actionOf(id), input)
    assert.deepEqual(
      [
        priceOf('contactfind/linkedin-contacts', { include_phone: false }),
        priceOf('contactfind/linkedin-contacts', { include_phone: true }),
      ],
      [cents('10'), cents('30')],
    )
    assert.deepEqual(
      [
        priceOf('deepenrich/person-enrich', { lite_enrich: false }),
        priceOf('deepenrich/person-enrich', { lite_enrich: true }),
      ],
      [cents('55'), cents('30')],
    )
    assert.deepEqual(
      [
        priceOf('agentic/task', { processor: 'pro' }),
        priceOf('agentic/task', { processor: 'ultra' }),
      ],
      [cents('10'), cents('30')],
    )
    assert.deepEqual(
      [
        priceOf('propdata/property-search', { size: 5 }),
        priceOf('propdata/property-search', { size: 5, count: true }),
      ],
      [cents('80'), cents('2')],
    )
    assert.deepEqual(
      [
        priceOf('core/onefind-deep', { rows: ['a', 'b'], limit: 15 }),
        priceOf('core/onescrape-deep', { urls: ['https://a.example/', 'https://b.example/'] }),
      ],
      [cents('32'), cents('20')],
    )
  })

  test('accepts with 202 if the result comes later', () => {
    for (const name of ['person-enrich', 'company-funders', 'person-interactions'])
      assert.equal(actionOf(`deepenrich/${name}`).answerStatus, 202, name)
  })

  test('marks third-party text about people, companies and jobs as untrusted', () => {
    const bare = [
      'contactfind/linkedin-contacts',
      'contactfind/email-verify',
      'emailintel/email-verifier',
      'emailintel/phone-finder',
    ]
    const services = new Set([
      'contactfind',
      'emailintel',
      'hiringdata',
      'signals',
      'fundingdb',
      'altdata',
      'seodata',
    ])
    for (const { service, name, action } of catalog
      .allActions()
      .filter((entry) => services.has(entry.service.id)))
      assert.equal(
        action.untrustedContent,
        !bare.includes(`${service.id}/${name}`),
        `${service.id}/${name}`,
      )
    for (const id of [
      'deepenrich/result',
      'companyfind/lookalikes',
      'companyfind/tech-companies',
      'companyfind/results',
      'companyfind/deep-research',
    ])
      assert.ok(actionOf(id).untrustedContent, id)
  })

  test('charges a miss only where published, and never a failure', () => {
    for (const { service, name, action } of catalog.allActions()) {
      // The vendors of emailasync and deepenrich bill at launch, before a result exists. Reading a
      // result of deepenrich is free.
      const isCharged =
        service.id === 'emailintel' ||
        service.id === 'emailasync' ||
        (service.id === 'deepenrich' && name !== 'result')
      assert.equal(
        billingBlock(action).on_miss,
        isCharged ? 'charged' : 'free',
        `${service.id}/${name}`,
      )
      assert.equal(billingBlock(action).on_failure, 'free')
    }
  })

  test('publishes the price of a poll for every action that starts something', () => {
    const polls = {
      'render/crawl': 0,
      'render/extract': 0,
      'deepenrich/company-funders': 0,
      'deepenrich/person-interactions': 0,
      'companyfind/tam-build': 0,
      'companyfind/tech-intent': 0,
      'companyfind/lookalikes-bulk': 0,
      'emailasync/email-verification': 1,
      'render2/crawl': 1,
      'render2/extract': 1,
      'emailasync/email-search': 1,
      'emailasync/domain-scan': 1,
      'agentic/task': 0,
      'captcha/solve': 0,
      'deepenrich/person-enrich': 0,
      'core/onefind-deep': 0,
      'media/generate': 0,
    }
    for (const [id, price] of Object.entries(polls))
      assert.equal(billingBlock(actionOf(id)).poll_price, price, id)
  })
})
