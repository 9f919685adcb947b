/**
 * Validates values against the schemas of the catalog: input strictly and with defaults, a vendor's
 * reply leniently.
 */
import {
  _,
  Ajv2020,
  type ErrorObject,
  type FuncKeywordDefinition,
  type Options,
  type ValidateFunction,
} from 'ajv/dist/2020.js'
import type { TSchema } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { isFields } from '../../lib/json-fields.ts'
import type { Ended } from '../vocabulary/fields.ts'
import type { Data } from '../vocabulary/outcome.ts'
import { endedProblem } from './describe-problem.ts'
import { explain, unknownChoice, type Problem } from './problems.ts'

export type Validator = {
  /**
   * Returns a copy of the input with defaults. Throws AppError invalid_params with `param` and
   * `fix` of the first problem and up to ten problems in `details.problems`.
   */
  readonly validate: (schema: TSchema, value: unknown) => Data
  /** Whether a vendor's reply fits its schema. Changes nothing. */
  readonly matches: (schema: TSchema, value: unknown) => boolean
}

/** Deeper than any sensible input, and safe for every later recursion. */
const MAX_DEPTH = 100
const MAX_PROBLEMS = 10
/**
 * With more values only the first problem is searched: a large hostile body must not cause a large
 * report.
 */
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
  const check = compileLazily({ ...strict, useDefaults: true })
  const explainAll = compileLazily(
    { ...strict, useDefaults: true, allErrors: true, verbose: true },
    PATTERN_UP_TO_MAX_LENGTH,
  )
  const explainFirst = compileLazily({ ...strict, useDefaults: true, verbose: true })
  const lenient = compileLazily(strict)
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
    const chosen = chooseBranch(schema, choices(schema), copy)
    if (errorsOf(check(chosen), copy) === null) return copy
    const explainer = (count > MAX_VALUES_TO_EXPLAIN ? explainFirst : explainAll)(chosen)
    throw invalid(explain(chosen, errorsOf(explainer, copy) ?? []))
  }
  return { validate, matches: (schema, value) => errorsOf(lenient(schema), value) === null }
}

/**
 * Returns null if the value fits. A compiled check stores its last findings with the whole input,
 * up to a megabyte per action, so they are removed.
 */
function errorsOf(compiled: ValidateFunction, value: unknown): readonly ErrorObject[] | null {
  const fits = compiled(value)
  const { errors } = compiled
  compiled.errors = null
  return fits ? null : (errors ?? [])
}

function invalid(problems: readonly Problem[]): AppError {
  const [first] = problems
  const reported = problems.slice(0, MAX_PROBLEMS)
  const more =
    problems.length > 1 ? ` This is one of ${problems.length} problems; see details.problems.` : ''
  return new AppError(
    'invalid_params',
    `${first?.message ?? 'The input does not fit this action.'}${more}`,
    {
      param: first?.param === '' ? undefined : first?.param,
      fix: first?.fix,
      details: { problems: reported },
    },
  )
}

// ---------------------------------------------------------------- compiling

const MAX_UNITS_PER_CHARACTER = 2

/**
 * Skips the pattern check of a text that is already too long. Some patterns take quadratic time,
 * and a body can contain a million characters. A check that reports one problem only stops at the
 * length anyway.
 */
const PATTERN_UP_TO_MAX_LENGTH: FuncKeywordDefinition = {
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
    return (text: string) => text.length > maxLength * MAX_UNITS_PER_CHARACTER || form.test(text)
  },
}

/**
 * Compiles on first use. The compiled check lives as long as its schema. `instead` replaces a
 * keyword.
 */
function compileLazily(
  options: Options,
  instead?: FuncKeywordDefinition,
): (schema: TSchema) => ValidateFunction {
  const ajv = new Ajv2020(options)
  if (instead !== undefined) ajv.removeKeyword(String(instead.keyword)).addKeyword(instead)
  // Documents the rule of the action's `check` and validates nothing here.
  ajv.addKeyword('checkedOneOf')
  // Names successors in a rejection and validates nothing.
  ajv.addKeyword('ended')
  return rememberPerSchema((schema) => {
    const compiled = ajv.compile(schema)
    // Ajv stores every schema; only the WeakMap should.
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

type Choice = {
  readonly tag: string
  readonly branches: ReadonlyMap<string, TSchema>
  readonly ended?: Ended
}

const CHOICE_KEYWORDS = new Set([
  'type',
  'required',
  'discriminator',
  'oneOf',
  'ended',
  'title',
  'description',
])

/**
 * Compiles a choice by one field branch by branch, on first use. A passthrough has hundreds of
 * branches, one per endpoint.
 */
function readChoice(schema: TSchema): Choice | undefined {
  const { discriminator, oneOf, ended } = schema as {
    discriminator?: { propertyName: string }
    oneOf?: readonly TSchema[]
    ended?: Ended
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
  return { tag: discriminator.propertyName, branches, ...(ended === undefined ? {} : { ended }) }
}

function chooseBranch(schema: TSchema, choice: Choice | undefined, value: Data): TSchema {
  if (choice === undefined) return schema
  const named = value[choice.tag]
  const branch = typeof named === 'string' ? choice.branches.get(named) : undefined
  if (branch === undefined)
    throw invalid([
      endedProblem(choice.tag, named, choice.ended) ??
        unknownChoice(choice.tag, named, [...choice.branches.keys()]),
    ])
  return branch
}

// ---------------------------------------------------------------- copying

type Counter = { count: number; hasLoneSurrogate: boolean }

/**
 * A copy to fill defaults into. Throws AppError invalid_params if the input is nested too deeply or
 * contains half of a character.
 */
function copyJson(value: unknown): { copy: unknown; count: number } {
  const counter: Counter = { count: 0, hasLoneSurrogate: false }
  const copy = copyValue(value, 0, counter)
  // Neither a URL nor the database can contain it.
  if (counter.hasLoneSurrogate)
    throw invalid([findLoneSurrogate(copy, '')].filter((problem) => problem !== undefined))
  return { copy, count: counter.count }
}

/** Names the first text that was cut in the middle of a character. */
function findLoneSurrogate(value: unknown, param: string): Problem | undefined {
  if (typeof value === 'string')
    return value.isWellFormed()
      ? undefined
      : {
          param,
          message: `"${param}" contains half of a character (a lone surrogate).`,
          fix: 'Cut text between characters.',
        }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, item] of Object.entries(value)) {
    const problem = findLoneSurrogate(
      item,
      Array.isArray(value) ? `${param}[${name}]` : param === '' ? name : `${param}.${name}`,
    )
    if (problem !== undefined) return problem
  }
  return undefined
}

function copyValue(value: unknown, depth: number, counter: Counter): unknown {
  counter.count += 1
  if (typeof value === 'string') counter.hasLoneSurrogate ||= !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH)
    throw invalid([
      {
        param: '',
        message: `The input is nested deeper than ${MAX_DEPTH} levels.`,
        fix: 'Send less deeply nested input.',
      },
    ])
  if (Array.isArray(value)) return value.map((item) => copyValue(item, depth + 1, counter))
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const item = (value as Data)[key]
    if (item === undefined) continue
    const copied = copyValue(item, depth + 1, counter)
    // Assigning `__proto__` would set the copy's prototype and hide the field from the check.
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
