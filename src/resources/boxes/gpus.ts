/** GPUs of this machine that the operator offers, one per box. */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { AppError } from '../../errors/app-error.ts'
import type { GpuTier } from '../../vendors/shared/gpu-tiers.ts'

/** The first device identifies the GPU; the others, such as /dev/nvidiactl, may be shared. */
export type Gpu = { readonly tier: GpuTier; readonly devices: readonly string[] }

const FOR_ALL = 0o006

/** A name of the GPU for the folders of boxes, the same in all processes of the machine. */
export function gpuName({ devices: [device = ''] }: Gpu): string {
  return `gpu${createHash('sha256').update(device).digest('hex').slice(0, 8)}`
}

/** Null if boxes can use the devices, or the reason. `hasOwnUser`: boxes have users of their own. */
export function findGpuProblem({ devices }: Gpu, hasOwnUser: boolean): string | null {
  for (const device of devices) {
    const stats = statSync(device, { throwIfNoEntry: false })
    if (stats?.isCharacterDevice() !== true) return `${device} is no device`
    if (hasOwnUser && (stats.mode & FOR_ALL) !== FOR_ALL)
      return `${device} is not readable and writable for all users (chmod o+rw)`
  }
  return null
}

/** The GPUs of a tier. Throws AppError `invalid_params` if no GPU has it. */
export function gpusOfTier(gpus: readonly Gpu[], tier: GpuTier): readonly Gpu[] {
  const found = gpus.filter((gpu) => gpu.tier === tier)
  if (found.length > 0) return found
  const tiers = [...new Set(gpus.map((gpu) => gpu.tier))]
  throw tiers.length === 0
    ? new AppError('invalid_params', 'This gateway runs sandboxes itself and has no GPU.', {
        param: 'gpu',
        fix: 'Leave "gpu" out.',
      })
    : new AppError('invalid_params', `This gateway runs sandboxes itself and has no ${tier}.`, {
        param: 'gpu',
        fix: `Send one of ${tiers.join(', ')}, or leave "gpu" out.`,
      })
}
