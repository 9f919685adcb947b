/** A box for tests. Its folder is removed at the end of the test file. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { startBox, type Box } from '../box.ts'
import { setupFor } from '../isolation/choose-isolation.ts'
import type { Isolation } from '../isolation/isolation.ts'
import { createLayout } from '../isolation/layout.ts'
import type { BoxNetwork } from '../network/box-network.ts'
import type { TestIsolation } from './find-isolation.ts'

const MEGABYTE = 1024 * 1024
const FIRST_USER = 1_605_000_000
let count = 0

export async function openTestBox(
  { groups, tried }: TestIsolation,
  isolation: Isolation | undefined = tried.find(({ problem }) => problem === null)?.isolation,
  {
    network = null,
    devices = [],
  }: { readonly network?: BoxNetwork | null; readonly devices?: readonly string[] } = {},
): Promise<Box> {
  if (isolation === undefined) throw new RangeError('No isolation works on this machine.')
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-box-'))
  chmodSync(folder, 0o711)
  count += 1
  const id = `test-${process.pid}-${count}`
  const box = await startBox(setupFor({ isolation, groups, network }, createLayout(null, [])), {
    id,
    accountId: 'test',
    folder: join(folder, id),
    limits: { memoryBytes: 192 * MEGABYTE, diskBytes: 16 * MEGABYTE, cpus: 1, processes: 48 },
    userId: process.getuid?.() === 0 ? FIRST_USER + process.pid * 10 + count : null,
    devices,
    lifeSeconds: null,
    envs: { STAGE: 'a "quoted" value' },
  })
  cleanUp(async () => {
    await box.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return box
}
