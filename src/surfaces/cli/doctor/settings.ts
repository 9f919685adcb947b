import type { Config } from '../../../app/settings/config.ts'
import { missing, type Check } from './check.ts'

/** Reports settings with a misspelled name, which the gateway ignores. */
export function checkSettings({ mistyped }: Pick<Config, 'mistyped'>): Check[] {
  return mistyped.map(({ name, meant }) =>
    missing(
      `setting ${name}`,
      'unknown setting without effect',
      `Correct it to ${meant}, or remove it.`,
    ),
  )
}
