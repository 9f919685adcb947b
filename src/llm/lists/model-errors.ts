import { quoted } from '../../catalog/validate/expectation.ts'
import { suggest } from '../../catalog/validate/suggest.ts'
import { AppError } from '../../errors/app-error.ts'

/** The error for an unlisted name, with the nearest names. */
export function unknownModel(id: string, known: readonly string[]): AppError {
  const near = nearNames(id, known)
  const advice = near.length === 0 ? '' : ` Did you mean ${near.map(quoted).join(', ')}?`
  // Most clients show only the message.
  return new AppError(
    'model_not_found',
    `There is no model named "${id.slice(0, 100)}".${advice}`,
    {
      param: 'model',
      ...(near.length === 0
        ? {}
        : {
            fix: `${advice.trim()} GET /api/llm/v1/models lists all models.`,
            details: { suggestions: near },
          }),
    },
  )
}

/** The nearest names. A name without its vendor is also compared with the models' own names. */
function nearNames(id: string, known: readonly string[]): string[] {
  const beginning = beginningOf(id)
  // Comparing takes time and upstreams list hundreds of models, so the candidates are limited.
  const similar = known.filter((name) => beginningOf(name) === beginning)
  const near = suggest(id, similar)
  if (near.length > 0 || id.includes('/')) return near
  const byOwnName = new Map(similar.map((name) => [name.slice(name.indexOf('/') + 1), name]))
  return suggest(id, byOwnName.keys()).flatMap((own) => byOwnName.get(own) ?? [])
}

/** The first characters of a model's own name, without its vendor's. */
function beginningOf(id: string): string {
  return id
    .slice(id.lastIndexOf('/') + 1)
    .slice(0, 2)
    .toLowerCase()
}

/** The error for a model without a price. */
export function unpriced(id: string): AppError {
  return new AppError(
    'price_unknown',
    `"${id.slice(0, 100)}" has no known price, so it cannot be called. Nothing was charged.`,
    { param: 'model', fix: 'Choose a model of GET /api/llm/v1/pricing.' },
  )
}
