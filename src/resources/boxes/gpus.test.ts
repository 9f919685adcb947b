import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findGpuProblem } from './gpus.ts'
import { workingIsolations } from './testing/attempt-probes.ts'
import { findTestIsolation } from './testing/find-isolation.ts'
import { makeDevice } from './testing/make-device.ts'
import { openTestBox } from './testing/open-test-box.ts'

const isolation = await findTestIsolation(false)
const device = makeDevice()
const skip = device === null && 'needs root with the right to create devices'

describe('devices of the operator', { skip }, () => {
  const path = device ?? ''

  it('accepts only devices that the user of a box can use', () => {
    const locked = makeDevice('0600') ?? ''
    assert.equal(findGpuProblem({ tier: 'T4', devices: [path] }, true), null)
    assert.match(findGpuProblem({ tier: 'T4', devices: [path, locked] }, true) ?? '', /o\+rw/)
    assert.equal(findGpuProblem({ tier: 'T4', devices: [locked] }, false), null)
    for (const other of ['/dev/missing', '/etc/hostname', '/dev'])
      assert.match(findGpuProblem({ tier: 'T4', devices: [other] }, true) ?? '', /no device/)
  })

  for (const one of workingIsolations(isolation))
    it(`are usable in a box of ${one.name} that has them, and missing in others`, async () => {
      const command = ['sh', '-c', `[ -c ${path} ] && head -c 4 ${path} | wc -c && echo x >${path}`]
      const box = await openTestBox(isolation, one, { devices: [path] })
      const used = await box.run(command, { seconds: 10 })
      if (one.hasDevices) assert.equal(String(used.stdout).trim(), '4')
      assert.equal(used.exitCode === 0, one.hasDevices)
      const other = await openTestBox(isolation, one)
      assert.notEqual((await other.run(command, { seconds: 10 })).exitCode, 0)
    })
})
