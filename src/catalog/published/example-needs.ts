/** What whoever copies an action's example puts in place of what it names, because nobody has just that. */
import type { Action } from '../define.ts'
import { inputSchema } from './json-schema.ts'

/** Parameters of the example, with where their values come from. */
export function exampleNeeds(action: Action): Readonly<Record<string, string>> {
  const { properties = {} } = inputSchema(action)
  return Object.fromEntries(action.exampleNeeds.map((name) => [name, properties[name]?.description ?? '']))
}

/** One sentence for each of them. */
export function exampleNeedsSentences(action: Action): string[] {
  return Object.entries(exampleNeeds(action)).map(([name, description]) => `Put in your own \`${name}\`: ${description.charAt(0).toLowerCase()}${description.slice(1)}`)
}
