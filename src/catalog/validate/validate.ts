/** Checks values against the schemas of the catalog: input strictly and with defaults, a vendor's reply leniently. */
import {
  _,
  Ajv2020,
  type ErrorObject,
  type FuncKeywordDefinition,
  type Options,
  type ValidateFunction,
} from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { AppError } from '../../errors/app-error.ts'
import { isFields } from '../../lib/json-fields.ts'
import type { Data } from '../vocabulary/outcome.ts'
import { explain, unknownChoice, type Problem } from './problems.ts'

export type Validator = {
  /**
   * The input with defaults filled in; what was passed stays as it was. Throws AppError invalid_params with `param`
   * and `fix` of the first problem and all of them (at most ten) in `details.problems`.
   */
  readonly validate: (schema: TSchema, value: unknown) => Data
  /** Whether a vendor's reply has what its schema asks for. Changes nothing. */
  readonly matches: (schema: TSchema, value: unknown) => boolean
}

/** Deeper than any sensible input, and shallow enough for whatever walks it later. */
const MAX_DEPTH = 100
const MAX_PROBLEMS = 10
/** Above this many values only the first problem is looked for: a large hostile body must not buy a large report. */
const MAX_VALUES_TO_EXPLAIN = 2_000

const strict: Options = {
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  discriminator: true,
  coerceTypes: false,
  logger: false,
}

export function createValidator(): Validator {
  const check = lazily({ ...strict, useDefaults: true })
  const explainAll = lazily(
    { ...strict, useDefaults: true, allErrors: true, verbose: true },
    PATTERN_OF_SHORT_TEXTS,
  )
  const explainFirst = lazily({ ...strict, useDefaults: true, verbose: true })
  const lenient = lazily(strict)
  const choices = rememberPerSchema(readChoice)

  const validate = (schema: TSchema, value: unknown): Data => {
    const { copy, count } = copyJson(value)
    if (!isFields(copy))
      throw invalid([
        {
          param: '',
          message: 'The input must be a JSON object.',
          fix: 'Send the parameters as one JSON object: {"name": value, …}.',
        },
      ])
    const chosen = choose(schema, choices(schema), copy)
    if (errorsOf(check(chosen), copy) === null) return copy
    const explaining = (count > MAX_VALUES_TO_EXPLAIN ? explainFirst : explainAll)(chosen)
    throw invalid(explain(chosen, errorsOf(explaining, copy) ?? []))
  }
  return { validate, matches: (schema, value) => errorsOf(lenient(schema), value) === null }
}

/** Null when it fits. A compiled check keeps its last findings, and with them all of what it was given: a megabyte for every action and endpoint. */
function errorsOf(compiled: ValidateFunction, value: unknown): readonly ErrorObject[] | null {
  const fits = compiled(value)
  const { errors } = compiled
  compiled.errors = null
  return fits ? null : (errors ?? [])
}

function invalid(problems: readonly Problem[]): AppError {
  const [first] = problems
  const shown = problems.slice(0, MAX_PROBLEMS)
  const more =
    problems.length > 1 ? ` This is one of ${problems.length} problems; see details.problems.` : ''
  return new AppError(
    'invalid_params',
    `${first?.message ?? 'The input does not fit this action.'}${more}`,
    {
      param: first?.param === '' ? undefined : first?.param,
      fix: first?.fix,
      details: { problems: shown },
    },
  )
}

// ---------------------------------------------------------------- compiling

const MOST_UNITS_OF_A_CHARACTER = 2

/**
 * Of a text that is too long already, its form is not asked for as well: for some patterns the time grows with the square
 * of the length, and a body has room for a million characters. Who looks for one problem alone stops at the length.
 */
const PATTERN_OF_SHORT_TEXTS: FuncKeywordDefinition = {
  keyword: 'pattern',
  type: 'string',
  schemaType: 'string',
  error: {
    message: 'must match the pattern',
    params: ({ schemaCode }) => _`{pattern: ${schemaCode}}`,
  },
  compile(pattern: string, schema: object) {
    const { maxLength = Number.POSITIVE_INFINITY } = schema as { readonly maxLength?: number }
    const form = new RegExp(pattern, 'u')
    return (text: string) => text.length > maxLength * MOST_UNITS_OF_A_CHARACTER || form.test(text)
  },
}

