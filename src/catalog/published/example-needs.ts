/** The parameters of an example that callers must replace with values from an earlier call. */
import type { Action } from '../vocabulary/define.ts'
import { inputSchema } from './json-schema.ts'

/** Names of these parameters, each with its description. */
export function exampleNeeds(action: Action): Readonly<Record<string, string>> {
  return Object.fromEntries(action.exampleNeeds.map((name) => [name, descriptionOf(action, name)]))
}

/** The description of a parameter, as it follows a colon. */
export function describeParam(action: Action, name: string): string {
  const description = descriptionOf(action, name)
  return `${description.charAt(0).toLowerCase()}${description.slice(1)}`
}

/** One sentence for each of these parameters. */
export function exampleNeedsSentences(action: Action): string[] {
  return action.exampleNeeds.map(
    (name) => `Replace \`${name}\` with your own: ${describeParam(action, name)}`,
  )
}

function descriptionOf(action: Action, name: string): string {
  return inputSchema(action).properties?.[name]?.description ?? ''
}
