/**
 * `npx node bench/consult.ts`: how often core/consult recommends a right call or asks a right question for
 * the intents in `bench/consult/test.tsv`. Prints only scores, so that a change is not tuned to single
 * intents. `--set train` reads the other set; `--failures` then prints its failures.
 */
import { parseArgs } from 'node:util'
import { join } from 'node:path'
import { createCatalog } from '../src/catalog/index.ts'
import { createValidator } from '../src/catalog/validate/validate.ts'
import type { CallTools } from '../src/catalog/vocabulary/handlers.ts'
import { failed } from '../src/catalog/vocabulary/outcome.ts'
import { createConsult } from '../src/composites/consult/consult.ts'
import { NEW_CONVERSATION } from '../src/composites/consult/conversation.ts'
import { createDiscover } from '../src/composites/discover/create-discover.ts'
import { readIntents } from './finding/read-intents.ts'
import { judge, type Answer, type Verdict } from './consult/judge.ts'
import { readCases, type Case } from './consult/read-cases.ts'

const { values } = parseArgs({
  options: { set: { type: 'string', default: 'test' }, failures: { type: 'boolean' } },
})
if (values.failures === true && values.set === 'test')
  throw new RangeError('Failures of the test set stay unread. Use --set train.')
const NOW_MS = Date.UTC(2026, 10, 20, 12)
const catalog = createCatalog()
const laneOf = () => ({ live: 'vendor', lanes: ['vendor'] }) as const

let pendingTarget: Answer['offered'] = []
const consult = createConsult({
  catalog,
  validator: createValidator(),
  discover: createDiscover({ services: catalog.services, laneOf }),
  laneOf,
  conversations: {
    load: async () => NEW_CONVERSATION,
    save: async (_owner, _id, { pending }) => {
      pendingTarget = pending === null ? [] : [pending.target]
    },
  },
})
const tools: CallTools = {
  mode: 'test',
  accountId: '0'.repeat(32),
  keyId: null,
  scope: 'account',
  signal: new AbortController().signal,
  timeoutMs: 60_000,
  now: () => NOW_MS,
  isLive: () => true,
  invoke: () => {
    throw failed('upstream_not_configured', 'core/consult calls no action.')
  },
}

async function ask(intent: string): Promise<Answer> {
  const outcome = await consult({ intent }, tools)
  if (outcome.kind !== 'done' && outcome.kind !== 'empty')
    throw new RangeError(`core/consult failed for "${intent}"`)
  const { calls, question, alternatives } = outcome.data as Partial<Answer> & {
    alternatives?: Answer['offered']
  }
  return {
    calls: calls ?? [],
    question: question ?? null,
    offered: [...pendingTarget, ...(alternatives ?? [])],
    isCharged: outcome.kind === 'done',
  }
}

const cases = readCases(join(import.meta.dirname, 'consult'), values.set)
const verdicts: { expected: Case; answer: Answer; verdict: Verdict }[] = []
const from = performance.now()
for (const expected of cases) {
  const answer = await ask(expected.intent)
  verdicts.push({ expected, answer, verdict: judge(expected, answer) })
}
const each = (performance.now() - from) / cases.length

const write = (line: string): void => void process.stdout.write(`${line}\n`)
const count = (rows: typeof verdicts, kind: Verdict): number =>
  rows.filter(({ verdict }) => verdict === kind).length
const share = (part: number, rows: typeof verdicts): string =>
  `${part} (${(part / rows.length).toFixed(3)})`

if (values.failures === true)
  for (const { expected, answer, verdict } of verdicts.filter((one) => one.verdict !== 'right'))
    write(
      `${verdict}\t${expected.intent}\t${answer.question ?? ''}\t${JSON.stringify(answer.calls.map(({ service, action, params }) => ({ [`${service}/${action}`]: params })))}\t${JSON.stringify(answer.offered.slice(0, 4).map(({ service, action, endpoint }) => `${service}/${action}${endpoint ?? ''}`))}`,
    )
write(
  '| Intents | Number | Right | Right action offered | Other question | Nothing | Wrong advice | Charged |\n|---|---|---|---|---|---|---|---|',
)
for (const [name, rows] of [
  ['answerable', verdicts.filter(({ expected }) => !expected.isUnanswerable)],
  ['no action fits', verdicts.filter(({ expected }) => expected.isUnanswerable)],
  ['all', verdicts],
] as const)
  write(
    `| ${name} | ${rows.length} | ${(['right', 'offered', 'question', 'nothing', 'wrong'] as const).map((kind) => share(count(rows, kind), rows)).join(' | ')} | ${rows.filter(({ answer }) => answer.isCharged).length} |`,
  )
write(`\n${each.toFixed(1)} ms per intent`)

// Written for the action search, without regard to core/consult.
const unmatched = readIntents(join(import.meta.dirname, 'finding', values.set)).filter(
  ({ right }) => right.length === 0,
)
let charged = 0
for (const { text } of unmatched) if ((await ask(text)).isCharged) charged += 1
write(`${charged} of ${unmatched.length} intents of bench/finding that no action fits were charged`)
