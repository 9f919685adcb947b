import { editDistance } from '../../lib/edit-distance.ts'
import type { Environment } from './settings-reader.ts'

export type Misspelled = { readonly name: string; readonly meant: string }

/**
 * Variables that are not settings but are spelled almost like one. A misspelled spending limit has
 * no effect, so the start warns. The shorter a name, the closer the match must be, because the
 * environment contains many names of other programs.
 */
export function misspelledSettings(
  environment: Environment,
  settings: readonly string[],
): Misspelled[] {
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
