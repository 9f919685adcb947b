import { TEMPO_CHARGE, X402_EXACT } from '../../../catalog/vocabulary/merchant.ts'
import { services } from '../../../vendors/index.ts'
import type { PaySettings } from '../../../app/settings/pay-settings.ts'
import { IN_HOUSE_PARTS } from '../../../app/settings/in-house-settings.ts'
import { tryVendorKeys } from '../../../app/chores/try-vendor-keys.ts'
import type { Command } from '../command.ts'
import { checkCards } from '../doctor/cards.ts'
import { missing, type Check } from '../doctor/check.ts'
import { checkDatabase } from '../doctor/database.ts'
import { checkFiles } from '../doctor/files.ts'
import { checkRepositories } from '../doctor/in-house.ts'
import { checkLanes } from '../doctor/lanes.ts'
import { checkBrowser, checkDataFolder, checkFfmpeg, checkNode } from '../doctor/machine.ts'
import { checkMetrics } from '../doctor/metrics.ts'
import { checkModels } from '../doctor/models.ts'
import { checkMail, checkSignUp } from '../doctor/people.ts'
import { checkPort } from '../doctor/port.ts'
import { checkProvider } from '../doctor/provider.ts'
import { checkProxies } from '../doctor/proxies.ts'
import { checkSelling } from '../doctor/selling.ts'
import { checkSettings } from '../doctor/settings.ts'
import { addVerdicts } from '../doctor/vendor-keys.ts'
import { checkWallets } from '../doctor/wallets.ts'
import { columns } from '../show.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'check everything that the gateway needs, and show how to fix problems',
  flags: {},
  example: './tollgate doctor',
  createsDatabase: true,
  async run(_input, tools) {
    const config = tools.config()
    const folder = await checkDataFolder(config.dataDir)
    const checks = [
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
        : await checkBrowser(
            config.dataDir,
            config.searchPath,
            config.allowUnsandboxedBrowser,
            tools.now,
          ),
      await checkFfmpeg({ path: config.ffmpegPath, searchPath: config.searchPath }),
      await checkRepositories(config),
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
          paysBy: paysBy(config.pay),
          hasModel: config.router.upstreams.length > 0,
          parts: new Set(config.inHouse.parts ?? IN_HOUSE_PARTS),
        }),
        await tryVendorKeys(services, config, tools),
      ),
    ]
    const isHealthy = checks.every(({ state }) => state !== 'broken')
    const [optional, shown] = [
      checks.filter(isOptionalService),
      checks.filter((check) => !isOptionalService(check)),
    ]
    return {
      data: { ok: isHealthy, checks },
      text: [tableOf(shown), ...listOptional(optional), summaryOf(checks)].join('\n\n'),
      exitCode: isHealthy ? 0 : 1,
    }
  },
}

function paysBy({ tempoKey, evmKey }: PaySettings): ReadonlySet<string> {
  return new Set([
    ...(tempoKey === null ? [] : [TEMPO_CHARGE]),
    ...(evmKey === null ? [] : [X402_EXACT]),
  ])
}

/** Dozens of services need a key, and most operators set up few of them. */
function isOptionalService({ name, state, found }: Check): boolean {
  return (
    state === 'missing' &&
    name.startsWith('service ') &&
    OPTIONAL.some(({ pattern }) => pattern.test(found))
  )
}

const OPTIONAL = [
  {
    pattern: /^not set up/,
    title: 'services are not set up: live calls return 503, test keys use the simulators.',
  },
  { pattern: /^in-house/, title: 'services work partly without a key.' },
] as const
const LINE_LENGTH = 100

function listOptional(checks: readonly Check[]): string[] {
  const lists = OPTIONAL.flatMap(({ pattern, title }) => {
    const names = checks
      .filter(({ found }) => pattern.test(found))
      .map(({ name }) => name.slice('service '.length))
    return names.length === 0 ? [] : [`${names.length} ${title}\n${wrapped(names)}`]
  })
  return lists.length === 0
    ? []
    : [
        ...lists,
        'Set UPSTREAM_<SERVICE>_KEY for the services you need. "./tollgate doctor --json" lists the settings of each.',
      ]
}

function wrapped(names: readonly string[]): string {
  const lines: string[] = []
  for (const name of names) {
    const last = lines.at(-1)
    if (last === undefined || last.length + name.length + 2 > LINE_LENGTH) lines.push(`  ${name}`)
    else lines[lines.length - 1] = `${last}, ${name}`
  }
  return lines.join('\n')
}

function tableOf(checks: readonly Check[]): string {
  return columns(
    ['', 'state', 'found', 'what to do'],
    checks.map(({ name, state, found, fix }) => [name, state, found, fix ?? '']),
  )
}

function summaryOf(checks: readonly Check[]): string {
  const broken = checks.filter(({ state }) => state === 'broken').length
  if (broken > 0) return `${broken} of ${checks.length} checks found a problem.`
  const missingCount = checks.filter(({ state }) => state === 'missing').length
  return missingCount === 0
    ? 'Everything is set up.'
    : `The gateway can run. ${missingCount} optional parts are not set up; test keys work without them.`
}
