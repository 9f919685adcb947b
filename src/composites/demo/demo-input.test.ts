import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createValidator } from '../../catalog/validate/validate.ts'
import { AppError } from '../../errors/app-error.ts'
import {
  checkProduceAutodemo,
  checkProduceDemo,
  produceAutodemoInput,
  produceDemoInput,
  stepsOf,
} from './demo-input.ts'

const validator = createValidator()

/** The code and the field of the error, or null for a valid input. */
function refusal(input: Record<string, unknown>): [string, string | undefined] | null {
  try {
    checkProduceDemo(validator.validate(produceDemoInput, input) as never)
    return null
  } catch (error) {
    assert.ok(error instanceof AppError)
    return [error.code, error.param]
  }
}

const open = { action: 'open', url: 'example.com' }

describe('the input of a demo', () => {
  it('is a script that opens a page, or a brief with pages', () => {
    assert.equal(
      refusal({ script: [open, { action: 'click', target: 'Prices', say: 'See what it costs' }] }),
      null,
    )
    assert.equal(refusal({ urls: ['example.com'], script: [{ action: 'scroll' }] }), null)
    assert.equal(
      refusal({ brief: 'Show the prices', urls: ['https://example.com/', 'example.com/prices'] }),
      null,
    )
  })

  it('is exactly one of the two, with a first page', () => {
    assert.equal(refusal({ urls: ['example.com'] })?.[0], 'bad_request')
    assert.equal(refusal({ brief: 'x', script: [open] })?.[0], 'bad_request')
    assert.deepEqual(refusal({ brief: 'x' }), ['invalid_params', 'urls'])
    assert.deepEqual(refusal({ script: [{ action: 'scroll' }] }), [
      'invalid_params',
      'script[0].action',
    ])
    assert.deepEqual(refusal({ urls: ['a.example', 'b.example'], script: [open] }), [
      'invalid_params',
      'urls',
    ])
  })

  it('requires the fields of each step, and rejects all others', () => {
    const param = (step: Record<string, unknown>) =>
      refusal({ urls: ['example.com'], script: [step] })?.[1]
    assert.equal(param({ action: 'click' }), 'script[0].target')
    assert.equal(param({ action: 'type', target: 'Name' }), 'script[0].text')
    assert.equal(param({ action: 'press' }), 'script[0].key')
    assert.equal(param({ action: 'open' }), 'script[0].url')
    assert.equal(param({ action: 'wait' }), 'script[0].seconds')
    assert.equal(param({ action: 'hover', target: 'Menu', text: 'x' }), 'script[0].text')
    assert.equal(param({ action: 'scroll', url: 'example.com' }), 'script[0].url')
    assert.equal(param({ action: 'press', key: 'F12' }), 'script[0].key')
    assert.equal(param({ action: 'wait', text: 'Done' }), undefined)
  })

  it('has URLs of web pages', () => {
    for (const url of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'http://user:secret@example.com/',
      'nonsense',
    ]) {
      assert.deepEqual(refusal({ script: [{ action: 'open', url }] }), ['bad_url', 'script[0].url'])
      assert.deepEqual(refusal({ urls: [url], brief: 'x' }), ['bad_url', 'urls[0]'])
      assert.throws(
        () => checkProduceAutodemo(validator.validate(produceAutodemoInput, { url }) as never),
        AppError,
      )
    }
  })

  it('has limits for pages, steps and seconds', () => {
    assert.notEqual(
      refusal({ brief: 'x', urls: Array.from({ length: 11 }, () => 'example.com') }),
      null,
    )
    assert.notEqual(
      refusal({
        urls: ['example.com'],
        script: Array.from({ length: 41 }, () => ({ action: 'scroll' })),
      }),
      null,
    )
    for (const max_seconds of [4, 121, 10.5])
      assert.notEqual(refusal({ script: [open], max_seconds }), null)
    assert.equal(refusal({ script: [open], max_seconds: 120, aspect_ratio: '9:16' }), null)
  })
})

it('starts a script at the page of "urls", and completes bare hosts', () => {
  assert.deepEqual(
    stepsOf(
      [{ action: 'scroll' }, { action: 'open', url: 'b.example/x', say: 'Next' }],
      ['a.example'],
    ),
    [
      { action: 'open', url: 'https://a.example/' },
      { action: 'scroll' },
      { action: 'open', url: 'https://b.example/x', say: 'Next' },
    ],
  )
})
