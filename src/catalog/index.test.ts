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
  test('finds an action with its service', () => {
    const { service, name, action } = catalog.findAction('semantic', 'contents')
    assert.equal(service.id, 'semantic')
    assert.equal(name, 'contents')
    assert.equal(action, service.actions['contents'])
  })

  test('answers an unknown service with up to three similar names', () => {
    const error = refusal('sematic', 'search')
    assert.equal(error.code, 'unknown_service')
    assert.deepEqual(error.details?.['suggestions'], ['semantic'])
    assert.match(error.fix, /Did you mean "semantic"/)
  })

  test('answers an unknown action with its neighbors and with namesakes of other services', () => {
    assert.deepEqual(refusal('semantic', 'serch').details?.['suggestions'], ['semantic/search'])
    const elsewhere = refusal('semantic', 'scrape')
    assert.equal(elsewhere.code, 'unknown_action')
    assert.equal((elsewhere.details?.['suggestions'] as string[] | undefined)?.length, 3)
  })

  test('treats names of prototype members as unknown', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      assert.equal(refusal(name, 'search').code, 'unknown_service')
      assert.equal(refusal('semantic', name).code, 'unknown_action')
    }
  })

  test('truncates a very long name in the error', () => {
    assert.ok(refusal('semantic', 'x'.repeat(10_000)).message.length < 200)
  })

  test('accepts other services', () => {
    const small = createCatalog(catalog.services.filter(({ id }) => id === 'semantic'))
    assert.deepEqual(
      small.allActions().map(({ name }) => name),
      ['search', 'contents'],
    )
  })
})

describe('suggestions', () => {
  test('ignores case, hyphens and underscores, and suggests no distant name', () => {
    assert.deepEqual(suggest('Num_Results', ['numResults', 'query']), ['numResults'])
    assert.deepEqual(suggest('banana', ['search', 'contents']), [])
    assert.deepEqual(suggest('', ['search']), [])
  })
})
