/** Turns the validator's findings into sentences: which field, what is wrong with it, what to send instead. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { fieldsOf } from '../../lib/json-fields.ts'
import { expectation, listed, quoted, type Schema } from './expectation.ts'
import { suggest } from './suggest.ts'

export type Problem = {
  /** JSON path of the field, such as "urls[2]" or "contents.text"; empty for the input itself. */
  readonly param: string
  readonly message: string
  readonly fix: string
}

/** Each is held against all others, while every other call waits; more than a few mistakes are never told. */
const MOST_FINDINGS = 200

/** Findings of a verbose Ajv check as problems, the likeliest cause first. */
export function explain(schema: TSchema, errors: readonly ErrorObject[]): Problem[] {
  const found = withoutWhatIsWrapped(withoutBranchNoise(errors.slice(0, MOST_FINDINGS)))
  const problems = found.map((error) => problemOf(error, found, schema as Schema))
  const ranked = problems.map((problem, index) => ({
    problem,
    rank: rankOf(found[index]?.keyword),
  }))
  const unique = new Map(
    ranked
      .sort((a, b) => a.rank - b.rank)
      .map(({ problem }) => [`${problem.param} ${problem.message}`, problem]),
  )
  if (unique.size > 0) return [...unique.values()]
  return [
    {
      param: '',
      message: 'The input does not fit this action.',
      fix: `Send ${expectation(schema as Schema)}.`,
    },
  ]
}

export function unknownChoice(tag: string, named: unknown, known: readonly string[]): Problem {
  if (named === undefined)
    return {
      param: tag,
      message: `"${tag}" is required.`,
      fix: `Add "${tag}", one of ${listed(known)}.`,
    }
  const near = typeof named === 'string' ? suggest(named, known) : []
  const fix =
    near.length > 0
      ? `Did you mean ${near.map(quoted).join(', ')}?`
      : `Use one of ${listed(known)}.`
  return { param: tag, message: `"${tag}" names nothing that this action offers.`, fix }
}

/** A misnamed field explains the missing one, so it comes first. */
function rankOf(keyword: string | undefined): number {
  return keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
    ? 0
    : keyword === 'required'
      ? 1
      : 2
}

// ---------------------------------------------------------------- alternatives

/**
 * For each failed `anyOf`/`oneOf` keeps either the findings of the alternative that was plainly meant (the one whose
 * type fits) or the summary alone. Without this one mistake is told once per alternative.
 */
function withoutBranchNoise(errors: readonly ErrorObject[]): ErrorObject[] {
  let kept = [...errors]
  const summaries = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  for (const summary of summaries) {
    const inside = kept.filter((error) => error.schemaPath.startsWith(`${summary.schemaPath}/`))
    const meant = alternativeMeant(summary, inside)
    const dropped = new Set(
      meant === undefined ? inside : [summary, ...inside.filter((error) => !meant.includes(error))],
    )
    kept = kept.filter((error) => !dropped.has(error))
  }
  return kept
}

function alternativeMeant(
  summary: ErrorObject,
  inside: readonly ErrorObject[],
): readonly ErrorObject[] | undefined {
  const byBranch = Map.groupBy(
    inside,
    ({ schemaPath }) => schemaPath.slice(summary.schemaPath.length + 1).split('/')[0] ?? '',
  )
  const fitting = [...byBranch.values()].filter((branch) =>
    branch.every(
      (error) =>
        error.instancePath !== summary.instancePath ||
        !['type', 'const', 'enum', 'required'].includes(error.keyword),
    ),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

/** A whole call of core/consult as the body: what is inside its "params" is told first, and is not missed. */
function withoutWhatIsWrapped(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const around = errors.find(
    (error) => error.keyword === 'additionalProperties' && wrappedIn(error) !== undefined,
  )
  if (around === undefined) return errors
  const others = errors.filter(
    (error) =>
      error !== around && (error.instancePath !== '' || error.keyword === 'additionalProperties'),
  )
  return [around, ...others]
}

// ---------------------------------------------------------------- sentences

function problemOf(error: ErrorObject, all: readonly ErrorObject[], root: Schema): Problem {
  const path = pathOf(error.instancePath)
  const schema: Schema = error.parentSchema ?? {}
  switch (error.keyword) {
    case 'required':
      return missing(
        join(path, String(error.params['missingProperty'])),
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

function wrappedIn({
  instancePath,
  params,
  parentSchema = {},
  data,
}: ErrorObject): Problem | undefined {
  return wrapped(pathOf(instancePath), String(params['additionalProperty']), parentSchema, data)
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
    param: join(path, shownName),
    message: `"${join(path, shownName)}" is not a known parameter.`,
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
      together((alternative as string[]).map((name) => `"${join(path, name)}"`)),
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

// ---------------------------------------------------------------- paths

/** "/urls/2/name" becomes "urls[2].name". */
function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '')
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** What is said of the value at this place, or of the list or object that it is a part of. */
function nearestDescription(root: Schema, pointer: string): string | undefined {
  let schema: Schema = root
  let nearest: string | undefined
  for (const part of pointer.split('/').slice(1)) {
    schema = /^\d+$/.test(part) ? ((schema['items'] ?? {}) as Schema) : propertyOf(schema, part)
    if (typeof schema['description'] === 'string') nearest = schema['description']
  }
  return nearest
}

function propertyOf(schema: Schema, name: string): Schema {
  return ((schema['properties'] ?? {}) as Record<string, Schema>)[name] ?? {}
}
