import { StartError } from '../../errors/start-error.ts'
import type { Gpu } from '../../resources/boxes/gpus.ts'
import { GPU_TIERS } from '../../vendors/shared/gpu-tiers.ts'

const ENTRY = /^(\w+)=(\/dev\/[\w/-]+(?:\+\/dev\/[\w/-]+)*)$/

/** BOX_GPUS, such as "T4=/dev/nvidia0+/dev/nvidiactl,T4=/dev/nvidia1+/dev/nvidiactl". Throws StartError. */
export function readBoxGpus(text: string): readonly Gpu[] {
  const entries = text.split(',').map((part) => part.trim())
  const gpus = entries.filter((entry) => entry !== '').map(toGpu)
  const firsts = gpus.map(({ devices: [device = ''] }) => device)
  const repeated = firsts.find((device, at) => firsts.indexOf(device) !== at)
  if (repeated !== undefined)
    throw new StartError(
      `BOX_GPUS names ${repeated} twice as the first device of a GPU. Name each GPU once; further devices may be shared.`,
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
