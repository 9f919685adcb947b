import type { Deps } from './command.ts'
import { createConnect } from './connect/connect.ts'
import type { FlagValues } from './input/read-words.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export const isOn = (flags: FlagValues, name: string): boolean => flags[name]?.at(-1) === 'true'

/** Throws UsageError for flags that exclude each other. */
export function createDeps(terminal: Terminal, flags: FlagValues, signal: AbortSignal): Deps {
  if (isOn(flags, 'json') && isOn(flags, 'table'))
    throw new UsageError('--json and --table exclude each other.', 'Write one of them.')
  const isQuiet = isOn(flags, 'quiet')
  return {
    terminal: isQuiet ? { ...terminal, errColumns: null } : terminal,
    connect: createConnect(terminal, flags),
    signal,
    wantsJson: wantsJson(terminal, flags),
    isQuiet,
  }
}

export function wantsJson({ outColumns }: Terminal, flags: FlagValues): boolean {
  return isOn(flags, 'json') || (outColumns === null && !isOn(flags, 'table'))
}
