import { fieldsOf, isFields, type Fields } from '../../../lib/json-fields.ts'
import { asText } from './as-text.ts'
import { Refusal } from './refusal.ts'

const MOST_BRANCHES = 32

/** A schema for values that fit both, as far as JSON Schema without "allOf" can express it. */
export function mergeSchemas(one: Fields, other: Fields): Fields {
  if (Object.keys(one).length === 0) return other
  if (Object.keys(other).length === 0) return one
  const [choices, others] = [branchesOf(one), branchesOf(other)]
  if (choices === null && others === null) return mergePlain(one, other)
  const { anyOf: _, ...base } = one
  const { anyOf: __, ...more } = other
  const all = (choices ?? [{}]).flatMap((left) =>
    (others ?? [{}]).map((right) => mergeSchemas(mergePlain(base, left), mergePlain(more, right))),
  )
  if (all.length > MOST_BRANCHES)
    throw new Refusal(`has a choice of more than ${MOST_BRANCHES} schemas`)
  return { anyOf: all }
}

function branchesOf({ anyOf }: Fields): readonly Fields[] | null {
  return Array.isArray(anyOf) ? anyOf.map(fieldsOf) : null
}

function mergePlain(one: Fields, other: Fields): Fields {
  const type = commonType(one['type'], other['type'])
  const properties = mergeProperties(one['properties'], other['properties'])
  const required = [one['required'], other['required']].flatMap((list) =>
    Array.isArray(list) ? list.map(asText) : [],
  )
  const both = [one['additionalProperties'], other['additionalProperties']]
  // A closed part of "allOf" would reject the properties of the other parts.
  const isOpen = both.includes(false) && both.includes(undefined)
  const { additionalProperties = both.find((value) => value !== undefined), ...merged } = {
    ...one,
    ...other,
  }
  return {
    ...merged,
    ...(type === undefined ? {} : { type }),
    ...(properties === undefined ? {} : { properties }),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
    ...(isOpen || additionalProperties === undefined ? {} : { additionalProperties }),
  }
}

function mergeProperties(one: unknown, other: unknown): Fields | undefined {
  if (!isFields(one)) return isFields(other) ? other : undefined
  if (!isFields(other)) return one
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return Object.fromEntries(
    names.map((name) => [
      name,
      mergeSchemas(
        Object.hasOwn(one, name) ? fieldsOf(one[name]) : {},
        Object.hasOwn(other, name) ? fieldsOf(other[name]) : {},
      ),
    ]),
  )
}

/** The types of both. The second alone, if they exclude each other. */
function commonType(one: unknown, other: unknown): unknown {
  if (one === undefined || other === undefined) return one ?? other
  const [left, right] = [[one].flat(), [other].flat()]
  const common = left.filter((type) => right.includes(type))
  if (common.length === 0) return other
  return common.length === 1 ? common[0] : common
}
