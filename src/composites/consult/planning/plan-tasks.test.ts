import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../../../catalog/index.ts'
import { createValidator } from '../../../catalog/validate/validate.ts'
import { createDiscover } from '../../discover/create-discover.ts'
import { NOW_MS } from '../../onesearch/testing/fake-tools.ts'
import { NEW_CONVERSATION } from '../conversation.ts'
import { takeTurn, type Turn } from '../turn.ts'

const catalog = createCatalog()
const laneOf = () => ({ live: 'vendor', lanes: ['vendor'] }) as const
const deps = {
  catalog,
  validator: createValidator(),
  discover: createDiscover({ services: catalog.services, laneOf }),
  laneOf,
}
const plan = (intent: string): Turn => takeTurn(deps, NEW_CONVERSATION, intent, NOW_MS)
const first = ({ calls: [call] }: Turn): string => `${call?.service}/${call?.action}`
const second = ({ later: [step] }: Turn): string => `${step?.service}/${step?.action}`

test('names the field of the first answer that a dependent task needs', () => {
  const turn = plan('find phase 3 trials for asthma and read the first one')
  assert.equal(first(turn), 'trials/search')
  assert.equal(second(turn), 'trials/get')
  assert.deepEqual(turn.later[0]?.needs, [
    { param: 'id', step: 1, from: 'studies[].protocolSection.identificationModule.nctId' },
  ])
})

test('plans dependent tasks in several languages', () => {
  for (const [intent, expected] of [
    ['find the VP of sales at Datadog and then get his email', 'emailintel/email-finder'],
    ['busca al director de ventas de Rappi y luego su correo', 'emailintel/email-finder'],
    ['cari perusahaan mirip bukalapak.com lalu lowongan mereka', 'hiringdata/jobs'],
    ['https://example.jp/a を読んで、その後Claudeで要約して', 'llmnative-a/messages'],
    ['find cafes in Ghent and their reviews', 'platform/google-maps-reviews'],
  ] as const)
    assert.equal(second(plan(intent)), expected, intent)
})

test('names a part of an intent that no action carries out', () => {
  const turn = plan('find hotels in Bari and call them')
  assert.equal(first(turn), 'platform/google-maps')
  assert.deepEqual(turn.leftOut, ['call them'])
})

test('makes two independent calls for two results of one address', () => {
  const { calls, later } = plan('worth and rent of 9 Cedar Ct, Boise, ID 83702')
  assert.deepEqual(
    calls.map(({ action }) => action),
    ['avm', 'rent-estimate'],
  )
  assert.deepEqual(later, [])
})
