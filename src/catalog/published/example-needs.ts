/** What whoever copies an action's example puts in place of what it names, because nobody has just that. */
import type { Action } from '../vocabulary/define.ts'
import { inputSchema } from './json-schema.ts'

/** Parameters of the example, with where their values come from. */
export function exampleNeeds(action: Action): Readonly<Record<string, string>> {
  return Object.fromEntries(action.exampleNeeds.map((name) => [name, descriptionOf(action, name)]))
}

/** What a parameter is, to be said after a colon. */
export function paramInWords(action: Action, name: string): string {
  const description = descriptionOf(action, name)
  return `${description.charAt(0).toLowerCase()}${description.slice(1)}`
}

/** One sentence for each of them. */
export function exampleNeedsSentences(action: Action): string[] {
  return action.exampleNeeds.map(
    (name) => `Put in your own \`${name}\`: ${paramInWords(action, name)}`,
  )
}

function descriptionOf(action: Action, name: string): string {
  return inputSchema(action).properties?.[name]?.description ?? ''
}
