/** `npx node test/fire/run.ts --kills 500`: the long form of the test of killed gateways. It starts its own PostgreSQL. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { openFireBed } from './bed.ts'
import { killAndCompare } from './kill.ts'

const { values } = parseArgs({ options: { kills: { type: 'string', default: '500' } } })
const bed = await openFireBed()

void test(`${values.kills} gateway processes are killed under load`, async (context) => {
  const { broken, heldAfterwards, outcomes, orphans, askedAgain } = await killAndCompare(
    bed,
    Number(values.kills),
  )
  context.diagnostic(`answers: ${JSON.stringify(outcomes)}`)
  context.diagnostic(
    `${orphans} holds were left by the dead and swept, ${askedAgain} keys were asked again until answered; ${heldAfterwards} µ$ stayed held`,
  )
  assert.deepEqual(
    { broken: broken.slice(0, 20), heldAfterwards },
    { broken: [], heldAfterwards: 0n },
  )
  await bed.assertSound()
})
