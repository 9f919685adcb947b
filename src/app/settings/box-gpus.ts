import { StartError } from '../../errors/start-error.ts'
import type { Gpu } from '../../resources/boxes/gpus.ts'
import { GPU_TIERS } from '../../vendors/shared/gpu-tiers.ts'

const ENTRY = /^(\w+)=(\/dev\/[\w/-]+(?:\+\/dev\/[\w/-]+)*)$/

/** BOX_GPUS, such as "T4=/dev/nvidia0+/dev/nvidiactl,T4=/dev/nvidia1+/dev/nvidiactl". Throws StartError. */
export function readBoxGpus(text: string): readonly Gpu[] {
  const entries = text.split(',').map((part) => part.trim())
  const gpus = entries.filter((entry) => entry !== '').map(toGpu)
  const all = gpus.flatMap(({ devices }) => devices)
  const repeated = gpus.find(
    ({ devices: [first = ''] }) => all.indexOf(first) !== all.lastIndexOf(first),
  )
  if (repeated !== undefined)
    throw new StartError(
      `BOX_GPUS names ${repeated.devices[0]} twice, but it is the first device of a GPU. Name each GPU once; further devices may be shared.`,
    )
  return gpus
}

function toGpu(entry: string): Gpu {
  const [, name, devices = ''] = ENTRY.exec(entry) ?? []
  const tier = GPU_TIERS.find((one) => one === name)
  if (tier === undefined)
    throw new StartError(
      `BOX_GPUS is invalid at "${entry}": it must be one of ${GPU_TIERS.join(', ')} and device nodes, such as T4=/dev/nvidia0+/dev/nvidiactl.`,
    )
  return { tier, devices: devices.split('+') }
}
