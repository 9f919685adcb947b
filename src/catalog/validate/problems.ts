/** Turns the validator's findings into problems, the likeliest cause first. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { TSchema } from '../../lib/schema.ts'
import { toProblem, findWrapper, type Problem } from './describe-problem.ts'
import { expectation, listed, quoted, type Schema } from './expectation.ts'
import { suggest } from './suggest.ts'

export type { Problem } from './describe-problem.ts'

/**
 * Each finding is compared with all others while every other call waits, so only the first ones
 * count.
 */
const MAX_FINDINGS = 200

/** Turns the findings of a verbose Ajv check into problems, the likeliest cause first. */
export function explain(schema: TSchema, errors: readonly ErrorObject[]): Problem[] {
  const found = dropWrappedFindings(dropBranchNoise(errors.slice(0, MAX_FINDINGS)))
  const problems = found.map((error) => toProblem(error, found, schema as Schema))
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

export function unknownChoice(tag: string, value: unknown, allowed: readonly string[]): Problem {
  if (value === undefined)
    return {
      param: tag,
      message: `"${tag}" is required.`,
      fix: `Add "${tag}", one of ${listed(allowed)}.`,
    }
  const nearest = typeof value === 'string' ? suggest(value, allowed) : []
  const fix =
    nearest.length > 0
      ? `Did you mean ${nearest.map(quoted).join(', ')}?`
      : `Use one of ${listed(allowed)}.`
  return { param: tag, message: `"${tag}" is not one of the values that this action accepts.`, fix }
}

/** A misspelled field explains the missing one, so it comes first. */
function rankOf(keyword: string | undefined): number {
  return keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
    ? 0
    : keyword === 'required'
      ? 1
      : 2
}

// ---------------------------------------------------------------- alternatives

/**
 * For each failed `anyOf` or `oneOf`, keeps the findings of the only alternative whose type fits,
 * or the summary alone. Otherwise one mistake appears once per alternative.
 */
function dropBranchNoise(errors: readonly ErrorObject[]): ErrorObject[] {
  let remaining = [...errors]
  const summaries = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  for (const summary of summaries) {
    const inside = remaining.filter((error) =>
      error.schemaPath.startsWith(`${summary.schemaPath}/`),
    )
    const intended = intendedAlternative(summary, inside)
    const dropped = new Set(
      intended === undefined
        ? inside
        : [summary, ...inside.filter((error) => !intended.includes(error))],
    )
    remaining = remaining.filter((error) => !dropped.has(error))
  }
  return remaining
}

function intendedAlternative(
  summary: ErrorObject,
  inside: readonly ErrorObject[],
): readonly ErrorObject[] | undefined {
  const byBranch = Map.groupBy(
    inside,
    ({ schemaPath }) => schemaPath.slice(summary.schemaPath.length + 1).split('/')[0] ?? '',
  )
  const candidates = [...byBranch.values()].filter((branch) =>
    branch.every(
      (error) =>
        error.instancePath !== summary.instancePath ||
        !['type', 'const', 'enum', 'required'].includes(error.keyword),
    ),
  )
  return candidates.length === 1 ? candidates[0] : undefined
}

/**
 * If the body is a whole call as core/consult returns it, reports the wrapping field first and
 * ignores the fields that seem missing.
 */
function dropWrappedFindings(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const wrapper = errors.find(
    (error) => error.keyword === 'additionalProperties' && findWrapper(error) !== undefined,
  )
  if (wrapper === undefined) return errors
  const others = errors.filter(
    (error) =>
      error !== wrapper && (error.instancePath !== '' || error.keyword === 'additionalProperties'),
  )
  return [wrapper, ...others]
}
