import type { Check } from '../doctor/check.ts'
import { runDoctor } from '../doctor/run-doctor.ts'
import { openVendorKeys } from '../../../app/wiring/vendor-keys.ts'
import type { Command, Tools } from '../command.ts'
import { columns } from '../show.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'check everything that the gateway needs, and show how to fix problems',
  flags: {},
  example: './tollgate doctor',
  createsDatabase: true,
  async run(_input, tools) {
    const checks = await withStoredKeys(tools, runDoctor)
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

/** Runs the checks with the vendor keys that operators stored in place of settings. */
async function withStoredKeys<T>(tools: Tools, work: (tools: Tools) => Promise<T>): Promise<T> {
  const config = tools.config()
  // The checks report a database that does not open.
  const database = await tools.database().catch(() => null)
  if (database === null) return work(tools)
  const keys = await openVendorKeys({
    listens: false,
    config,
    database,
    logger: { warn: () => {} },
  })
  try {
    return await work({ ...tools, config: () => ({ ...config, upstreams: keys.upstreams }) })
  } finally {
    await keys.close()
  }
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
  const countOf = (wanted: Check['state']) => checks.filter(({ state }) => state === wanted).length
  const [missingCount, warnings] = [countOf('missing'), countOf('warning')]
  const summary =
    missingCount === 0
      ? 'Everything is set up.'
      : `The gateway can run. ${missingCount} optional parts are not set up; test keys work without them.`
  return warnings === 0 ? summary : `${summary} Warnings: ${warnings}.`
}
