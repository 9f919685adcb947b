import { statfs } from 'node:fs/promises'
import type { Database } from '../../db/database.ts'
import { recordChange } from '../../db/record-change.ts'
import { AppError } from '../../errors/app-error.ts'
import { credentialsOf, settingsOf } from '../../catalog/vocabulary/wire.ts'
import type { UpstreamSettings } from '../../calls/lanes/endpoints.ts'
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
import { findBelowCost } from '../notices/below-cost.ts'
import { findEnds } from '../notices/find-ends.ts'
import { FREE_REQUESTS } from '../chores/free-requests.ts'
import { tryVendorKeys } from '../chores/try-vendor-keys.ts'
import { majorsBehind, MOST_MAJORS_BEHIND } from '../../reader/render/browser-age.ts'
import { packagedVersion } from '../../reader/render/browser-files.ts'
import type { Config } from '../settings/config.ts'
import { endingOf } from '../settings/describe-settings.ts'
import type { Engine } from './engine.ts'
import { listVendors, type ListedVendor } from './listed-vendors.ts'
import { readSealingSecret } from './sealing-secret.ts'

const NO_KEYS: UpstreamSettings = { url: null, credentials: {} }
// A page waits for it.
const LONGEST_TEST_OF_ALL_MS = 60_000

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
  let testing: ReturnType<typeof testAll> | null = null

  const vendors = () => listVendors(calls.catalog.services)

  async function test(listed: ListedVendor, upstreams = vendorKeys.upstreams): Promise<TestedKey> {
    const startMs = performance.now()
    const verdicts = await tryVendorKeys([listed], { ...config, upstreams }, { now })
    const verdict = verdicts.get(listed.id)
    if (verdict === undefined)
      throw new AppError('bad_request', `${listed.id} has no key on this gateway.`, {
        fix: `Set ${settingsFor(listed).join(' and ')} and restart the gateway.`,
      })
    return { verdict, tookMs: Math.round(performance.now() - startMs) }
  }

  async function keep({ id }: ListedVendor, tested: TestedKey): Promise<void> {
    await database.transaction(async (tx) => {
      await storeKeyTest(tx, { service: id, ...tested }, now())
      await recordChange(tx, {
        accountId: null,
        subject: 'vendor_key',
        subjectId: id,
        what: 'changed',
        fields: { tested: [null, tested.verdict.kind] },
      })
    })
  }

  function find(id: string): ListedVendor {
    const listed = vendors().find((one) => one.id === id)
    if (listed === undefined) throw new AppError('not_found', `Unknown vendor "${id}".`)
    return listed
  }

  async function testAll(): Promise<{ readonly tested: number; readonly left: number }> {
    const keyed = vendors().filter(
      ({ id, label }) =>
        FREE_REQUESTS[id] !== undefined &&
        Object.keys(vendorKeys.upstreams.get(label)?.credentials ?? {}).length > 0,
    )
    const startMs = performance.now()
    let tested = 0
    for (const listed of keyed) {
      if (performance.now() - startMs > LONGEST_TEST_OF_ALL_MS) break
      await keep(listed, await test(listed))
      tested += 1
    }
    return { tested, left: keyed.length - tested }
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
    facts: async () => factsOf(config, { checks, nowMs: now(), startedMs, engine }),
    settings: () => config.settings.map((line) => sourceOf(line, vendorKeys)),
    runChecks() {
      running ??= runChecks().finally(() => {
        running = null
      })
      return running
    },
    vendors: () => vendors().map((listed) => vendorLine(listed, config, engine)),
    ends: () =>
      findEnds(
        {
          services: calls.catalog.services,
          tiers: config.router.tiers,
          upstreams: vendorKeys.upstreams,
        },
        now(),
      ),
    belowCost: () => findBelowCost(calls.catalog.services, vendorKeys.upstreams),
    async testKey(id) {
      const listed = find(id)
      const tested = await test(listed)
      await keep(listed, tested)
      return tested
    },
    testAllKeys() {
      testing ??= testAll().finally(() => {
        testing = null
      })
      return testing
    },
    async findStoreProblem() {
      try {
        await readSealingSecret(config)
        return null
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return `${error.message} ${error.fix}`
      }
    },
    replacements: vendorKeys.canStore
      ? {
          async replace(id, credential, key) {
            const listed = find(id)
            const present = vendorKeys.upstreams.get(listed.label) ?? NO_KEYS
            const isKnown =
              present.credentials[credential] !== undefined ||
              storableCredentials(listed).includes(credential)
            if (!isKnown) throw notReplaceable()
            const tested = await test(
              listed,
              new Map([
                [
                  listed.label,
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
            await vendorKeys.store(listed.label, credential, key)
            await keep(listed, tested)
            return tested
          },
          async restore(id, credential) {
            await vendorKeys.restore(find(id).label, credential)
          },
        }
      : null,
  }
}

/** A merchant is paid and takes no key. */
function storableCredentials({ vendor }: ListedVendor): readonly string[] {
  return vendor.isPaidOnly === true ? [] : credentialsOf(vendor)
}

function notReplaceable(): AppError {
  return new AppError('invalid_params', 'This service takes no such key.', {
    param: 'key',
    fix: 'Choose a key from the page of vendors.',
  })
}

function settingsFor({ label, vendor }: ListedVendor): readonly string[] {
  return settingsOf(label, vendor)
}

function settingName(label: string, credential: string): string {
  return `UPSTREAM_${label.toUpperCase().replaceAll('-', '_')}_${credential}`
}

function vendorLine(
  listed: ListedVendor,
  config: Config,
  { calls, vendorKeys }: OperateSources['engine'],
): VendorLine {
  const { id, title, label, vendor, service, actions } = listed
  const present = vendorKeys.upstreams.get(label)?.credentials ?? {}
  const secrets = new Set(credentialsOf(vendor))
  const lanes = { vendor: 0, wallet: 0, 'in-house': 0 }
  if (service === null && [...secrets].every((name) => present[name] !== undefined))
    lanes.vendor = actions
  for (const name of Object.keys(service?.actions ?? {})) {
    const { live } = calls.lanes.statusOf(id, name)
    if (live !== null) lanes[live] += 1
  }
  const settings = new Map(config.settings.map((line) => [line.name, line]))
  return {
    service: id,
    title,
    actions,
    lanes,
    keys: Object.entries(present)
      .filter(([credential]) => secrets.has(credential))
      .map(([credential, value]) => {
        const setting = settingName(label, credential)
        const source = vendorKeys.isStored(label, credential)
          ? 'console'
          : settings.get(setting)?.source === 'file'
            ? 'file'
            : 'environment'
        const isAdded = config.upstreams.get(label)?.credentials[credential] === undefined
        return { credential, setting, ending: endingOf(value), source, isAdded }
      }),
    missing: storableCredentials(listed)
      .filter((name) => present[name] === undefined)
      .map((credential) => ({ credential, setting: settingName(label, credential) })),
    canTest: FREE_REQUESTS[id] !== undefined,
    settings: settingsFor(listed),
    docsUrl: vendor.docsUrl,
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
    nowMs,
    startedMs,
    engine,
  }: {
    readonly checks: CheckRun | null
    readonly nowMs: number
    readonly startedMs: number
    readonly engine: OperateSources['engine']
  },
): Promise<GatewayFacts> {
  const isCurrent =
    checks?.results.some(({ name, state }) => name === 'browser' && state === 'ok') === true
  const behind = isCurrent ? 0 : majorsBehind(await packagedVersion(), nowMs)
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
    browserBehind: behind > MOST_MAJORS_BEHIND ? behind : 0,
    uptimeMs: nowMs - startedMs,
    openBreakers: engine.openBreakers().filter(({ count }) => count > 0),
  }
}
