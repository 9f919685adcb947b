import type { Config } from '../../../app/settings/config.ts'
import { missing, type Check } from './check.ts'

/** A misspelt setting would otherwise be ignored without a word. */
export function checkSettings({ mistyped }: Pick<Config, 'mistyped'>): Check[] {
  return mistyped.map(({ name, meant }) =>
    missing(
      `setting ${name}`,
      'is no setting and does nothing',
      `Correct it to ${meant}, or remove it.`,
    ),
  )
}
