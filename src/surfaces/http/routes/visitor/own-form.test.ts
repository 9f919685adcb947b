import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFromOwnPage } from './own-form.ts'

test('treats an origin without a host as another site, even for a request without a host', () => {
  for (const host of [undefined, '']) {
    for (const origin of ['null', 'file://', ''])
      assert.equal(
        isFromOwnPage(
          { headers: { origin, ...(host === undefined ? {} : { host }) } },
          'https://gate.example',
        ),
        false,
        `${host} ${origin}`,
      )
    assert.ok(
      isFromOwnPage(
        { headers: { origin: 'https://gate.example', ...(host === undefined ? {} : { host }) } },
        'https://gate.example',
      ),
    )
  }
})
