/** Boxes with a kernel of their own in user space: gVisor. */
import { join } from 'node:path'
import { joinAndRun, type Isolation } from './isolation.ts'
import { writeBundle } from './oci-bundle.ts'

const PROGRAM = 'runsc'

/** `platform`: how gVisor intercepts system calls; its own default if null. */
export function createGvisor(platform: string | null): Isolation {
  return {
    name: 'gvisor',
    programs: [PROGRAM, 'setpriv', 'prlimit', 'perl'],
    packages: ['runsc', 'util-linux', 'perl-base'],
    hasDevices: false,
    async command(plan) {
      const bundle = await writeBundle(plan)
      // Its own processes need rights of the gateway's user, and memory for all programs of the box.
      return joinAndRun({ ...plan, userId: null, dataBytes: null }, [
        PROGRAM,
        `--root=${join(plan.folder, 'state')}`,
        '--network=none',
        '--ignore-cgroups',
        `--host-uds=${plan.hasNetwork ? 'open' : 'none'}`,
        ...(platform === null ? [] : [`--platform=${platform}`]),
        ...(plan.userId === null ? ['--rootless'] : []),
        'run',
        `--bundle=${bundle}`,
        `tollgate-${plan.id}`,
      ])
    },
  }
}
