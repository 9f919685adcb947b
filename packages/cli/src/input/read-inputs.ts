/** Reads the words after the action of `run`: inputs of the action, and flags of the command. */
import { readFileSync } from 'node:fs'
import type { Flags } from '../flags.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { inputsOf, type Descriptor, type Schema } from './descriptor.ts'
import {
  findInput,
  flagOf,
  isListInput,
  isSwitchInput,
  kindsOf,
  readValues,
} from './input-flags.ts'
import { readWords, unknownFlag, type FlagValues, type ReadFlag } from './read-words.ts'

export type Inputs = Readonly<Record<string, unknown>>
export type ActionLine = { readonly flags: FlagValues; readonly inputs: Inputs }

/** Marks names of inputs among the flags that are read. */
const INPUT = 'input:'
const NOT = 'not:'

/** Inputs of the action win over flags of the same name. Throws UsageError. */
export function readInputs(
  words: readonly string[],
  action: string,
  descriptor: Descriptor,
  flags: Flags,
): ActionLine {
  const inputs: Readonly<Record<string, Schema>> = {
    ...inputsOf(descriptor),
    ...descriptor.call_params,
  }
  const names = Object.keys(inputs)
  const find = (name: string): ReadFlag | undefined => {
    const input = findInput(name, names)
    if (input !== undefined) return inputFlag(INPUT, input, inputs[input] ?? {})
    const known = name === 'h' ? 'help' : name.replaceAll('_', '-')
    const flag = Object.hasOwn(flags, known) ? flags[known] : undefined
    if (flag !== undefined)
      return { name: known, isSwitch: flag.value === undefined, isList: flag.isList === true }
    const negated = name.startsWith('no-') ? findInput(name.slice(3), names) : undefined
    if (negated === undefined || !isSwitchInput(inputs[negated] ?? {})) return undefined
    return inputFlag(NOT, negated, { type: 'boolean' })
  }
  const onUnknown = (typed: string): never =>
    unknownFlag(typed, [...names.map(flagOf), ...Object.keys(flags)], action)
  const { flags: read, operands } = readWords(words, { find, onUnknown })
  if (operands[0] !== undefined)
    throw new UsageError(
      `Unexpected "${operands[0]}" for ${action}.`,
      `Name the input, such as --${flagOf(descriptor.required_params[0] ?? names[0] ?? 'input')} ${operands[0]}.`,
    )
  return separate(read, inputs)
}

function inputFlag(mark: string, name: string, schema: Schema): ReadFlag {
  return {
    name: mark + name,
    isSwitch: isSwitchInput(schema),
    isList: isListInput(schema),
    mayBeBare: kindsOf(schema).includes('boolean'),
  }
}

function separate(read: FlagValues, schemas: Readonly<Record<string, Schema>>): ActionLine {
  const flags: Record<string, readonly string[]> = {}
  const inputs: Record<string, unknown> = {}
  for (const [marked, texts] of Object.entries(read)) {
    const name = marked.slice(marked.indexOf(':') + 1)
    if (marked.startsWith(NOT)) inputs[name] = texts[0] === 'false'
    else if (marked.startsWith(INPUT))
      inputs[name] = readValues(flagOf(name), schemas[name] ?? {}, texts)
    else flags[marked] = texts
  }
  return { flags, inputs }
}

/** The JSON object of a file, or of the standard input for "-". Throws UsageError. */
export async function readInputFile(path: string, { readInput }: Terminal): Promise<Inputs> {
  const source = path === '-' ? 'The standard input' : path
  const text = path === '-' ? await readInput() : readText(path)
  if (text === null)
    throw new UsageError('--input - reads JSON from a pipe.', 'Write: cat input.json | … --input -')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${source} is not valid JSON: ${(error as Error).message}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Inputs
  throw new UsageError(`${source} must have a JSON object with the inputs of the action.`)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`Could not read ${path}: ${(error as Error).message}`)
  }
}
