/** Reads flags, allowed values and time windows of fields from the words of an intent. */
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import { stem } from '../../discover/stem.ts'
import type { Entities } from '../reading/entities.ts'
import { choicesOf, typeOf } from './slots.ts'

const WINDOW_SPELLINGS: readonly ((window: 'day' | 'week' | 'month' | 'year') => string)[] = [
  (window) => window,
  (window) => `p${window[0]}`,
  (window) => `qdr:${window[0]}`,
  (window) => `1${window[0]}`,
  (window) => (window === 'day' ? '24h' : window),
]

export function windowValue(
  { span }: Entities,
  schema: JsonSchema & { pattern?: string },
): unknown {
  const window = span?.window
  if (window === null || window === undefined) return undefined
  if (typeOf(schema) === 'integer')
    return span?.days ?? { day: 1, week: 7, month: 31, year: 365 }[window]
  const days = span?.days ?? 0
  const spellings = [
    `${days}d`,
    `last_${days}d`,
    ...(days % 30 === 0 ? [`${days / 30}m`, `last_${days / 30}m`] : []),
    ...WINDOW_SPELLINGS.map((spell) => spell(window)),
  ]
  const choices = choicesOf(schema)
  if (choices !== undefined) return spellings.find((spelling) => choices.includes(spelling))
  if (schema.pattern !== undefined)
    return spellings.find((spelling) => new RegExp(schema.pattern ?? '', 'u').test(spelling))
  return spellings.find((spelling) =>
    new RegExp(String.raw`\b${spelling}\b`).test(schema.description ?? ''),
  )
}

const FILLER = new Set([
  'include',
  'with',
  'is',
  'has',
  'only',
  'get',
  'return',
  'use',
  'enable',
  'show',
  'js',
  'text',
])

/** Whether the intent has every significant word of a name: "with their phone" has those of "include_phone". */
export function isMentioned(name: string, intent: string): boolean {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]/)
    .filter((word) => !FILLER.has(word))
  const spoken = new Set((intent.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).map(stem))
  return words.length > 0 && words.every((word) => spoken.has(stem(word)))
}

/** `actionName`: its words name the task and choose nothing, such as "fund" in signals/funding. */
export function choiceIn(schema: JsonSchema, intent: string, actionName = ''): unknown {
  const ofTask = toStems(actionName.replaceAll(/[-_]/g, ' ')).split(' ')
  const text = ` ${toStems(intent)} `
  const all = choicesOf(schema) ?? []
  const shared = sharedStart(all)
  const chosen = all.filter((choice) =>
    [choice, choice.slice(shared)].some(
      (word) =>
        word.length > 1 && !ofTask.includes(toStems(word)) && text.includes(` ${toStems(word)} `),
    ),
  )
  return chosen.length === 0 ? undefined : typeOf(schema) === 'array' ? chosen : chosen[0]
}

/** The length of the beginning that all choices share: 8 of "timelinevol" and "timelinetone". */
function sharedStart([first = '', ...others]: readonly string[]): number {
  let length = 0
  while (length < first.length && others.every((one) => one[length] === first[length])) length += 1
  return others.length > 0 && length > 3 ? length : 0
}

/** Stems, with letters and digits apart: "PHASE3" and "phase 3" are the same. */
function toStems(text: string): string {
  const words = text
    .toLowerCase()
    .replaceAll(/(?<=\p{L}{2})(?=\d)/gu, ' ')
    .match(/[\p{L}\d:]+/gu)
  return (words ?? []).map(stem).join(' ')
}
