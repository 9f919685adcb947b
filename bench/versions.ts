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

const { values } = parseArgs({
  options: {
    against: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '40' },
    warm: { type: 'string', default: '60000' },
  },
})
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

/** Calls, and microseconds of CPU. */
type Used = { readonly calls: number; readonly gateway: number; readonly database: number }
type Version = {
  /** Sends a line to the version's bed. */
  ask(line: string): Promise<Used>
  close(): Promise<void>
}

const folders = [resolve(values.against), resolve(import.meta.dirname, '..')]
const versions: Version[] = []
try {
  for (const folder of folders) versions.push(await open(folder))
  for (const { name, load } of SCENARIOS.filter((one) => one.name.includes(values.only)))
    await compare(name, load)
} finally {
  await Promise.all(versions.map((version) => version.close()))
}

async function compare(name: string, load: string): Promise<void> {
  const askBoth = (line: string): Promise<readonly Used[]> =>
    Promise.all(versions.map((version) => version.ask(line)))
  const from = await askBoth(load)
  const isWarm = (now: readonly Used[]): boolean =>
    now.every(({ calls }, place) => calls - (from[place] as Used).calls >= WARM_CALLS)
  while (!isWarm(await askBoth('count'))) await after(500)
  const rounds: (readonly Used[])[] = []
  let before = await askBoth('count')
  for (let second = 0; second < SECONDS; second += 1) {
    await after(1000)
    const now = await askBoth('count')
    rounds.push(now.map((used, place) => perCall(before[place] as Used, used)))
    before = now
  }
  await askBoth('stop')
  report(name, rounds)
}

function perCall(from: Used, to: Used): Used {
  const calls = to.calls - from.calls
  return {
    calls,
    gateway: (to.gateway - from.gateway) / calls,
    database: (to.database - from.database) / calls,
  }
}

function report(name: string, rounds: readonly (readonly Used[])[]): void {
  process.stdout.write(`${name}, µs of CPU a call, former and present, by the second:\n`)
  const parts: Record<string, (used: Used) => number> = {
    gateway: ({ gateway }) => gateway,
    database: ({ database }) => database,
    both: ({ gateway, database }) => gateway + database,
  }
  for (const [part, pick] of Object.entries(parts)) {
    const [former, present] = [0, 1].map((place) =>
      rounds.map((round) => pick(round[place] as Used)),
    ) as [number[], number[]]
    const ratios = present.map((micros, round) => micros / (former[round] as number))
    const line = `${part} ${at(former, 0.5).toFixed(0)} → ${at(present, 0.5).toFixed(0)} (quartiles of the ratio ${at(ratios, 0.25).toFixed(3)} and ${at(ratios, 0.75).toFixed(3)})`
    if (part === 'both') checkMust(atMost(line, at(ratios, 0.5), MOST))
    else process.stdout.write(`  ${line}: ${at(ratios, 0.5).toFixed(3)}\n`)
  }
}

function at(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((x, y) => x - y)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
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
