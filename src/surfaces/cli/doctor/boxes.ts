import { join } from 'node:path'
import type { Config } from '../../../app/settings/config.ts'
import { networkOf } from '../../../app/wiring/in-house/boxes.ts'
import { openOwnControlGroups } from '../../../lib/machine/control-groups.ts'
import {
  ESSENTIAL,
  missingLimits,
  tryIsolations,
} from '../../../resources/boxes/isolation/choose-isolation.ts'
import { createContainerImages } from '../../../resources/boxes/containers/container-images.ts'
import { findGpuProblem } from '../../../resources/boxes/gpus.ts'
import { missing, ok, type Check } from './check.ts'

/** How sandboxes and sessions of this machine are isolated, and what is missing. */
export async function checkBoxes(
  config: Pick<Config, 'inHouse' | 'dataDir' | 'allowPrivateNetworks'>,
  name: string,
): Promise<Check> {
  if (process.platform !== 'linux') return missing(name, 'needs Linux', 'Run the gateway on Linux.')
  const { parts, boxes } = config.inHouse
  const groups = await openOwnControlGroups()
  const network = networkOf(config, { info: () => undefined })
  const tried = await tryIsolations(
    { groups, network },
    join(config.dataDir, 'boxes', 'probes'),
    true,
  )
  const strongest = tried.find(({ problem }) => problem === null)
  const failed = tried.filter(({ problem }) => problem !== null)
  const lacking = missingLimits(groups)
  const reasons = failed.map((one) => `${one.name}: ${String(one.problem)}`).join('; ')
  const packages = [...new Set(failed.flatMap((one) => one.packages))].join(' ')
  if (strongest === undefined)
    return missing(
      name,
      `this machine cannot isolate programs (${reasons})`,
      `Allow user namespaces, or run the gateway as root, and install: apt-get install ${packages}`,
    )
  const brokenGpu = boxes.gpus
    .map((gpu) => findGpuProblem(gpu, process.getuid?.() === 0))
    .find((problem) => problem !== null)
  if (brokenGpu !== undefined)
    return missing(name, `BOX_GPUS: ${brokenGpu}`, 'Correct BOX_GPUS or the device.')
  if (boxes.gpus.length > 0 && !strongest.isolation.hasDevices)
    return missing(
      name,
      `BOX_GPUS: boxes of ${strongest.name} cannot have devices`,
      'Remove BOX_GPUS, or gVisor.',
    )
  const brokenImage = await findBrokenImage(boxes.images)
  if (brokenImage !== null)
    return missing(
      name,
      `BOX_IMAGES: ${brokenImage}`,
      'Pull the image with podman, or correct BOX_IMAGES.',
    )
  const reach = network === null ? '' : ', with guarded network access'
  const found = `isolated by ${strongest.name}${reach}${reasons === '' ? '' : ` (${reasons})`}`
  const essential = missingLimits(groups, ESSENTIAL)
  if (parts !== null && essential.length > 0 && !boxes.isUnlimited)
    return missing(
      name,
      `${found}; off, because this machine cannot limit them: no ${essential.join(', ')}`,
      'Let the gateway write its control groups (Delegate=yes in its service file), or accept the risk with BOX_UNLIMITED=true.',
    )
  if (lacking.length > 0)
    return missing(
      name,
      `${found}; not limited by ${lacking.join(', ')}`,
      parts !== null
        ? 'Let the gateway write its control groups (Delegate=yes in its service file).'
        : 'Let the gateway write its control groups (Delegate=yes in its service file), or set IN_HOUSE, and if memory or pids are missing BOX_UNLIMITED=true, to accept this.',
    )
  return ok(name, found)
}

/** Why the first image that does not work cannot start; null if all can. */
async function findBrokenImage(images: readonly string[]): Promise<string | null> {
  const containers = createContainerImages(images)
  for (const image of images) {
    const problem = await containers.findProblem(image)
    if (problem !== null) return problem
  }
  return null
}
