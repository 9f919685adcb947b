import { statfs } from 'node:fs/promises'
import type { Database } from '../../db/database.ts'
import { recordChange } from '../../db/record-change.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Service } from '../../catalog/vocabulary/define.ts'
import { bearer, credentialsOf, settingsOf } from '../../catalog/vocabulary/wire.ts'
import type { Clock } from '../../lib/clock.ts'
import { versionOfTollgate } from '../../lib/version.ts'
import type {
  CheckRun,
  GatewayFacts,
  OperateDeps,
  SettingLine,
  TestedKey,
  VendorLine,
} from '../../operate/operate-deps.ts'
import { storeKeyTest } from '../../operate/vendors/key-tests.ts'
import { FREE_REQUESTS } from '../chores/free-requests.ts'
import { tryVendorKeys } from '../chores/try-vendor-keys.ts'
import type { Config } from '../settings/config.ts'
import { endingOf } from '../settings/describe-settings.ts'
import type { Engine } from './engine.ts'

type OperateSources = {
  readonly config: Config
  readonly database: Database
  readonly now: Clock
  readonly engine: Pick<Engine, 'calls' | 'vendorKeys' | 'openBreakers'>
}

/** The access of the operator console to the settings and vendors of this process. */
export function openOperate({ config, database, now, engine }: OperateSources): OperateDeps {
  const { vendorKeys, calls } = engine
  const startedMs = now()
  const settings: Config = { ...config, upstreams: vendorKeys.upstreams }
  let checks: CheckRun | null = null
  let running: Promise<CheckRun> | null = null

  async function test(service: Service, upstreams = vendorKeys.upstreams): Promise<TestedKey> {
    const startMs = performance.now()
    const verdicts = await tryVendorKeys([service], { ...config, upstreams }, { now })
    const verdict = verdicts.get(service.id)
    if (verdict === undefined)
      throw new AppError('bad_request', `${service.id} has no key on this gateway.`, {
        fix: `Set ${settingsFor(service).join(' and ')} and restart the gateway.`,
      })
    return { verdict, tookMs: Math.round(performance.now() - startMs) }
  }

  async function keep(service: Service, tested: TestedKey): Promise<void> {
    await database.transaction(async (tx) => {
      await storeKeyTest(tx, { service: service.id, ...tested }, now())
      await recordChange(tx, {
        accountId: null,
        subject: 'vendor_key',
        subjectId: service.id,
        what: 'changed',
        fields: { tested: [null, tested.verdict.kind] },
      })
    })
  }

  function find(id: string): Service {
    const service = calls.catalog.services.find((one) => one.id === id)
    if (service === undefined) throw new AppError('not_found', `Unknown service "${id}".`)
    return service
  }

  async function runChecks(): Promise<CheckRun> {
    // Loaded late: it starts a browser and reads every part of the gateway.
    const { runDoctor } = await import('../../surfaces/cli/doctor/run-doctor.ts')
    const results = await runDoctor({
      now,
      config: () => settings,
      database: () => Promise.resolve(database),
    })
    await recordChange(database, {
      accountId: null,
      subject: 'checks',
      subjectId: 'doctor',
      what: 'created',
    })
    checks = { results, atMs: now() }
    return checks
  }

  return {
    facts: async () => factsOf(config, { checks, uptimeMs: now() - startedMs, engine }),
    settings: () => config.settings.map((line) => sourceOf(line, vendorKeys)),
    runChecks() {
      running ??= runChecks().finally(() => {
        running = null
      })
      return running
    },
    vendors: () =>
      calls.catalog.services
        .filter(({ vendor }) => vendor !== undefined)
        .map((service) => vendorLine(service, config, engine)),
    async testKey(id) {
      const service = find(id)
      const tested = await test(service)
      await keep(service, tested)
      return tested
    },
    replacements: vendorKeys.canStore
      ? {
          async replace(id, credential, key) {
            const service = find(id)
            const present = vendorKeys.upstreams.get(labelOf(service))
            if (present === undefined || present.credentials[credential] === undefined)
              throw notReplaceable()
            const tested = await test(
              service,
              new Map([
                [
                  service.id,
                  { url: present.url, credentials: { ...present.credentials, [credential]: key } },
                ],
              ]),
            )
            if (tested.verdict.kind === 'refused')
              throw new AppError(
                'invalid_params',
                `The vendor refuses this key, too (${tested.verdict.status}).`,
                {
                  param: 'key',
                  fix: 'Create a new key in the vendor’s console and paste it here. Nothing has changed.',
                },
              )
            await vendorKeys.store(labelOf(service), credential, key)
            await keep(service, tested)
            return tested
          },
          async restore(id, credential) {
            await vendorKeys.restore(labelOf(find(id)), credential)
          },
        }
      : null,
  }
}

