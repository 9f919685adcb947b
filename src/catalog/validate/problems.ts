/** Turns the validator's findings into problems, the likeliest cause first. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { toProblem, wrappedIn, type Problem } from './describe-problem.ts'
import { expectation, listed, quoted, type Schema } from './expectation.ts'
import { suggest } from './suggest.ts'

export type { Problem } from './describe-problem.ts'

/** Each is held against all others, while every other call waits; more than a few mistakes are never told. */
const MOST_FINDINGS = 200

/** Findings of a verbose Ajv check as problems, the likeliest cause first. */
export function explain(schema: TSchema, errors: readonly ErrorObject[]): Problem[] {
  const found = withoutWhatIsWrapped(withoutBranchNoise(errors.slice(0, MOST_FINDINGS)))
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
