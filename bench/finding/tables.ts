/** Tables of judged intents, in Markdown. */
import type { Intent } from './read-intents.ts'

export type Judged = {
  readonly intent: Intent
  /** Best first. */
  readonly hits: readonly {
    readonly target: string
    readonly isRight: boolean
    readonly probability: number
    readonly isSure: boolean
  }[]
}

type Test = (one: Judged) => boolean

const isAnswerable: Test = ({ intent }) => intent.right.length > 0
const isFirstRight: Test = ({ hits }) => hits[0]?.isRight === true
const isThirdRight: Test = ({ hits }) => hits.slice(0, 3).some(({ isRight }) => isRight)
const isUnsure: Test = ({ hits }) => hits[0]?.isSure !== true

export function groupOf({ right, hasTypos, language }: Intent): string {
  if (right.length === 0) return 'no action fits'
  if (hasTypos) return 'English with typos'
  return language === 'en' ? 'English' : 'other languages'
}

/** The scores of each group of intents. */
export function groupTable(judged: readonly Judged[]): string {
  const groups = [...Map.groupBy(judged, ({ intent }) => groupOf(intent))]
  const answerable = ['all that an action fits', judged.filter(isAnswerable)] as const
  const rows = [answerable, ...groups]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([name, members]) => [
      name,
      String(members.length),
      shareOf(members, isFirstRight),
      shareOf(members, isThirdRight),
      shareOf(members, isUnsure),
    ])
  return table(['Intents', 'Number', 'hit@1', 'hit@3', 'no sure hit'], rows)
}

/** Where the first hit of each category's intents goes. */
export function categoryTable(
  judged: readonly Judged[],
  categories: ReadonlyMap<string, string>,
): string {
  const categoryOf = (target: string): string => categories.get(target.split('/')[0] ?? '') ?? ''
  const groups = Map.groupBy(judged.filter(isAnswerable), ({ intent }) => categoryOf(intent.block))
  const rows = [...groups]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([category, members]) => {
      const outcomes = members.map((one) => outcomeOf(one, categoryOf))
      const count = (outcome: Outcome): string =>
        String(outcomes.filter((other) => other === outcome).length)
      return [category, String(members.length), ...OUTCOMES.map(count)]
    })
  return table(['Category of the intent', 'Number', ...OUTCOMES], rows)
}

const OUTCOMES = [
  'right',
  'right as second or third',
  'same service',
  'same category',
  'other category',
  'no hit',
] as const
type Outcome = (typeof OUTCOMES)[number]

function outcomeOf(one: Judged, categoryOf: (target: string) => string): Outcome {
  const [first] = one.hits
  if (first === undefined) return 'no hit'
  if (first.isRight) return 'right'
  if (isThirdRight(one)) return 'right as second or third'
  const isSame = (read: (target: string) => string): boolean =>
    one.intent.right.some((target) => read(target) === read(first.target))
  if (isSame((target) => target.split('/')[0] ?? '')) return 'same service'
  return isSame(categoryOf) ? 'same category' : 'other category'
}

const STEPS = [0, 0.1, 0.3, 0.5, 0.7, 0.9]

/** The stated probability of first hits next to the share that is right. */
export function calibrationTable(judged: readonly Judged[]): string {
  const firsts = judged.flatMap(({ hits: [first] }) => (first === undefined ? [] : [first]))
  const rows = STEPS.map((from, at) => {
    const to = STEPS[at + 1] ?? 1.01
    const members = firsts.filter(({ probability }) => probability >= from && probability < to)
    const mean =
      members.reduce((sum, { probability }) => sum + probability, 0) / Math.max(1, members.length)
    return [
      `${from}–${Math.min(1, to)}`,
      String(members.length),
      mean.toFixed(2),
      shareOf(members, ({ isRight }) => isRight),
    ]
  })
  return table(['Probability of the first hit', 'Number', 'mean', 'right'], rows)
}

function shareOf<T>(members: readonly T[], isTrue: (one: T) => boolean): string {
  return members.length === 0 ? '–' : (members.filter(isTrue).length / members.length).toFixed(2)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
