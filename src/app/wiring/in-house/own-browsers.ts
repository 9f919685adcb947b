import { join } from 'node:path'
import type { Config } from '../../settings/config.ts'
import { isPartEnabled } from '../../settings/in-house-settings.ts'
import { createBrowserFinder } from '../../../reader/render/find-browser.ts'
import { browserFolder } from '../../../reader/render/browser-user.ts'
import { isRoot } from '../../../reader/render/browser-user-id.ts'
import type { FileDeps } from '../../../resources/files/file-deps.ts'
import { openRecorder } from './browser-recorder.ts'
import { CHECKOUT } from './checkout.ts'
import { realPathsBelow } from '../../../lib/machine/real-paths-below.ts'
import { findProgram } from '../../../lib/machine/find-program.ts'
import { takeBrowserUser } from '../../../resources/browsers/in-house/browser-users.ts'
import type { ControlGroups } from '../../../lib/machine/control-groups.ts'
import {
  createLimits,
  mayRunBrowsers,
  openBrowserGroups,
  UNLIMITED,
} from '../../../resources/browsers/in-house/limits.ts'
import {
  createOwnBrowsers,
  type OwnBrowsers,
} from '../../../resources/browsers/in-house/own-browsers.ts'
import { openBrowserHost } from '../../../resources/browsers/in-house/host/browser-host.ts'
import { probeConfinement } from '../../../resources/browsers/in-house/probe-confinement.ts'
import {
  createStarter,
  type OwnBrowserMachine,
} from '../../../resources/browsers/in-house/start-own-browser.ts'
import { tendOwnBrowsers } from '../../../resources/browsers/in-house/tend-own-browsers.ts'
import type { Guard } from '../../../upstream/guard.ts'

type BrowserConfig = Pick<
  Config,
  'inHouse' | 'searchPath' | 'dataDir' | 'publicUrl' | 'chromiumPath' | 'ffmpegPath'
>

const GRACE_MS = 15_000

const TEND_EVERY_MS = 5_000

type OwnBrowserDeps = {
  readonly guard: Guard
  readonly files: FileDeps
  readonly onError: (error: unknown) => void
  readonly warn: (message: string) => void
}

/** The browsers of this process; null if the operator did not enable them or they cannot be confined here. */
export async function openOwnBrowsers(
  config: BrowserConfig,
  { guard, files, onError, warn }: OwnBrowserDeps,
  isDefault: boolean,
): Promise<OwnBrowsers | null> {
  if (!isPartEnabled(config.inHouse, 'browsers', isDefault)) return null
  const bubblewrap = findProgram('bwrap', config.searchPath)
  if (bubblewrap === null || (await probeConfinement(bubblewrap, isRoot())) !== null) return null
  const groups = await openBrowserGroups()
  if (!mayRunBrowsers(config.inHouse.parts !== null, groups)) return null
  if (groups === null) warn(UNLIMITED)
  const host = await openBrowserHost(join(config.dataDir, 'browsers'))
  const { folder } = host
  const recorder = await openRecorder(config, { bubblewrap, folder, files, onError })
  const { database, now } = files
  const own = createOwnBrowsers({
    host,
    ...(recorder === null ? {} : { recorder }),
    start: createStarter(browserMachine(config, { guard, bubblewrap, groups })),
    places: config.inHouse.browserSessions,
    publicUrl: config.publicUrl,
    graceMs: GRACE_MS,
  })
  // In every process with browsers; other chores run in processes that work on jobs.
  let isTending = false
  const timer = setInterval(() => {
    if (isTending || own.running().length + own.ended().length === 0) return
    isTending = true
    tendOwnBrowsers({ database, now, own })
      .catch(onError)
      .finally(() => (isTending = false))
  }, TEND_EVERY_MS).unref()
  return {
    ...own,
    async close() {
      clearInterval(timer)
      await own.close()
    },
  }
}

/** The parts that start a browser on this machine. */
function browserMachine(
  config: Pick<BrowserConfig, 'inHouse' | 'dataDir' | 'searchPath' | 'chromiumPath'>,
  {
    guard,
    bubblewrap,
    groups,
  }: Pick<OwnBrowserMachine, 'guard' | 'bubblewrap'> & { readonly groups: ControlGroups | null },
): OwnBrowserMachine {
  const { inHouse, dataDir } = config
  const findBrowser = createBrowserFinder(config)
  return {
    bubblewrap,
    guard,
    files: async () => findBrowser(await browserFolder(dataDir)),
    limits: createLimits(groups, inHouse.browserMegabytes),
    takeUser: () => takeBrowserUser(isRoot()),
    hidden: realPathsBelow(['/usr'], [dataDir, CHECKOUT]),
  }
}
