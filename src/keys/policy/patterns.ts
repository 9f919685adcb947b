/**
 * Patterns of actions and models: `service/action`, where `*` stands for any characters. Models are
 * `llm/<model or tier>`; only the part after the first slash may contain further slashes. Browsers get this
 * file, too, so it imports nothing.
 */
export const PATTERN = '^(\\*|[a-z0-9*][a-z0-9*_.-]*/[A-Za-z0-9*_.:@~/-]+)$'
export const LONGEST_PATTERN = 200
/** Maximum number of patterns in one list. */
export const MOST_PATTERNS = 100

/**
 * Actions that "allow" never withholds, because a key needs them for the jobs that it started.
 * "deny" can.
 */
export const OF_OWN_JOBS: readonly string[] = ['core/result', 'core/cancel']

/** Compiled patterns. `find` returns the first one that matches `service/action`, or null. */
export type Patterns = {
  readonly texts: readonly string[]
  find(name: string): string | null
}

/** Compiles patterns that match `PATTERN`. */
export function compilePatterns(texts: readonly string[]): Patterns {
  const exact = new Set(texts.filter((text) => !text.includes('*')))
  const globs = texts
    .filter((text) => text.includes('*'))
    .map((text) => ({ text, expression: toExpression(text) }))
  return {
    texts,
    find: (name) =>
      exact.has(name)
        ? name
        : (globs.find(({ expression }) => expression.test(name))?.text ?? null),
  }
}

/** `RegExp.escape` is missing in browsers from before 2025. */
const SPECIAL = /[.*+?^${}()|[\]\\]/g

/** A `*` of the service part matches no slash, so `*` + `/chat` is no pattern of models. */
function toExpression(text: string): RegExp {
  if (text === '*') return /^/
  const slash = text.indexOf('/')
  const glob = (part: string, any: string): string =>
    part
      .split('*')
      .map((literal) => literal.replaceAll(SPECIAL, '\\$&'))
      .join(any)
  return new RegExp(`^${glob(text.slice(0, slash), '[^/]*')}/${glob(text.slice(slash + 1), '.*')}$`)
}
