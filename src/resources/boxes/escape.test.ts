/** Attempts to leave a box, with every isolation that works on this machine. */
import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { before, describe, it } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import {
  findEscapes,
  findUseless,
  workingIsolations,
  type Probe,
} from './testing/attempt-probes.ts'
import { escapeProbes } from './testing/escape-probes.ts'
import { findTestIsolation } from './testing/find-isolation.ts'
import { openTestBox } from './testing/open-test-box.ts'

const isolation = await findTestIsolation(false)
const tcp = createServer()
const abstract = createServer()
const abstractName = `tollgate-escape-${process.pid}`
describe('a program in a box', { skip: isolation.skip }, () => {
  let probes: readonly Probe[] = []

  before(async () => {
    await new Promise<void>((ready) => void tcp.listen(0, '127.0.0.1', ready))
    await new Promise<void>((ready) => void abstract.listen(`\0${abstractName}`, ready))
    cleanUp(() => void [tcp, abstract].map((server) => server.close()))
    probes = escapeProbes((tcp.address() as AddressInfo).port, abstractName)
  })

  for (const one of workingIsolations(isolation))
    it(`leaves a box of ${one.name} by no attempt`, async () => {
      assert.deepEqual(await findEscapes(await openTestBox(isolation, one), probes), [])
    })

  it('succeeds with the same attempts outside of a box', async () => {
    assert.deepEqual(await findUseless(probes), [])
  })
})
