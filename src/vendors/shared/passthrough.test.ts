/** Passthroughs: hundreds of upstream paths as data. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createDiscover } from '../../composites/discover/create-discover.ts'
import type { EndpointAction } from '../../catalog/vocabulary/define.ts'
import { createCatalog } from '../../catalog/index.ts'
import { endpointExample } from '../../catalog/published/endpoint-example.ts'
import { requiredEndpointParams } from '../../catalog/published/required-params.ts'
import { refusal } from '../../catalog/testing/run-call.ts'
import { createValidator } from '../../catalog/validate/validate.ts'

const catalog = createCatalog()

const validator = createValidator()

function passthrough(id: string): EndpointAction {
  const [service = '', name = ''] = id.split('/')
  const { action } = catalog.findAction(service, name)
  assert.ok(action.kind === 'endpoint')
  return action
}

describe('every endpoint', () => {
  test('has an example that is accepted', () => {
    for (const { action } of catalog.allActions()) {
      if (action.kind !== 'endpoint') continue
      for (const [index, entry] of action.endpoints.entries()) {
        const example = endpointExample(action, entry)
        assert.equal(example['endpoint'], entry.endpoint)
        // Each schema takes milliseconds to compile.
        if (index % 8 === 0) validator.validate(action.input, example)
      }
    }
  })

  for (const id of ['socialread/fetch', 'socialread/submit', 'seodata/query']) {
    test(`${id}: validates exactly the published required parameters`, () => {
      const action = passthrough(id)
      const { validate } = validator
      // Each schema takes milliseconds to compile, so only every eighth is tested, and all with a
      // choice or a body.
      for (const entry of action.endpoints.filter(
        ({ oneOf, method }, index) =>
          index % 8 === 0 || oneOf !== undefined || (method === 'POST' && index % 3 === 0),
      )) {
        const { required_params: required, required_one_of: choice } = requiredEndpointParams(entry)
        const valueOf = (name: string): unknown => {
          const param = entry.params.find((one) => one.name === name)
          const values = param?.limits?.['enum']
          if (Array.isArray(values)) return values[0]
          return { string: 'x', integer: 1, number: 1, boolean: true, array: ['x'], object: {} }[
            param?.type ?? 'string'
          ]
        }
        const names = [...required, ...(choice[0] ?? [])]
        const full = Object.fromEntries(
          names.map((name) => [name, name === 'endpoint' ? entry.endpoint : valueOf(name)]),
        )
        const input = validate(action.input, full)
        assert.equal(action.request(input).path, entry.endpoint)
        for (const name of required)
          assert.throws(
            () =>
              validate(
                action.input,
                Object.fromEntries(Object.entries(full).filter(([field]) => field !== name)),
              ),
            `${entry.endpoint} without ${name}`,
          )
        if (choice.length > 0)
          assert.throws(() => validate(action.input, { endpoint: entry.endpoint }))
      }
    })
  }

  test('lists a parameter that every call needs as required, not as a choice of one', () => {
    for (const { action } of catalog.allActions()) {
      if (action.kind !== 'endpoint') continue
      for (const entry of action.endpoints)
        assert.notEqual(requiredEndpointParams(entry).required_one_of.length, 1, entry.endpoint)
    }
  })

  test('can be found by its path', () => {
    const { services } = catalog
    const discover = createDiscover({
      services: services.filter(({ id }) => id === 'socialread' || id === 'seodata'),
      laneOf: () => ({ live: 'vendor', lanes: ['vendor'] }),
    })
    const paths = ['socialread/fetch', 'socialread/submit', 'seodata/query'].flatMap((id) =>
      passthrough(id).endpoints.map(({ endpoint }) => endpoint),
    )
    assert.equal(discover.size, paths.length)
    const sample = paths.filter((_, index) => index % 25 === 0)
    const lost = sample.filter(
      (path) => !discover.search(path, 30).hits.some(({ endpoint }) => endpoint === path),
    )
    assert.deepEqual(lost, [])
  })

  test('rejects an unlisted path before a charge', () => {
    for (const id of ['socialread/fetch', 'seodata/query'])
      assert.equal(refusal(id, { endpoint: '/api/v1/tikhub/user/get_user_info' }).param, 'endpoint')
  })
})
