/** `node hold-session.ts`: opens a session, which is frozen, prints its folder and control groups, and waits. */
import { openBoxHost } from '../box-host.ts'
import { setupFor } from '../isolation/choose-isolation.ts'
import { createLayout } from '../isolation/layout.ts'
import { findTestIsolation } from './find-isolation.ts'

const MEGABYTE = 1024 * 1024
const [folder = ''] = process.argv.slice(2)
const { groups, tried } = await findTestIsolation()
const isolation = tried.find(({ problem }) => problem === null)?.isolation
if (isolation === undefined) throw new RangeError('No isolation works on this machine.')
const host = await openBoxHost({
  folder,
  maxBoxes: 1,
  maxPerAccount: 1,
  limits: { memoryBytes: 192 * MEGABYTE, diskBytes: 16 * MEGABYTE, processes: 64 },
  hasFrozenBoxes: groups.keepsFrozen,
})
await host.open({
  id: 'held',
  accountId: 'test',
  setup: setupFor({ isolation, groups, network: null }, createLayout(null, [])),
  cpus: 1,
  envs: {},
  isMetered: true,
  lifeMs: null,
})
// Its end shows that the session is frozen again.
await host.request('held', { kind: 'run', args: ['true'], seconds: 20 })
process.stdout.write('open\n')
setInterval(() => undefined, 60_000)
