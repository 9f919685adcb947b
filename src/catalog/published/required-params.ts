/**
 * The required parameters of a call, read from the schema that also validates it. An alternative is
 * a set of names; a valid input has all names of at least one alternative.
 */
import type { Action, EndpointEntry } from '../vocabulary/define.ts'
import { inputSchema, type JsonSchema } from './json-schema.ts'

export type RequiredParams = {
  /** Names that every call must have. */
  readonly required_params: readonly string[]
  /**
   * Sets of additional names. A call must have all names of one set. Empty if `required_params` is
   * the whole rule.
   */
  readonly required_one_of: readonly (readonly string[])[]
}

type Alternative = readonly string[]

export function requiredParams(action: Action): RequiredParams {
  return action.kind === 'endpoint'
    ? { required_params: ['endpoint'], required_one_of: [] }
    : requiredOf(inputSchema(action))
}

export function requiredEndpointParams(entry: EndpointEntry): RequiredParams {
  const names = entry.params.filter(({ required }) => required).map(({ name }) => name)
  return {
    required_params: ['endpoint', ...names],
    required_one_of: (entry.oneOf ?? []).map((name) => [name]),
  }
}

/** Formats the rule: "query", "ids or urls", "none". */
export function requiredText({ required_params, required_one_of }: RequiredParams): string {
  const choice = required_one_of.map((set) => set.join(' + ')).join(' or ')
  return [...required_params, ...(choice === '' ? [] : [choice])].join(', ') || 'none'
}

export function requiredOf(schema: JsonSchema): RequiredParams {
  const alternatives = alternativesOf(schema)
  const [first = []] = alternatives
  const common = first.filter((name) => alternatives.every((names) => names.includes(name)))
  const rest = alternatives.map((names) => names.filter((name) => !common.includes(name)))
  return { required_params: common, required_one_of: rest.length > 1 ? rest : [] }
}

function alternativesOf(schema: JsonSchema): Alternative[] {
  // The validator fills in defaults before `required` of the same schema, but after allOf, anyOf
  // and oneOf.
  let alternatives: Alternative[] = [
    schema.required?.filter((name) => schema.properties?.[name]?.default === undefined) ?? [],
  ]
  for (const part of schema.allOf ?? []) alternatives = combine(alternatives, alternativesOf(part))
  for (const choice of [schema.anyOf, schema.oneOf]) {
    if (choice !== undefined) alternatives = combine(alternatives, choice.flatMap(alternativesOf))
  }
  return dropSupersets(alternatives)
}

function combine(left: readonly Alternative[], right: readonly Alternative[]): Alternative[] {
  return left.flatMap((names) => right.map((more) => [...new Set([...names, ...more])]))
}

/** Drops duplicates and every set that contains another set. */
function dropSupersets(alternatives: readonly Alternative[]): Alternative[] {
  return alternatives.filter(
    (names, index) =>
      !alternatives.some(
        (other, otherIndex) =>
          otherIndex !== index &&
          covers(names, other) &&
          (other.length < names.length || otherIndex < index),
      ),
  )
}

function covers(names: Alternative, other: Alternative): boolean {
  return other.every((name) => names.includes(name))
}
