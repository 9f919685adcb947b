import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Config } from '../../app/settings/config.ts'

/** One flag with a value. */
export type Flag = { readonly value: string; readonly about: string; readonly required?: boolean }

/** What a command may use. Nothing is opened before it is asked for. */
export type Tools = {
  /** The time of the installation once the database is open, before that of this machine. */
  readonly now: Clock
  /** Throws StartError when the environment makes no sense. */
  readonly config: () => Config
  /** Opens, or starts, the database once. `main` closes it. */
  readonly database: () => Promise<Database>
}

/** `data` is printed with --json, `text` without. Exit code 1 tells of a problem that was found. */
export type Report = { readonly data: unknown; readonly text: string; readonly exitCode?: 0 | 1 }

export type Input = {
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly operand: string
}

export type Command = {
  /** One or two words, as they are typed. */
  readonly name: string
  readonly summary: string
  readonly flags: Readonly<Record<string, Flag>>
  /** The one thing that the command is about, where it takes one. */
  readonly operand?: { readonly value: string; readonly about: string }
  readonly example: string
  /** Tries whether a gateway could start, on a new DATA_DIR too. Others refuse one: it is likely a slip, and what they found there would be true of no gateway. */
  readonly makesDatabase?: boolean
  run(input: Input, tools: Tools): Promise<Report>
}

/** The command line itself is wrong: exit code 2, and a hint at the right one. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly command: Command | undefined

  constructor(message: string, command?: Command) {
    super(message)
    this.command = command
  }
}
