import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Config } from '../../app/settings/config.ts'

/** One flag. `value` names its value, and is empty for a switch. */
export type Flag = { readonly value: string; readonly about: string; readonly required?: boolean }

/** Services for commands. Each opens on first use. */
export type Tools = {
  /** This machine's clock until the database is open, then the clock that all processes share. */
  readonly now: Clock
  /** Throws StartError for invalid settings. */
  readonly config: () => Config
  /** Opens or starts the database once. `runCli` closes it. */
  readonly database: () => Promise<Database>
}

/** `--json` prints `data`; otherwise `text` is printed. Exit code 1: the command found a problem. */
export type Report = { readonly data: unknown; readonly text: string; readonly exitCode?: 0 | 1 }

export type Input = {
  readonly flags: Readonly<Record<string, string | undefined>>
  /** Empty if it is omitted. */
  readonly operand: string
  readonly second?: string | undefined
}

/** A positional argument. */
export type Operand = {
  readonly value: string
  readonly about: string
  readonly isOptional?: boolean
}

export type Command = {
  /** One or two words. */
  readonly name: string
  readonly summary: string
  readonly flags: Readonly<Record<string, Flag>>
  readonly operand?: Operand
  readonly secondOperand?: Operand
  readonly example: string
  /** Whether the command may create a database. Other commands reject a DATA_DIR without one, because it is probably mistyped. */
  readonly createsDatabase?: boolean
  run(input: Input, tools: Tools): Promise<Report>
}

/** An invalid command line. The process prints the usage and exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly command: Command | undefined

  constructor(message: string, command?: Command) {
    super(message)
    this.command = command
  }
}
