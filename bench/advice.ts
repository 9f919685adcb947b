/**
 * `npx node bench/advice.ts`: judges core/consult by the values of its calls, on the intents that the rules were not
 * developed with. Prints only scores. `--half tune` reads the other half, and `--failures` prints its failures.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { ValueVerdict } from './consult/judge-values.ts'
import { judgeValues, type WholeAnswer } from './consult/judge-values.ts'
import { readValueCases, type ValueCase } from './consult/read-values.ts'
import { prepareConsult } from './consult/under-test.ts'

const { values } = parseArgs({
  options: { half: { type: 'string', default: 'held' }, failures: { type: 'boolean' } },
})
const half = values.half === 'tune' ? 'tune' : 'held'
if (values.failures === true && half === 'held')
  throw new RangeError('Failures of the held half stay unread. Use --half tune.')

type Row = {
  readonly expected: ValueCase
  readonly answer: WholeAnswer
  readonly verdict: ValueVerdict
}
const ask = prepareConsult().withModel(null)
const rows: Row[] = []
for (const expected of readValueCases(join(import.meta.dirname, 'consult'), half)) {
  const answer = await ask(expected.intent)
  rows.push({ expected, answer, verdict: judgeValues(expected, answer) })
}

const VERDICTS = ['right', 'offered', 'question', 'nothing', 'wrong', 'dropped'] as const
const isUnanswerable = ({ expected }: Row): boolean =>
  expected.steps[0]?.expected.isUnanswerable === true
const groups: readonly (readonly [string, readonly Row[]])[] = [
  ['one task', rows.filter((row) => row.expected.steps.length === 1 && !isUnanswerable(row))],
  [
    'one task, other languages',
    rows.filter(
      (row) =>
        row.expected.steps.length === 1 && !isUnanswerable(row) && row.expected.language !== 'en',
    ),
  ],
  ['two tasks', rows.filter(({ expected }) => expected.steps.length === 2)],
  ['no action fits', rows.filter(isUnanswerable)],
]
const write = (line: string): void => void process.stdout.write(`${line}\n`)
if (values.failures === true)
  for (const { expected, answer, verdict } of rows.filter((row) => row.verdict !== 'right'))
    write(
      `${verdict}\t${expected.intent}\t${answer.question ?? ''}\t${answer.calls.map(({ service, action, params }) => `${service}/${action} ${JSON.stringify(params)}`).join(' + ')}\t${answer.offered
        .slice(0, 3)
        .map(({ service, action, endpoint }) => `${service}/${action}${endpoint ?? ''}`)
        .join(' ')}\t${answer.leftOut.join(' / ')}`,
    )
write(
  '| Intents | Number | Right | Right action offered | Other question | Nothing | Wrong | Second task dropped | Charged |',
)
write('|---|---|---|---|---|---|---|---|---|')
for (const [name, of] of groups)
  write(
    `| ${name} | ${of.length} | ${VERDICTS.map((kind) => {
      const count = of.filter(({ verdict }) => verdict === kind).length
      return `${count} (${(count / of.length).toFixed(3)})`
    }).join(' | ')} | ${of.filter(({ answer }) => answer.isCharged).length} |`,
  )
