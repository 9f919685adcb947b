import { canonicalJson } from '../lib/canonical-json.ts'
import { isFields } from '../lib/json-fields.ts'

/** A JSON path such as "urls[0].title" where two values differ. An absent value is undefined. */
export type Difference = {
  readonly path: string
  readonly recorded: unknown
  readonly sent: unknown
}

export const MOST_DIFFERENCES = 50
/** Values below this depth are compared as a whole. */
const DEEPEST = 100

/** The first differences of two JSON values, in the order of the recorded one. */
export function compareJson(recorded: unknown, sent: unknown): Difference[] {
  const found: Difference[] = []
  compare(found, { path: '', recorded, sent }, 0)
  return found
}

function compare(found: Difference[], pair: Difference, depth: number): void {
  const { path, recorded, sent } = pair
  if (found.length >= MOST_DIFFERENCES || recorded === sent) return
  if (depth < DEEPEST && Array.isArray(recorded) && Array.isArray(sent)) {
    const longer = Math.max(recorded.length, sent.length)
    for (let place = 0; place < longer; place += 1)
      compare(
        found,
        { path: `${path}[${place}]`, recorded: recorded[place], sent: sent[place] },
        depth + 1,
      )
  } else if (depth < DEEPEST && isFields(recorded) && isFields(sent)) {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(sent)]))
      compare(
        found,
        { path: pathTo(path, name), recorded: own(recorded, name), sent: own(sent, name) },
        depth + 1,
      )
  } else if (canonicalJson(recorded) !== canonicalJson(sent)) found.push(pair)
}

function own(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function pathTo(parent: string, name: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) return `${parent}[${JSON.stringify(name)}]`
  return parent === '' ? name : `${parent}.${name}`
}
