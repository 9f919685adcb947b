import type { Connect } from './connect/connect.ts'
import type { Flags } from './flags.ts'
import type { Given } from './input/read-words.ts'
import type { Terminal } from './terminal.ts'

/** `text` is for people, `data` for programs. Null: the command has printed its output. */
export type Report = {
  readonly data: unknown
  readonly text: string
  /** Fields next to `data` in the JSON output. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** Of a command that reads the flags after its operand itself. */
  readonly wantsJson?: boolean
} | null

export type Deps = {
  readonly terminal: Terminal
  readonly connect: Connect
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Whether the output is JSON: with --json, or for a pipe without --table. */
  readonly wantsJson: boolean
  readonly isQuiet: boolean
}

export type Command = {
  /** One or two words. */
  readonly name: string
  readonly summary: string
  readonly flags: Flags
  /** The positional argument. */
  readonly operand?: {
    readonly value: string
    readonly about: string
    readonly isOptional?: true
    /** Whether it can be repeated. */
    readonly isList?: true
  }
  /** Without the name of the program. */
  readonly example: string
  /** Whether words after the operand belong to the command: they are not read as its flags. */
  readonly readsRest?: true
  /** Printed for a pipe, too: the command's output is text, not data. */
  readonly isText?: true
  run(given: Given, deps: Deps): Promise<Report>
}
