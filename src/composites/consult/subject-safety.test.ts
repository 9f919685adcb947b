import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../../catalog/index.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import { createDiscover } from '../discover/create-discover.ts'
import { fakeTools, NOW_MS } from '../onesearch/testing/fake-tools.ts'
import type { Complete } from '../shared/complete.ts'
import { createConsult } from './consult.ts'
import { NEW_CONVERSATION, type Conversation } from './conversation.ts'
import { takeTurn, type Turn } from './turn.ts'

const catalog = createCatalog()
const laneOf = () => ({ live: 'vendor', lanes: ['vendor'] }) as const
const deps = {
  catalog,
  validator: createValidator(),
  discover: createDiscover({ services: catalog.services, laneOf }),
  laneOf,
}

function turn(intent: string, state: Conversation = NEW_CONVERSATION): Turn {
  return takeTurn(deps, state, intent, NOW_MS)
}

/** The names that the calls of a turn screen. */
function screenedBy({ calls }: Pick<Turn, 'calls'>): unknown[] {
  return calls.flatMap(({ params }) => {
    const name = params['name'] ?? params['entity_name']
    return name === undefined ? [] : [name]
  })
}

const NAMES = [
  'Ivan Petrov',
  'Maria Gonzalez Ortega',
  'Northwind Shipping Ltd',
  'Al Noor Trading LLC',
  'Jean-Pierre Kabongo',
  'Unity Bank',
]
const PHRASINGS: readonly ((name: string) => string)[] = [
  (name) => `screen "${name}" against OFAC and EU sanction lists`,
  (name) => `screen ${name} against OFAC`,
  (name) => `OFAC check for ${name}`,
  (name) => `OFAC SDN screening of ${name}`,
  (name) => `is ${name} on the EU, UK or US sanctions lists?`,
  (name) => `check whether ${name} is sanctioned by the UN`,
  (name) => `run a sanctions check on ${name}`,
  (name) => `sanctions screening: ${name}`,
  (name) => `does the OFSI consolidated list contain ${name}`,
  (name) => `UN Security Council and HMT lists: look for "${name}"`,
  (name) => `Please check OFAC, UN, EU and Interpol for "${name}"`,
  (name) => `PEP check for ${name}`,
  (name) => `PEP and sanctions screening of ${name} please`,
  (name) => `is "${name}" a PEP`,
  (name) => `against the SDN list, screen "${name}"`,
  (name) => `adverse media about "${name}"`,
]

test('screens the named person or company, never a watch list', () => {
  let screened = 0
  for (const name of NAMES)
    for (const phrase of PHRASINGS) {
      const intent = phrase(name)
      for (const found of screenedBy(turn(intent))) {
        assert.equal(found, name, intent)
        screened += 1
      }
    }
  // The rest are questions.
  assert.ok(screened >= (NAMES.length * PHRASINGS.length) / 2, String(screened))
})

test('asks for the name if the intent names only watch lists', () => {
  for (const intent of [
    'screen against OFAC and EU sanction lists',
    'OFAC SDN check',
    'run a sanctions check',
    'check the UN, EU and UK sanctions lists',
    'screen someone against the SDN list',
  ]) {
    const { calls, question } = turn(intent)
    assert.deepEqual([calls, typeof question], [[], 'string'], intent)
  }
})

test('does not take a watch list as the reply to the question for a name', () => {
  const asked = turn('run a sanctions check')
  for (const reply of ['OFAC', 'the EU list', 'SDN and OFAC', 'EU sanctions list'])
    assert.deepEqual(screenedBy(turn(reply, asked.state)), [], reply)
  assert.deepEqual(screenedBy(turn('Ivan Petrov', asked.state)), ['Ivan Petrov'])
})

test('rejects a watch list that a language model passes as the name', async () => {
  const complete: Complete = async ({ prompt }) => {
    const { actions } = JSON.parse(prompt) as { actions: readonly { endpoint: string | null }[] }
    const choice = actions.findIndex(({ endpoint }) => endpoint === '/x402/sanctions-check') + 1
    return JSON.stringify({ choice, params: { name: 'OFAC' } })
  }
  const consult = createConsult({
    ...deps,
    complete,
    conversations: { load: async () => null, save: async () => undefined },
  })
  for (const intent of ['run a sanctions check', 'screen Ivan Petrov against OFAC']) {
    const outcome = await consult({ intent }, fakeTools({}))
    assert.ok(outcome.kind === 'done' || outcome.kind === 'empty')
    const calls = outcome.data['calls'] as Turn['calls']
    assert.ok(!screenedBy({ calls }).includes('OFAC'), intent)
  }
})

test('never recommends a part of an identifier', () => {
  for (const [intent, whole] of [
    ['text of 17 CFR 240.10b-5', '17 CFR 240.10b-5'],
    ['read 26 CFR 1.401(k)-1', '26 CFR 1.401(k)-1'],
    ['what does 45 CFR 164.512 require', '45 CFR 164.512'],
    ['VAT number check DE123456789', 'DE123456789'],
    ['is LH400 delayed today?', 'LH400'],
    ['validate IBAN GB82 WEST 1234 5698 7654 32', 'GB82WEST12345698765432'],
  ] as const)
    for (const { params } of turn(intent).calls)
      assert.ok(Object.values(params).includes(whole), `${intent}: ${JSON.stringify(params)}`)
})
