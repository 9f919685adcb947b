/**
 * CPU per call of this checkout against another one, both warm and at the same time on the same cores, so that a slow
 * moment of the machine meets both. Exits with 1 above 1.03.
 *
 * Run: npx node bench/versions.ts --against <folder of another checkout, with its packages> [--only hot] [--seconds 40]
 * [--warm 60000]
 */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as after } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { atMost, checkMust } from './must.ts'
import { median } from './router/stream-load.ts'

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '40' },
    warm: { type: 'string', default: '60000' },
  },
})
if (values.against === undefined) throw new Error('Name another checkout: --against <folder>.')
const SECONDS = Number(values.seconds)
/** A gateway reaches its speed after about this many calls. */
const WARM_CALLS = Number(values.warm)
const MOST = 1.03
const ACCOUNTS = 1000
const SCENARIOS = [
  { name: 'paid calls, one hot account', load: 'paid 1' },
  { name: 'paid calls, 1000 accounts', load: 'paid 1000' },
  { name: 'router calls', load: 'router 1' },
]

/** Calls, and milliseconds of CPU: so far, or of one call. */
type Used = { readonly calls: number; readonly gateway: number; readonly database: number }
/** Both versions in the same second, per call. */
type Second = Record<'former' | 'present', Used>
type Version = {
  /** Sends a line to the version's bed. */
  ask(line: string): Promise<Used>
  close(): Promise<void>
}

const folders = { former: resolve(values.against), present: resolve(import.meta.dirname, '..') }
type Name = keyof typeof folders
const NAMES = Object.keys(folders) as Name[]
const chosen = SCENARIOS.filter(({ name }) => name.includes(values.only))
const seconds = new Map(chosen.map(({ name }) => [name, [] as Second[][]]))
// A gateway that starts second is a few percent slower, so each is second once.
for (const order of [NAMES, NAMES.toReversed()]) {
  const versions = new Map<Name, Version>()
  try {
    for (const name of order) versions.set(name, await open(folders[name]))
    for (const { name, load } of chosen) seconds.get(name)?.push(await measure(versions, load))
  } finally {
    await Promise.all(versions.values().map((version) => version.close()))
  }
}
for (const [name, runs] of seconds) report(name, runs)

async function measure(versions: ReadonlyMap<Name, Version>, load: string): Promise<Second[]> {
  const askBoth = async (line: string): Promise<Record<Name, Used>> => {
    const answers = NAMES.map(async (name) => [name, await versions.get(name)?.ask(line)] as const)
    return Object.fromEntries(await Promise.all(answers)) as Record<Name, Used>
  }
  const from = await askBoth(load)
  const isWarm = (now: Record<Name, Used>): boolean =>
    NAMES.every((name) => now[name].calls - from[name].calls >= WARM_CALLS)
  while (!isWarm(await askBoth('count'))) await after(500)
  const run: Second[] = []
  let before = await askBoth('count')
  for (let second = 0; second < SECONDS; second += 1) {
    await after(1000)
    const now = await askBoth('count')
    run.push({
      former: perCall(before.former, now.former),
      present: perCall(before.present, now.present),
    })
    before = now
  }
  await askBoth('stop')
  return run
}

function perCall(from: Used, to: Used): Used {
  const calls = to.calls - from.calls
  return {
    calls,
    gateway: (to.gateway - from.gateway) / calls,
    database: (to.database - from.database) / calls,
  }
}

/** The ratio of a part is the geometric mean of the medians of both orders. */
function report(name: string, runs: readonly (readonly Second[])[]): void {
  process.stdout.write(`${name}, µs of CPU a call, former and present:\n`)
  const parts: Record<string, (used: Used) => number> = {
    gateway: ({ gateway }) => gateway,
    database: ({ database }) => database,
    both: ({ gateway, database }) => gateway + database,
  }
  for (const [part, pick] of Object.entries(parts)) {
    const ratios = runs.map((run) =>
      median(run.map(({ former, present }) => pick(present) / pick(former))),
    )
    const mean = ratios.reduce((product, ratio) => product * ratio, 1) ** (1 / ratios.length)
    const [former, present] = NAMES.map((one) =>
      median(runs.flat().map((second) => pick(second[one]) * 1000)).toFixed(0),
    )
    const orders = ratios.map((ratio) => ratio.toFixed(3)).join(' and ')
    const line = `${part} ${former} → ${present}, ${orders} by order of the start`
    if (part === 'both') checkMust(atMost(line, mean, MOST))
    else process.stdout.write(`  ${line}: ${mean.toFixed(3)}\n`)
  }
}

async function open(folder: string): Promise<Version> {
  const args = [join(import.meta.dirname, 'gateway/serve-bed.ts'), folder, String(ACCOUNTS)]
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async (): Promise<Used> => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`the bed of ${folder} ended`)
    return JSON.parse(value) as Used
  }
  await read()
  return {
    ask(line) {
      child.stdin.write(`${line}\n`)
      return read()
    },
    async close() {
      const ended = new Promise((done) => child.once('exit', done))
      child.stdin.end()
      await ended
    },
  }
}
