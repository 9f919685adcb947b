import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Controller } from '../../../lib/machine/control-groups.ts'
import { createSeccompFilter } from '../../../resources/boxes/isolation/seccomp.ts'
import { acceptLimits } from './accept-limits.ts'

const ALL: readonly Controller[] = ['memory', 'pids', 'cpu', 'cpuacct', 'freezer']
const skip = createSeccompFilter(process.arch) === null && 'needs x64 or arm64'

function decide(
  missing: Controller | null,
  isAsked: boolean,
  isUnlimited: boolean,
): readonly [isAccepted: boolean, warnings: number] {
  let warnings = 0
  const groups = { controllers: new Set(ALL.filter((one) => one !== missing)) }
  const isAccepted = acceptLimits(groups, isAsked, isUnlimited, { warn: () => (warnings += 1) })
  return [isAccepted, warnings]
}

it('needs every limit, also of CPU time, without an order of the operator', { skip }, () => {
  assert.deepEqual(decide(null, false, false), [true, 0])
  for (const one of ALL) assert.deepEqual(decide(one, false, true), [false, 0], one)
})

it('needs limits of memory and processes unless BOX_UNLIMITED is set', { skip }, () => {
  for (const one of ALL) {
    const isEssential = one === 'memory' || one === 'pids'
    assert.deepEqual(decide(one, true, false), [!isEssential, 1], one)
    assert.deepEqual(decide(one, true, true), [true, 1], one)
  }
})
