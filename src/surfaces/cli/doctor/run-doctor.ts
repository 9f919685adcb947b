import {
  TEMPO_CHARGE,
  USDC_ON_BASE,
  USDC_ON_TEMPO,
  X402_EXACT,
} from '../../../catalog/vocabulary/merchant.ts'
import { services as builtIn } from '../../../vendors/index.ts'
import { readOwn } from '../../../app/wiring/own/read-own.ts'
import type { PaySettings } from '../../../app/settings/pay-settings.ts'
import { tryVendorKeys } from '../../../app/chores/try-vendor-keys.ts'
import { checkBelowCost } from './below-cost.ts'
import { checkCards } from './cards.ts'
import { missing, type Check } from './check.ts'
import { checkDatabase } from './database.ts'
import { checkMailServers } from './emails.ts'
import { checkEnds } from './ends.ts'
import { checkFiles } from './files.ts'
import { checkGoneRoutes } from './gone-routes.ts'
import { checkParts } from './in-house.ts'
import { checkMailDomain } from './inboxes.ts'
import { checkLanes } from './lanes.ts'
import { checkLiveActions } from './live-actions.ts'
import { checkBrowser, checkDataFolder, checkFfmpeg, checkNode } from './machine.ts'
import { checkMetrics } from './metrics.ts'
import { checkModels } from './models.ts'
import { checkOwnActions } from './own-actions.ts'
import { checkMail, checkSignUp } from './people.ts'
import { checkPort } from './port.ts'
import { checkProvider } from './provider.ts'
import { checkProxies } from './proxies.ts'
import { checkSelling } from './selling.ts'
import { checkSettings } from './settings.ts'
import { addVerdicts } from './vendor-keys.ts'
import { checkWallets } from './wallets.ts'
import type { Tools } from '../command.ts'

/** Runs every check. */
export async function runDoctor(tools: Tools): Promise<readonly Check[]> {
  const config = tools.config()
  const own = await readOwn(config)
  const services = [...builtIn, ...own.folder.services]
  const folder = await checkDataFolder(config.dataDir)
  const parts = await checkParts(config)
  const means = {
    hasModel: config.router.upstreams.length > 0,
    parts: parts.working,
    proxies: config.inHouse.proxies,
  }
  const payments = paymentsOf(config.pay)
  return [
    checkNode(),
    ...checkSettings(config),
    folder,
    ...(await checkDatabase(tools)),
    await checkFiles(tools),
    await checkPort(config),
    // The browser would leave files that a gateway of another user cannot use.
    folder.state === 'broken'
      ? missing(
          'browser',
          'not checked, because the data folder is broken',
          'Fix the data folder, then run the command again.',
        )
      : await checkBrowser(config.dataDir, config, config.allowUnsandboxedBrowser, tools.now),
    await checkFfmpeg({ path: config.ffmpegPath, searchPath: config.searchPath }),
    ...parts.checks,
    ...(await checkMailDomain(config)),
    ...(await checkMailServers(config)),
    await checkModels(config.router, tools.now),
    await checkWallets(tools),
    await checkSelling(config, tools.now),
    await checkCards(tools),
    await checkProvider(config),
    checkProxies(config),
    checkMetrics(config),
    await checkMail(config),
    checkSignUp(config),
    ...addVerdicts(
      checkLanes(services, config.upstreams, {
        paysBy: new Set(payments.map(({ name }) => name)),
        ...means,
      }),
      await tryVendorKeys(services, config, tools),
    ),
    ...(await checkGoneRoutes(tools)),
    ...checkEnds(config, tools.now),
    ...checkBelowCost(config, services),
    ...(await checkOwnActions(tools, own)),
    checkLiveActions(config, { ...means, payments, services }),
  ]
}

function paymentsOf({ tempoKey, evmKey }: PaySettings) {
  return [
    ...(tempoKey === null ? [] : [{ name: TEMPO_CHARGE, assets: [USDC_ON_TEMPO] }]),
    ...(evmKey === null ? [] : [{ name: X402_EXACT, assets: [USDC_ON_BASE] }]),
  ]
}
