/** Turns one finding of the validator into a problem: the field, the mistake and the fix. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { fieldsOf } from '../../lib/json-fields.ts'
import type { Ended } from '../vocabulary/fields.ts'
import { expectation, listed, quoted, type Schema } from './expectation.ts'
import { joinPath, nearestDescription, propertyOf, toPath } from './schema-path.ts'
import { suggest } from './suggest.ts'

export type Problem = {
  /** JSON path of the field, such as "urls[2]" or "contents.text". Empty for the input itself. */
  readonly param: string
  readonly message: string
  readonly fix: string
}

export function toProblem(error: ErrorObject, all: readonly ErrorObject[], root: Schema): Problem {
  const path = toPath(error.instancePath)
  const schema: Schema = error.parentSchema ?? {}
  switch (error.keyword) {
    case 'required':
      return missingField(
        joinPath(path, String(error.params['missingProperty'])),
        propertyOf(schema, String(error.params['missingProperty'])),
      )
    case 'additionalProperties':
      return (
        findWrapper(error) ??
        unknownField(
          path,
          String(error.params['additionalProperty']),
          schema,
          all.filter(({ instancePath }) => instancePath === error.instancePath),
        )
      )
    case 'enum':
      return (
        endedProblem(path, error.data, schema['ended'] as Ended | undefined) ??
        notAllowed(path, error.data, error.params['allowedValues'] as readonly unknown[])
      )
    case 'const':
      return notAllowed(path, error.data, [error.params['allowedValue']])
    case 'anyOf':
    case 'oneOf':
      return noAlternative(path, error)
    case 'pattern':
      if (fitsWithoutControls(error))
        return {
          param: path,
          message: `${nameSubject(path)} contains a line break or another control character.`,
          fix: `Send "${path}" without it.`,
        }
      return {
        param: path,
        message: `${nameSubject(path)} ${predicate(error)}.`,
        fix: `Send "${path}" as described: ${nearestDescription(root, error.instancePath) ?? expectation(schema)}`,
      }
    default:
      return {
        param: path,
        message: `${nameSubject(path)} ${predicate(error)}.`,
        fix: `Send ${path === '' ? 'the input' : `"${path}"`} as ${expectation(schema)}.${correctedValue(error)}`,
      }
  }
}

const LONGEST_SHOWN = 80

/** The sent value in the right form, if that is obvious. */
function correctedValue({ keyword, params, data }: ErrorObject): string {
  if (
    keyword !== 'type' ||
    (typeof data !== 'string' && typeof data !== 'number') ||
    String(data).length > LONGEST_SHOWN
  )
    return ''
  switch (params['type']) {
    case 'array':
      return ` For example: [${quoted(data)}].`
    case 'integer':
    case 'number':
      return /^-?[0-9]{1,15}$/.test(String(data)) ? ` Without quotes: ${data}.` : ''
    case 'boolean':
      return data === 'true' || data === 'false' ? ` Without quotes: ${data}.` : ''
    default:
      return ''
  }
}

function missingField(param: string, schema: Schema): Problem {
  const { description } = schema
  return {
    param,
    message: `"${param}" is required.`,
    fix: `Add "${param}", ${expectation(schema)}${typeof description === 'string' ? `: ${description}` : '.'}`,
  }
}

const LONGEST_NAME = 80

export function findWrapper({
  instancePath,
  params,
  parentSchema = {},
  data,
}: ErrorObject): Problem | undefined {
  return wrapperProblem(
    toPath(instancePath),
    String(params['additionalProperty']),
    parentSchema,
    data,
  )
}

/** All parameters wrapped in one field, as in the answer of core/consult under "params". */
function wrapperProblem(
  path: string,
  name: string,
  schema: Schema,
  sent: unknown,
): Problem | undefined {
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
    fix: `Send the content of "${name}" directly: {${quoted(inside[0])}: …}.`,
  }
}

function unknownField(
  path: string,
  name: string,
  schema: Schema,
  siblings: readonly ErrorObject[],
): Problem {
  const shortName = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
  const known = Object.keys(schema['properties'] ?? {})
  const required = siblings
    .filter(({ keyword }) => keyword === 'required')
    .map(({ params }) => String(params['missingProperty']))
  const nearest = suggest(name, known, 1)[0]
  const expected = nearest ?? (required.length === 1 ? required[0] : undefined)
  const fix =
    nearest !== undefined
      ? `Did you mean \`${nearest}\`?`
      : expected !== undefined
        ? `The expected field is \`${expected}\`.`
        : 'Remove it.'
  return {
    param: joinPath(path, shortName),
    message: `"${joinPath(path, shortName)}" is not a known parameter.`,
    fix:
      known.length === 0 || nearest !== undefined ? fix : `${fix} Known fields: ${listed(known)}.`,
  }
}

/** Undefined unless the vendor offered the value before. */
export function endedProblem(param: string, sent: unknown, ended: Ended = {}): Problem | undefined {
  if (typeof sent !== 'string' || !Object.hasOwn(ended, sent)) return undefined
  const successors = (ended[sent] ?? []).map(quoted).join(' or ')
  return successors === ''
    ? {
        param,
        message: `The vendor ended ${quoted(sent)} without a successor.`,
        fix: 'core/discover finds similar actions.',
      }
    : {
        param,
        message: `The vendor replaced ${quoted(sent)} with ${successors}.`,
        fix: `Use ${successors}.`,
      }
}

function notAllowed(param: string, sent: unknown, allowed: readonly unknown[]): Problem {
  const names = allowed.map(String)
  const nearest = typeof sent === 'string' ? suggest(sent, names, 1)[0] : undefined
  const hint =
    nearest === undefined ? '' : `Did you mean ${quoted(allowed[names.indexOf(nearest)])}? `
  return {
    param,
    message: `${nameSubject(param)} is not one of the allowed values.`,
    fix: `${hint}Allowed: ${listed(allowed)}.`,
  }
}

function noAlternative(path: string, error: ErrorObject): Problem {
  const schema: Schema = error.parentSchema ?? {}
  const alternatives = (error.schema ?? []) as readonly Schema[]
  const required = alternatives.map((alternative) => alternative['required'])
  if (required.every((names) => Array.isArray(names))) {
    const names = required.map((alternative) =>
      joinNames((alternative as string[]).map((name) => `"${joinPath(path, name)}"`)),
    )
    return error.keyword === 'oneOf'
      ? {
          param: path,
          message: `Exactly one of ${names.join(', ')} is required.`,
          fix: 'Send one of them and omit the others.',
        }
      : {
          param: path,
          message: `At least one of ${names.join(', ')} is required.`,
          fix: `Add ${names.join(' or ')}.`,
        }
  }
  return {
    param: path,
    message: `${nameSubject(path)} has no accepted form.`,
    fix: `Send ${path === '' ? 'the input' : `"${path}"`} as ${expectation(schema)}.`,
  }
}

/** Formats "a" with "b" and "c". */
function joinNames([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} with ${others.join(' and ')}`
}

function predicate({ keyword, params, message }: ErrorObject): string {
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

/** Whether the value is valid except for control characters, which most tools do not show. */
function fitsWithoutControls({ data, params }: ErrorObject): boolean {
  if (typeof data !== 'string') return false
  const visible = data.replaceAll(/\p{Cc}/gu, '')
  return visible !== data && new RegExp(String(params['pattern']), 'u').test(visible)
}

function nameSubject(path: string): string {
  return path === '' ? 'The input' : `"${path}"`
}