/** Compiles on first use; the compiled check lives as long as its schema. `instead` takes the place of a keyword. */
function lazily(
  options: Options,
  instead?: FuncKeywordDefinition,
): (schema: TSchema) => ValidateFunction {
  const ajv = new Ajv2020(options)
  if (instead !== undefined) ajv.removeKeyword(String(instead.keyword)).addKeyword(instead)
  // Says for readers what the action's `check` demands; here it demands nothing.
  ajv.addKeyword('checkedOneOf')
  return rememberPerSchema((schema) => {
    const compiled = ajv.compile(schema)
    // Ajv keeps every schema it has seen; the WeakMap is the only memory wanted here.
    ajv.removeSchema(schema)
    return compiled
  })
}

function rememberPerSchema<Value>(make: (schema: TSchema) => Value): (schema: TSchema) => Value {
  const known = new WeakMap<TSchema, { readonly value: Value }>()
  return (schema) => {
    const found = known.get(schema)
    if (found !== undefined) return found.value
    const value = make(schema)
    known.set(schema, { value })
    return value
  }
}

// ---------------------------------------------------------------- choices

type Choice = { readonly tag: string; readonly branches: ReadonlyMap<string, TSchema> }

const CHOICE_KEYWORDS = new Set([
  'type',
  'required',
  'discriminator',
  'oneOf',
  'title',
  'description',
])

/**
 * A schema that is nothing but a choice by one field (the endpoints of a passthrough, hundreds of them) is compiled
 * branch by branch, when a branch is first used.
 */
function readChoice(schema: TSchema): Choice | undefined {
  const { discriminator, oneOf } = schema as {
    discriminator?: { propertyName: string }
    oneOf?: readonly TSchema[]
  }
  if (discriminator === undefined || oneOf === undefined) return undefined
  if (Object.keys(schema).some((keyword) => !CHOICE_KEYWORDS.has(keyword))) return undefined
  const branches = new Map<string, TSchema>()
  for (const branch of oneOf) {
    const { properties } = branch as { properties?: Record<string, { const?: unknown }> }
    const value = properties?.[discriminator.propertyName]?.const
    if (typeof value !== 'string') return undefined
    branches.set(value, branch)
  }
  return { tag: discriminator.propertyName, branches }
}

function choose(schema: TSchema, choice: Choice | undefined, value: Data): TSchema {
  if (choice === undefined) return schema
  const named = value[choice.tag]
  const branch = typeof named === 'string' ? choice.branches.get(named) : undefined
  if (branch === undefined)
    throw invalid([unknownChoice(choice.tag, named, [...choice.branches.keys()])])
  return branch
}

// ---------------------------------------------------------------- copying

type Counter = { count: number; hasHalves: boolean }

/** A copy to fill defaults into. Throws AppError invalid_params for input that is nested beyond reason or holds half of a character. */
function copyJson(value: unknown): { copy: unknown; count: number } {
  const counter: Counter = { count: 0, hasHalves: false }
  const copy = copyValue(value, 0, counter)
  // It cannot be sent in an address, nor kept in the database.
  if (counter.hasHalves)
    throw invalid([halfCharacter(copy, '')].filter((problem) => problem !== undefined))
  return { copy, count: counter.count }
}

/** Names the first text that a cut left with half of a character. */
function halfCharacter(value: unknown, param: string): Problem | undefined {
  if (typeof value === 'string')
    return value.isWellFormed()
      ? undefined
      : {
          param,
          message: `"${param}" holds half of a character (a surrogate alone).`,
          fix: 'Cut texts between characters, not within one.',
        }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, item] of Object.entries(value)) {
    const problem = halfCharacter(
      item,
      Array.isArray(value) ? `${param}[${name}]` : param === '' ? name : `${param}.${name}`,
    )
    if (problem !== undefined) return problem
  }
  return undefined
}

function copyValue(value: unknown, depth: number, counter: Counter): unknown {
  counter.count += 1
  if (typeof value === 'string') counter.hasHalves ||= !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH)
    throw invalid([
      {
        param: '',
        message: `The input is nested deeper than ${MAX_DEPTH} levels.`,
        fix: 'Send flatter input.',
      },
    ])
  if (Array.isArray(value)) return value.map((item) => copyValue(item, depth + 1, counter))
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const item = (value as Data)[key]
    if (item === undefined) continue
    const copied = copyValue(item, depth + 1, counter)
    // Assigning this one name would set the copy's prototype and hide the field from the check.
    if (key === '__proto__')
      Object.defineProperty(copy, key, {
        value: copied,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    else copy[key] = copied
  }
  return copy
}
