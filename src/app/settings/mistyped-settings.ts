import { editDistance } from '../../lib/edit-distance.ts'
import type { Environment } from './settings-reader.ts'

export type Mistyped = { readonly name: string; readonly meant: string }

/**
 * Variables that nobody reads and that are spelled almost like a setting: a limit on spending that is misspelt does not
 * hold. The environment has many names of other programs, so the shorter a name is, the nearer it must come.
 */
export function mistypedSettings(
  environment: Environment,
  settings: readonly string[],
): Mistyped[] {
  return Object.keys(environment)
    .filter((name) => environment[name]?.trim() !== '' && !settings.includes(name))
    .flatMap((name) => {
      const meant = settings.find(
        (setting) => editDistance(name, setting, slipsIn(setting)) <= slipsIn(setting),
      )
      return meant === undefined ? [] : [{ name, meant }]
    })
}

function slipsIn({ length }: string): number {
  return length < 6 ? 0 : length < 10 ? 1 : length < 13 ? 2 : 3
}
