import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../errors/app-error.ts'
import { createCatalog } from './index.ts'
import { suggest } from './validate/suggest.ts'

const catalog = createCatalog()

function refusal(service: string, action: string): AppError {
  try {
    catalog.findAction(service, action)
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error
  }
  assert.fail('the action was found')
}

describe('finding an action', () => {
  test('an action is found with its service', () => {
    const { service, name, action } = catalog.findAction('semantic', 'contents')
    assert.equal(service.id, 'semantic')
    assert.equal(name, 'contents')
    assert.equal(action, service.actions['contents'])
  })

  test('an unknown service is answered with up to three near names', () => {
    const error = refusal('sematic', 'search')
    assert.equal(error.code, 'unknown_service')
    assert.deepEqual(error.details?.['suggestions'], ['semantic'])
    assert.match(error.fix, /Did you mean "semantic"/)
  })

  test('an unknown action is answered with its neighbours and with namesakes elsewhere', () => {
    assert.deepEqual(refusal('semantic', 'serch').details?.['suggestions'], ['semantic/search'])
    const elsewhere = refusal('semantic', 'scrape')
    assert.equal(elsewhere.code, 'unknown_action')
    assert.equal((elsewhere.details?.['suggestions'] as string[] | undefined)?.length, 3)
  })

  test('names of prototype members are unknown like any other', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      assert.equal(refusal(name, 'search').code, 'unknown_service')
      assert.equal(refusal('semantic', name).code, 'unknown_action')
    }
  })

  test('a very long name is not repeated in full', () => {
    assert.ok(refusal('semantic', 'x'.repeat(10_000)).message.length < 200)
  })

  test('a catalog can be made of other services', () => {
    const small = createCatalog(catalog.services.filter(({ id }) => id === 'semantic'))
    assert.deepEqual(
      small.allActions().map(({ name }) => name),
      ['search', 'contents'],
    )
  })
})

describe('suggestions', () => {
  test('case, hyphens and underscores do not count, and strangers are not suggested', () => {
    assert.deepEqual(suggest('Num_Results', ['numResults', 'query']), ['numResults'])
    assert.deepEqual(suggest('banana', ['search', 'contents']), [])
    assert.deepEqual(suggest('', ['search']), [])
  })
})
