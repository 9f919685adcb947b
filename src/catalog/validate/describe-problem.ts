/** Turns one finding of the validator into a sentence: which field, the mistake, and the fix. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { fieldsOf } from '../../lib/json-fields.ts'
import { expectation, listed, quoted, type Schema } from './expectation.ts'
import { joinPath, nearestDescription, propertyOf, toPath } from './schema-path.ts'
import { suggest } from './suggest.ts'

export type Problem = {
  /** JSON path of the field, such as "urls[2]" or "contents.text"; empty for the input itself. */
  readonly param: string
  readonly message: string
  readonly fix: string
}

export function toProblem(error: ErrorObject, all: readonly ErrorObject[], root: Schema): Problem {
  const path = toPath(error.instancePath)
  const schema: Schema = error.parentSchema ?? {}
  switch (error.keyword) {
    case 'required':
      return missing(
        joinPath(path, String(error.params['missingProperty'])),
        propertyOf(schema, String(error.params['missingProperty'])),
      )
    case 'additionalProperties':
      return (
        wrappedIn(error) ??
        unknownField(
          path,
          String(error.params['additionalProperty']),
          schema,
          all.filter(({ instancePath }) => instancePath === error.instancePath),
        )
      )
    case 'enum':
      return notAllowed(path, error.data, error.params['allowedValues'] as readonly unknown[])
    case 'const':
      return notAllowed(path, error.data, [error.params['allowedValue']])
    case 'anyOf':
    case 'oneOf':
      return noAlternative(path, error)
    case 'pattern':
      if (isRightWithoutControls(error))
        return {
          param: path,
          message: `${subject(path)} holds a line break or another control character.`,
          fix: `Send "${path}" without it.`,
        }
      return {
        param: path,
        message: `${subject(path)} ${verdict(error)}.`,
        fix: `Send "${path}" as described: ${nearestDescription(root, error.instancePath) ?? expectation(schema)}`,
      }
    default:
      return {
        param: path,
        message: `${subject(path)} ${verdict(error)}.`,
        fix: `Send ${path === '' ? 'the input' : `"${path}"`} as ${expectation(schema)}.${asMeant(error)}`,
      }
  }
}

const LONGEST_SHOWN = 80

/** What was sent, in the form that it should have; empty when that is anybody's guess. */
function asMeant({ keyword, params, data }: ErrorObject): string {
  if (
    keyword !== 'type' ||
    (typeof data !== 'string' && typeof data !== 'number') ||
    String(data).length > LONGEST_SHOWN
  )
    return ''
  switch (params['type']) {
    case 'array':
      return ` For one: [${quoted(data)}].`
    case 'integer':
    case 'number':
      return /^-?[0-9]{1,15}$/.test(String(data)) ? ` Without quotes: ${data}.` : ''
    case 'boolean':
      return data === 'true' || data === 'false' ? ` Without quotes: ${data}.` : ''
    default:
      return ''
  }
}

function missing(param: string, schema: Schema): Problem {
  const { description } = schema
  return {
    param,
    message: `"${param}" is required.`,
    fix: `Add "${param}", ${expectation(schema)}${typeof description === 'string' ? `: ${description}` : '.'}`,
  }
}

const LONGEST_NAME = 80

export function wrappedIn({
  instancePath,
  params,
  parentSchema = {},
  data,
}: ErrorObject): Problem | undefined {
  return wrapped(toPath(instancePath), String(params['additionalProperty']), parentSchema, data)
}

/** All that is asked for, put into a field of its own, as core/consult shows it under "params". */
function wrapped(path: string, name: string, schema: Schema, sent: unknown): Problem | undefined {
  const inside = Object.keys(fieldsOf(fieldsOf(sent)[name]))
  const known = schema['properties'] ?? {}
  if (
    path !== '' ||
    name.length > LONGEST_NAME ||
    inside.length === 0 ||
    !inside.every((field) => Object.hasOwn(known, field))
  )
    return undefined
  return {
    param: name,
    message: `"${name}" is not a known parameter.`,
    fix: `Send what is in "${name}" without it around: {${quoted(inside[0])}: …}.`,
  }
}

