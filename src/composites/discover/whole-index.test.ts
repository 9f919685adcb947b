/** Checks every document of the index. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { AppError } from '../../errors/app-error.ts'
import { createCatalog } from '../../catalog/index.ts'
import { services } from '../../vendors/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { leastEndpointCharge } from '../../catalog/prices/price.ts'
import { centsNumber, priceBlock } from '../../catalog/published/price-block.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import { createDocuments, type Hit } from './documents.ts'

// A sample of the index in each run; DISCOVER_RUNS=20000 checks every document.
const RUNS = Number(process.env['DISCOVER_RUNS'] ?? 120)
const catalog = createCatalog()
const { validate } = createValidator()

const MISSING = /is required|is needed|^At least one of|^Exactly one of/

/** Whether the input is invalid because a parameter is missing. */
function lacks({ service, action }: Hit, input: Data): boolean {
  const { input: schema, check } = catalog.findAction(service, action).action
  try {
    check(validate(schema, input))
    return false
  } catch (error) {
    assert.ok(error instanceof AppError)
    const problems = (error.details?.['problems'] ?? [{ message: error.message }]) as {
      message: string
    }[]
    return problems.some(({ message }) => MISSING.test(message))
  }
}

/** An input with these parameters, whose values may be invalid. */
function filled({ endpoint }: Hit, names: readonly string[]): Data {
  return Object.fromEntries(names.map((name) => [name, name === 'endpoint' ? endpoint : 'x']))
}

function alternativesOf({ required_one_of: sets = [] }: Hit): readonly (readonly string[])[] {
  return sets.length === 0 ? [[]] : sets
}

describe('the index of discovery', () => {
  let hits: Hit[]
  before(() => {
    hits = createDocuments(services, () => ({ live: 'vendor', lanes: ['vendor'] })).map(
      ({ hit }) => hit,
    )
  })

  test('contains every action and every endpoint of a passthrough once', () => {
    const keys = hits.map(
      ({ service, action, endpoint }) => `${service}/${action} ${endpoint ?? ''}`,
    )
    assert.equal(new Set(keys).size, keys.length)
    const wanted = catalog
      .allActions()
      .flatMap(({ service, name, action }) =>
        action.kind === 'endpoint'
          ? action.endpoints.map(({ endpoint }) => `${service.id}/${name} ${endpoint}`)
          : [`${service.id}/${name} `],
      )
    assert.deepEqual(keys.toSorted(), wanted.toSorted())
  })

  test('has the price and parameters of the descriptor in every document', () => {
    for (const {
      service,
      action: name,
      endpoint,
      price_cents: price,
      required_params: required,
      summary,
    } of hits) {
      const { action } = catalog.findAction(service, name)
      const entry =
        action.kind === 'endpoint' && endpoint !== null ? action.entryFor({ endpoint }) : undefined
      assert.equal(endpoint === null, action.kind !== 'endpoint')
      const published = priceBlock(action)
      assert.equal(
        price,
        entry === undefined
          ? published.price_cents
          : centsNumber(leastEndpointCharge(action, entry)),
      )
      assert.ok(price >= 0 && summary.length > 0)
      assert.equal(new Set(required).size, required.length)
    }
  })

  test('lists exactly the parameters that validation requires', () => {
    fc.assert(
      fc.property(fc.constantFrom(...hits), (hit) => {
        for (const set of alternativesOf(hit))
          assert.ok(
            !lacks(hit, filled(hit, [...hit.required_params, ...set])),
            `${[...hit.required_params, ...set]} is enough for ${hit.service}/${hit.action} ${hit.endpoint}`,
          )
        for (const left of hit.required_params.filter((name) => name !== 'endpoint')) {
          const [set = []] = alternativesOf(hit)
          assert.ok(
            lacks(
              hit,
              filled(hit, [...hit.required_params.filter((name) => name !== left), ...set]),
            ),
            `${hit.service}/${hit.action} ${hit.endpoint} needs ${left}`,
          )
        }
        if (hit.required_one_of !== undefined)
          assert.ok(
            lacks(hit, filled(hit, hit.required_params)),
            `${hit.service}/${hit.action} ${hit.endpoint} needs one of ${hit.required_one_of.join(' | ')}`,
          )
      }),
      { numRuns: RUNS },
    )
  })
})
