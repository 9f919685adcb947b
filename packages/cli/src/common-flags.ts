import { CONNECTION_FLAGS } from './connect/connect.ts'
import type { Flags } from './flags.ts'

/** Flags of every command. */
export const COMMON_FLAGS: Flags = {
  ...CONNECTION_FLAGS,
  json: { about: 'print JSON; the default for a pipe' },
  table: { about: 'print text for people, for a pipe, too' },
  quiet: { about: 'print no notes about price, charge and progress' },
  help: { about: 'show this help' },
}
