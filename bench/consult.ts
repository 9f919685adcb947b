/**
 * `npx node bench/consult.ts`: how often core/consult recommends a right call or asks a right question for
 * the intents in `bench/consult/test.tsv`. Prints only scores, so that a change is not tuned to single
 * intents. `--set fresh` reads the intents that no total was compared for while the rules changed, `--set train` those
 * for tuning; `--failures` then prints the failures. `--models` compares with simulated language models.
 */
import { parseArgs } from 'node:util'
import { join } from 'node:path'
import type { Complete } from '../src/composites/shared/complete.ts'
import { readIntents } from './finding/read-intents.ts'
import { judge, type Answer, type Verdict } from './consult/judge.ts'
import { readCases, type Case } from './consult/read-cases.ts'
import { SIMULATED_MODELS, simulateModel } from './consult/simulated-model.ts'
import { prepareConsult } from './consult/under-test.ts'

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'test' },
    failures: { type: 'boolean' },
    models: { type: 'boolean' },
  },
})
if (values.failures === true && values.set !== 'train')
  throw new RangeError('Failures of the test set stay unread. Use --set train.')
const consult = prepareConsult()

type Judged = { readonly expected: Case; readonly answer: Answer; readonly verdict: Verdict }

async function judgeAll(complete: Complete | null): Promise<Judged[]> {
  const ask = consult.withModel(complete)
  const judged: Judged[] = []
  for (const expected of cases) {
    const answer = await ask(expected.intent)
    judged.push({ expected, answer, verdict: judge(expected, answer) })
  }
  return judged
}

const cases = readCases(join(import.meta.dirname, 'consult'), values.set)
const from = performance.now()
const verdicts = await judgeAll(null)
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

if (values.models === true) {
  write(
    '\n| Model | Right | Right action offered | Wrong advice | Charged without a match |\n|---|---|---|---|---|',
  )
  for (const model of ['none', ...SIMULATED_MODELS] as const) {
    const rows = model === 'none' ? verdicts : await judgeAll(simulateModel(model, cases))
    const paid = rows.filter(({ expected, answer }) => expected.isUnanswerable && answer.isCharged)
    write(
      `| ${model} | ${(['right', 'offered', 'wrong'] as const).map((kind) => share(count(rows, kind), rows)).join(' | ')} | ${paid.length} |`,
    )
  }
}

// Written for the action search, without regard to core/consult.
const unmatched = readIntents(
  join(import.meta.dirname, 'finding', values.set === 'train' ? 'train' : 'test'),
).filter(({ right }) => right.length === 0)
const plain = consult.withModel(null)
let charged = 0
for (const { text } of unmatched) {
  const { isCharged, calls } = await plain(text)
  if (isCharged) charged += 1
  if (isCharged && values.failures === true) write(`charged\t${text}\t${JSON.stringify(calls)}`)
}
write(`${charged} of ${unmatched.length} intents of bench/finding that no action fits were charged`)
