import { join } from 'node:path'
import { IN_HOUSE_MACHINES } from '../../../calls/lanes/lanes.ts'
import { openBoxHost } from '../../../resources/boxes/box-host.ts'
import type { BoxesDeps } from '../../../resources/boxes/boxes-deps.ts'
import { openOwnControlGroups } from '../../../lib/machine/control-groups.ts'
import { createContainerImages } from '../../../resources/boxes/containers/container-images.ts'
import { findGpuProblem, type Gpu } from '../../../resources/boxes/gpus.ts'
import type { Isolation } from '../../../resources/boxes/isolation/isolation.ts'
import { tryIsolations } from '../../../resources/boxes/isolation/choose-isolation.ts'
import { createBoxNetwork, type BoxNetwork } from '../../../resources/boxes/network/box-network.ts'
import type { NetworkLog } from '../../../resources/boxes/network/target-log.ts'
import type { Config } from '../../settings/config.ts'
import { isPartEnabled } from '../../settings/in-house-settings.ts'
import type { InHousePart } from '../../settings/in-house-parts.ts'
import { CHECKOUT } from './checkout.ts'
import { acceptLimits, type WarningLogger } from './accept-limits.ts'

/** Parts whose programs run in boxes. */
const IN_BOXES: ReadonlySet<InHousePart> = new Set(['sandboxes', 'sessions', 'media'])
const MEGABYTE = 1024 * 1024
const PROCESSES = 256
/** Sold as microVMs for untrusted code. */
const UNTRUSTED = 'boxa'

/** The services whose sessions run here. Without an order of the operator only a separate kernel replaces a microVM. */
export function machinesSold(isAsked: boolean, hasOwnKernel: boolean): ReadonlySet<string> {
  return new Set(
    [...IN_HOUSE_MACHINES].filter((service) => isAsked || hasOwnKernel || service !== UNTRUSTED),
  )
}

/**
 * The boxes of this gateway; null if the operator did not enable them or the machine cannot isolate
 * them. `isDefault`: enable them without a setting, where they are safe.
 */
export async function openBoxes(
  config: Pick<Config, 'inHouse' | 'dataDir' | 'allowPrivateNetworks'>,
  isDefault: boolean,
  logger: WarningLogger & NetworkLog,
): Promise<BoxesDeps | null> {
  const { inHouse, dataDir } = config
  const { parts, boxes } = inHouse
  const isAsked = parts?.some((part) => IN_BOXES.has(part)) ?? false
  const has = (part: InHousePart): boolean => isPartEnabled(inHouse, part, isDefault)
  if (!IN_BOXES.values().some(has)) return null
  if (process.platform !== 'linux') return null
  const groups = await openOwnControlGroups()
  if (!acceptLimits(groups, isAsked, boxes.isUnlimited, logger)) return null
  const folder = join(dataDir, 'boxes')
  const network = networkOf(config, logger)
  const tried = await tryIsolations({ groups, network }, join(folder, 'probes'), true)
  const isolation = tried.find(({ problem }) => problem === null)?.isolation
  if (isolation === undefined) return null
  const diskBytes = boxes.diskMegabytes * MEGABYTE
  const containers = createContainerImages(boxes.images)
  const host = await openBoxHost({
    folder,
    removeBox: containers.remove,
    hasFrozenBoxes: has('sessions') && groups.keepsFrozen,
    maxBoxes: boxes.most,
    maxPerAccount: boxes.mostPerAccount,
    limits: { memoryBytes: boxes.memoryMegabytes * MEGABYTE, diskBytes, processes: PROCESSES },
  })
  return {
    host,
    isolation,
    groups,
    network,
    gpus: acceptGpus(boxes.gpus, isolation, logger),
    containers,
    images: join(dataDir, 'images'),
    snapshots: join(folder, host.machine, 'snapshots'),
    diskBytes,
    snapshotBytes: boxes.snapshotMegabytes * MEGABYTE,
    secrets: [dataDir, CHECKOUT],
    sessionServices: has('sessions')
      ? machinesSold(isAsked, isolation.name === 'gvisor')
      : new Set(),
    sellsSandboxes: has('sandboxes'),
  }
}

/** Null without BOX_NETWORK: boxes reach nothing. */
export function networkOf(
  { inHouse: { boxes }, allowPrivateNetworks }: Pick<Config, 'inHouse' | 'allowPrivateNetworks'>,
  logger: NetworkLog,
): BoxNetwork | null {
  if (boxes.network === 'none') return null
  const maxBytes = boxes.trafficMegabytes * MEGABYTE
  return createBoxNetwork({ allowPrivateNetworks, maxBytes, logger })
}

/** The GPUs that boxes can use. Logs the others. */
function acceptGpus(
  gpus: readonly Gpu[],
  { name, hasDevices }: Isolation,
  logger: WarningLogger,
): readonly Gpu[] {
  return gpus.filter((gpu) => {
    const problem = hasDevices
      ? findGpuProblem(gpu, process.getuid?.() === 0)
      : `boxes of ${name} cannot have devices`
    if (problem !== null)
      logger.warn({ gpu: gpu.tier, problem }, 'a GPU of BOX_GPUS is not offered')
    return problem === null
  })
}
