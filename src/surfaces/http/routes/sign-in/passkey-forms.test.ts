import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passkeyForm } from './passkey-forms.ts'

test('shows why passkeys are not available instead of a button', () => {
  const { markup } = passkeyForm({ publicUrl: 'http://192.0.2.1:4020', version: 'x' })
  assert.deepEqual(
    [markup.includes('Passkeys are not available'), markup.includes('data-passkeys')],
    [true, false],
  )
})