function notReplaceable(): AppError {
  return new AppError('invalid_params', 'This service has no key to replace.', {
    param: 'key',
    fix: 'Set it up with its settings, and restart the gateway.',
  })
}

function labelOf({ id, vendor }: Service): string {
  return vendor?.label ?? id
}

function settingsFor(service: Service): readonly string[] {
  return settingsOf(labelOf(service), service.vendor ?? { auth: bearer() })
}

function settingName(label: string, credential: string): string {
  return `UPSTREAM_${label.toUpperCase().replaceAll('-', '_')}_${credential}`
}

function vendorLine(
  service: Service,
  config: Config,
  { calls, vendorKeys }: OperateSources['engine'],
): VendorLine {
  const label = labelOf(service)
  const { id, vendor } = service
  const lanes = { vendor: 0, wallet: 0, 'in-house': 0 }
  for (const name of Object.keys(service.actions)) {
    const { live } = calls.lanes.statusOf(id, name)
    if (live !== null) lanes[live] += 1
  }
  const secrets = new Set(credentialsOf(vendor ?? { auth: bearer() }))
  const settings = new Map(config.settings.map((line) => [line.name, line]))
  return {
    service: id,
    title: id,
    actions: Object.keys(service.actions).length,
    lanes,
    keys: Object.entries(vendorKeys.upstreams.get(label)?.credentials ?? {})
      .filter(([credential]) => secrets.has(credential))
      .map(([credential, value]) => {
        const setting = settingName(label, credential)
        const source = vendorKeys.isStored(label, credential)
          ? 'console'
          : settings.get(setting)?.source === 'file'
            ? 'file'
            : 'environment'
        return { credential, setting, ending: endingOf(value), source }
      }),
    canTest: FREE_REQUESTS[id] !== undefined,
    settings: settingsFor(service),
    docsUrl: vendor?.docsUrl ?? null,
  }
}

function sourceOf(line: SettingLine, { upstreams, isStored }: Engine['vendorKeys']): SettingLine {
  for (const [label, { credentials }] of upstreams)
    for (const [credential, value] of Object.entries(credentials))
      if (settingName(label, credential) === line.name && isStored(label, credential))
        return { ...line, source: 'console', ending: endingOf(value) }
  return line
}

async function factsOf(
  { dataDir, databaseUrl, mistyped }: Config,
  {
    checks,
    uptimeMs,
    engine,
  }: {
    readonly checks: CheckRun | null
    readonly uptimeMs: number
    readonly engine: OperateSources['engine']
  },
): Promise<GatewayFacts> {
  const disk = await statfs(dataDir).then(
    ({ bavail, blocks, bsize }) => ({ free: bavail * bsize, total: blocks * bsize }),
    () => null,
  )
  return {
    disk,
    dataDir,
    backups: databaseUrl === null ? 'own' : 'external',
    mistyped,
    checks,
    version: versionOfTollgate(),
    uptimeMs,
    openBreakers: engine.openBreakers().filter(({ count }) => count > 0),
  }
}
