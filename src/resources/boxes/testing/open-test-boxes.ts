/** Boxes as a gateway has them, for tests of calls. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { openBoxHost } from '../box-host.ts'
import { createContainerImages } from '../containers/container-images.ts'
import type { BoxesDeps } from '../boxes-deps.ts'
import type { TestIsolation } from './find-isolation.ts'

const MEGABYTE = 1024 * 1024

export async function openTestBoxes(
  { groups, tried }: TestIsolation,
  now?: () => number,
): Promise<BoxesDeps> {
  const isolation = tried.find(({ problem }) => problem === null)?.isolation
  if (isolation === undefined) throw new RangeError('No isolation works on this machine.')
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-boxes-'))
  chmodSync(folder, 0o711)
  const diskBytes = 16 * MEGABYTE
  const host = await openBoxHost({
    folder,
    maxBoxes: 4,
    maxPerAccount: 4,
    limits: { memoryBytes: 192 * MEGABYTE, diskBytes, processes: 64 },
    ...(now === undefined ? {} : { now }),
  })
  cleanUp(async () => {
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    host,
    isolation,
    groups,
    network: null,
    gpus: [],
    containers: createContainerImages([]),
    images: join(folder, 'images'),
    snapshots: join(folder, 'snapshots'),
    diskBytes,
    snapshotBytes: 4 * diskBytes,
    secrets: [],
    sessionServices: new Set(['boxa', 'boxb', 'boxd', 'boxe']),
    sellsSandboxes: true,
  }
}
