import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameAt } from './inboxes.ts'

test('finds the name of the own sender at the domain of the inboxes', () => {
  assert.equal(nameAt('agents.example', 'Tollgate <Gate@Agents.example>'), 'gate')
  assert.equal(nameAt('agents.example', ' gate+login@agents.example'), 'gate')
  assert.equal(nameAt('agents.example', 'gate@other.example'), null)
})
