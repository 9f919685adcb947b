/** A harmless device in place of a GPU: its bytes are zeros, as those of /dev/zero. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { cleanUp } from '../../../../test/harness/clean-up.ts'

let count = 0

/** Null if this process may not create devices. `mode`: its permissions. */
export function makeDevice(mode = '0666'): string | null {
  count += 1
  const path = `/dev/tollgate-test-${process.pid}-${count}`
  try {
    execFileSync('mknod', ['-m', mode, path, 'c', '1', '5'], { stdio: 'ignore' })
  } catch {
    return null
  }
  cleanUp(() => rmSync(path, { force: true }))
  return path
}
