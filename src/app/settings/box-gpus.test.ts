import assert from 'node:assert/strict'
import { it } from 'node:test'
import { StartError } from '../../errors/start-error.ts'
import { readBoxGpus } from './box-gpus.ts'

it('reads the tiers and device nodes of GPUs', () => {
  assert.deepEqual(readBoxGpus(''), [])
  assert.deepEqual(readBoxGpus('T4=/dev/nvidia0+/dev/nvidiactl, H100=/dev/nvidia1'), [
    { tier: 'T4', devices: ['/dev/nvidia0', '/dev/nvidiactl'] },
    { tier: 'H100', devices: ['/dev/nvidia1'] },
  ])
})

it('rejects unknown tiers, other paths, and a GPU that is named twice', () => {
  for (const text of [
    'P100=/dev/nvidia0',
    'T4=/etc/passwd',
    'T4=/dev/../etc',
    'T4',
    'T4=/dev/nvidia0,L4=/dev/nvidia0',
    'T4=/dev/nvidia0+/dev/nvidia1,L4=/dev/nvidia1',
  ])
    assert.throws(() => readBoxGpus(text), StartError, text)
})
