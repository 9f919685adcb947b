/** A bundle of the Open Container Initiative for a box, which gVisor runs. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BoxPlan } from './isolation.ts'
import { BOX_HOME, BOX_USER } from './layout.ts'
import { writeFiles } from './write-files.ts'

const NAMESPACES = ['pid', 'network', 'ipc', 'uts', 'mount', 'cgroup']

/** Writes the bundle into the folder of the box and returns its path. */
export async function writeBundle(plan: BoxPlan): Promise<string> {
  const { folder, layout, limits, command, dataBytes } = plan
  const bundle = join(folder, 'bundle')
  const root = join(bundle, 'rootfs')
  const binds = [...layout.binds, ...(await writeFiles(plan))]
  await makeTargets(root, plan)
  const tmpfs = (destination: string): object => ({
    destination,
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'nodev', 'mode=1777', `size=${limits.diskBytes}`],
  })
  await writeFile(
    join(bundle, 'config.json'),
    JSON.stringify({
      ociVersion: '1.0.2',
      process: {
        terminal: false,
        user: { uid: BOX_USER, gid: BOX_USER },
        args: command,
        env: ['PATH=/usr/bin:/bin'],
        cwd: BOX_HOME,
        capabilities: { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] },
        noNewPrivileges: true,
        rlimits:
          dataBytes === null ? [] : [{ type: 'RLIMIT_DATA', hard: dataBytes, soft: dataBytes }],
      },
      root: { path: 'rootfs', readonly: true },
      hostname: 'sandbox',
      mounts: [
        { destination: '/proc', type: 'proc', source: 'proc' },
        { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
        ...binds.map(({ source, target }) => ({
          destination: target,
          type: 'bind',
          source,
          options: ['bind', 'ro', 'nosuid', 'nodev'],
        })),
        tmpfs(BOX_HOME),
        tmpfs('/tmp'),
        ...layout.hidden.map(tmpfs),
      ],
      linux: { namespaces: NAMESPACES.map((type) => ({ type })) },
    }),
  )
  return bundle
}

/** Mount points, because the root is read-only, and symbolic links. */
async function makeTargets(root: string, { layout }: BoxPlan): Promise<void> {
  for (const path of ['/proc', '/dev', '/tmp', '/run', '/var', '/etc', BOX_HOME])
    await mkdir(join(root, path), { recursive: true, mode: 0o755 })
  for (const { target, path } of layout.links)
    if (!path.startsWith('/dev/')) {
      await mkdir(join(root, dirname(path)), { recursive: true })
      await symlink(target, join(root, path))
    }
}
