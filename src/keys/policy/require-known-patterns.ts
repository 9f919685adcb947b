import { AppError } from '../../errors/app-error.ts'
import { compilePatterns } from './patterns.ts'
import type { PolicyInput } from './policy-input.ts'

/** Names that patterns can match and the catalog does not list. The lists of models change daily. */
const OUTSIDE_CATALOG = ['web/fetch'] as const
const OF_MODELS = 'llm/'

/** An action of the catalog. */
export type NamedAction = { readonly service: { readonly id: string }; readonly name: string }

/**
 * Throws AppError invalid_params for a pattern that matches no action: a mistyped "deny" would deny
 * nothing.
 */
export function requireKnownPatterns(
  { allow, deny }: Pick<PolicyInput, 'allow' | 'deny'>,
  actions: readonly NamedAction[],
): void {
  for (const [field, patterns] of [
    ['allow', allow ?? []],
    ['deny', deny ?? []],
  ] as const)
    for (const [place, text] of patterns.entries()) {
      if (text.startsWith(OF_MODELS)) continue
      const pattern = compilePatterns([text])
      const isKnown = (name: string): boolean => pattern.find(name) !== null
      if (OUTSIDE_CATALOG.some(isKnown)) continue
      if (actions.some(({ service, name }) => isKnown(`${service.id}/${name}`))) continue
      throw new AppError('invalid_params', `The pattern "${text}" matches no action.`, {
        param: `${field}[${place}]`,
        fix: 'Write "service/action", with * for any characters. GET /api/run lists all actions. Models are "llm/<model or tier>".',
      })
    }
}