function unknownField(
  path: string,
  name: string,
  schema: Schema,
  beside: readonly ErrorObject[],
): Problem {
  const shownName = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
  const known = Object.keys(schema['properties'] ?? {})
  const required = beside
    .filter(({ keyword }) => keyword === 'required')
    .map(({ params }) => String(params['missingProperty']))
  const near = suggest(name, known, 1)[0]
  const expected = near ?? (required.length === 1 ? required[0] : undefined)
  const fix =
    near !== undefined
      ? `Did you mean \`${near}\`?`
      : expected !== undefined
        ? `The expected field is \`${expected}\`.`
        : 'Leave it out.'
  return {
    param: joinPath(path, shownName),
    message: `"${joinPath(path, shownName)}" is not a known parameter.`,
    fix: known.length === 0 || near !== undefined ? fix : `${fix} Known fields: ${listed(known)}.`,
  }
}

function notAllowed(param: string, sent: unknown, allowed: readonly unknown[]): Problem {
  const names = allowed.map(String)
  const near = typeof sent === 'string' ? suggest(sent, names, 1)[0] : undefined
  const hint = near === undefined ? '' : `Did you mean ${quoted(allowed[names.indexOf(near)])}? `
  return {
    param,
    message: `${subject(param)} is not one of the allowed values.`,
    fix: `${hint}Allowed: ${listed(allowed)}.`,
  }
}

function noAlternative(path: string, error: ErrorObject): Problem {
  const schema: Schema = error.parentSchema ?? {}
  const alternatives = (error.schema ?? []) as readonly Schema[]
  const required = alternatives.map((alternative) => alternative['required'])
  if (required.every((names) => Array.isArray(names))) {
    const names = required.map((alternative) =>
      together((alternative as string[]).map((name) => `"${joinPath(path, name)}"`)),
    )
    return error.keyword === 'oneOf'
      ? {
          param: path,
          message: `Exactly one of ${names.join(', ')} is required.`,
          fix: 'Send one of them and leave out the others.',
        }
      : {
          param: path,
          message: `At least one of ${names.join(', ')} is required.`,
          fix: `Add ${names.join(' or ')}.`,
        }
  }
  return {
    param: path,
    message: `${subject(path)} has none of the accepted forms.`,
    fix: `Send ${path === '' ? 'the input' : `"${path}"`} as ${expectation(schema)}.`,
  }
}

/** "a" with "b" and "c". */
function together([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} with ${others.join(' and ')}`
}

function verdict({ keyword, params, message }: ErrorObject): string {
  const limit = String(params['limit'])
  switch (keyword) {
    case 'type':
      return `must be ${expectation({ type: params['type'] })}`
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${String(params['comparison'])} ${limit}`
        .replace('<=', 'at most')
        .replace('>=', 'at least')
        .replace(' > ', ' above ')
        .replace(' < ', ' below ')
    case 'minLength':
    case 'maxLength':
      return `must have ${keyword === 'minLength' ? 'at least' : 'at most'} ${limit} character${limit === '1' ? '' : 's'}`
    case 'minItems':
    case 'maxItems':
      return `must list ${keyword === 'minItems' ? 'at least' : 'at most'} ${limit} item${limit === '1' ? '' : 's'}`
    case 'uniqueItems':
      return 'must not list the same item twice'
    case 'pattern':
      return 'does not have the expected form'
    default:
      return message ?? 'does not fit'
  }
}

/** They are not seen in most places, so that nothing else would say what is wrong. */
function isRightWithoutControls({ data, params }: ErrorObject): boolean {
  if (typeof data !== 'string') return false
  const seen = data.replaceAll(/\p{Cc}/gu, '')
  return seen !== data && new RegExp(String(params['pattern']), 'u').test(seen)
}

function subject(path: string): string {
  return path === '' ? 'The input' : `"${path}"`
}
