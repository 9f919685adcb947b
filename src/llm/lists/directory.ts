import { quoted } from '../../catalog/validate/expectation.ts'
import { suggest } from '../../catalog/validate/suggest.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Mode } from '../../lib/mode.ts'
import type { Candidate, ConfiguredModel, Model, ModelRates } from './model.ts'
import type { ModelList, ModelLists } from './model-lists.ts'
import { DEFAULT_TIERS, type Tiers } from './tiers.ts'
import type { ModelUpstream } from '../ask/upstream.ts'

export type DirectorySettings = {
  readonly lists: ModelLists
  /** In the order in which they are tried for a model. Empty: live calls cannot be served. */
  readonly upstreams: readonly ModelUpstream[]
  /** The upstream of test keys. */
  readonly simulator: ModelUpstream
  readonly tiers: Tiers
  readonly models: ReadonlyMap<string, ConfiguredModel>
}

/** Capabilities that a request needs. Models known to lack them are tried last. */
export type Needs = { readonly tools: boolean; readonly images: boolean }

/** `fetchedMs`: when the newest list was fetched. `version` changes with any list. */
export type Offer = {
  readonly tiers: ReadonlyMap<string, readonly Candidate[]>
  readonly models: readonly Candidate[]
  readonly fetchedMs: number
  readonly version: string
}

export type Directory = {
  /**
   * The models to try for the requested name, in order; at least one, all with a price. Throws
   * AppError: `upstream_not_configured`, `model_not_found`, or `price_unknown`.
   */
  candidatesFor(requested: string, mode: Mode, needs: Needs): Promise<readonly Candidate[]>
  /** All models that can be called. */
  offer(mode: Mode): Promise<Offer>
  readonly isConfigured: boolean
}

// An unlisted model may be new: a list older than this is fetched again.
const FRESH_ENOUGH_MS = 60_000

// An aggregator's routing preference. It is never listed; the model is the part before it.
const ROUTING_VARIANT = /:(nitro|floor|exacto)$/

type Shelf = { readonly upstream: ModelUpstream; readonly list: ModelList | null }

export function createDirectory({
  lists,
  upstreams,
  simulator,
  tiers,
  models: configured,
}: DirectorySettings): Directory {
  function upstreamsOf(mode: Mode): readonly ModelUpstream[] {
    if (mode === 'test') return [simulator]
    if (upstreams.length > 0) return upstreams
    throw new AppError(
      'upstream_not_configured',
      'The language-model router is not set up on this gateway. Nothing was charged.',
      {
        fix: 'Try it with a test key, which calls a simulation. For real responses, the operator must set UPSTREAM_LLM_KEY or UPSTREAM_LLM_URL.',
      },
    )
  }

  const tiersOf = (mode: Mode): Tiers => (mode === 'test' ? DEFAULT_TIERS : tiers)

  // Called for every request: does not await if the lists are in memory.
  function shelvesOf(mode: Mode, atMostMs?: number): readonly Shelf[] | Promise<readonly Shelf[]> {
    const known =
      atMostMs === undefined
        ? upstreamsOf(mode).map((upstream) => ({ upstream, list: lists.atHand(upstream) }))
        : []
    if (known.length > 0 && known.every(({ list }) => list !== null)) return known
    return Promise.all(
      upstreamsOf(mode).map(async (upstream) => ({
        upstream,
        list: await lists.of(upstream, atMostMs).catch(() => null),
      })),
    )
  }

  function find(shelves: readonly Shelf[], id: string, mode: Mode): Candidate | 'unpriced' | null {
    const named = mode === 'live' ? configured.get(id) : undefined
    let isUnpriced = false
    for (const { upstream, list } of shelves) {
      if (named !== undefined && named.upstream !== upstream.name) continue
      const found = candidateFrom(upstream, list, id, named)
      if (found === 'unpriced') isUnpriced = true
      else if (found !== null) return found
    }
    return isUnpriced ? 'unpriced' : null
  }

  async function candidatesFor(
    requested: string,
    mode: Mode,
    needs: Needs,
  ): Promise<readonly Candidate[]> {
    const ids = tiersOf(mode).get(requested)
    const known = shelvesOf(mode)
    const shelves = known instanceof Promise ? await known : known
    if (ids !== undefined)
      return tierOf(
        requested,
        ids.map((id) => find(shelves, id, mode)),
        needs,
      )
    const found =
      find(shelves, requested, mode) ??
      find(await shelvesOf(mode, FRESH_ENOUGH_MS), requested, mode)
    if (found === 'unpriced') throw unpriced(requested)
    if (found !== null) return [found]
    if (shelves.some(({ list }) => list === null))
      throw new AppError(
        'price_unknown',
        'The list of models and prices is unavailable at the moment. Nothing was charged.',
        { retryAfterSeconds: 10 },
      )
    throw unknownModel(requested, [
      ...tiersOf(mode).keys(),
      ...shelves.flatMap(({ list }) => [...(list?.models.keys() ?? [])]),
    ])
  }

  async function offer(mode: Mode): Promise<Offer> {
    const shelves = await shelvesOf(mode)
    const ids = new Set([
      ...(mode === 'live' ? configured.keys() : []),
      ...shelves.flatMap(({ list }) => [...(list?.models.keys() ?? [])]),
    ])
    const models = [...ids].flatMap((id) => priced(find(shelves, id, mode)))
    const composition = [...tiersOf(mode)].map(
      ([tier, members]) =>
        [tier, members.flatMap((id) => priced(find(shelves, id, mode)))] as const,
    )
    const fetched = shelves.map(({ list }) => list?.fetchedMs ?? 0)
    return {
      models,
      tiers: new Map(composition),
      fetchedMs: Math.max(0, ...fetched),
      version: fetched.join(),
    }
  }

  return { candidatesFor, offer, isConfigured: upstreams.length > 0 }
}

function candidateFrom(
  upstream: ModelUpstream,
  list: ModelList | null,
  id: string,
  named: ConfiguredModel | undefined,
): Candidate | 'unpriced' | null {
  const upstreamModel = named?.upstreamModel ?? id
  const listed =
    list?.models.get(upstreamModel) ??
    (upstream.isAggregator
      ? list?.models.get(upstreamModel.replace(ROUTING_VARIANT, ''))
      : undefined)
  const model = listed ?? (named?.rates == null ? undefined : configuredModel(id, named))
  if (model === undefined) return null
  const own: ModelRates | null = named?.rates != null ? { ...named.rates, overrides: [] } : null
  const fallback: ModelRates | null =
    upstream.defaultRates === null ? null : { ...upstream.defaultRates, overrides: [] }
  const rates = own ?? model.rates ?? fallback
  if (rates === null) return 'unpriced'
  return {
    id,
    upstreamModel,
    upstream,
    model,
    rates,
    isPricedByUpstream: own === null && model.rates !== null,
    ...(named?.thinks === undefined ? {} : { thinks: named.thinks }),
  }
}

function configuredModel(id: string, { contextLength }: ConfiguredModel): Model {
  return {
    id,
    name: id,
    createdSeconds: 0,
    contextLength,
    maxCompletionTokens: null,
    rates: null,
    inputModalities: ['text'],
    parameters: null,
  }
}

/**
 * The available members of a tier; those with the needed capabilities first, otherwise in the
 * tier's order.
 */
function tierOf(
  tier: string,
  found: readonly (Candidate | 'unpriced' | null)[],
  needs: Needs,
): readonly Candidate[] {
  const members = found.flatMap(priced)
  if (members.length === 0)
    throw new AppError(
      'price_unknown',
      `No model of ${tier} is available at the moment. Nothing was charged.`,
      {
        fix: 'Name a model of GET /api/llm/v1/models instead, or try again later.',
        retryAfterSeconds: 10,
      },
    )
  const able = members.filter(({ model }) => canDo(model, needs))
  return [...able, ...members.filter((member) => !able.includes(member))]
}

function canDo({ parameters, inputModalities }: Model, { tools, images }: Needs): boolean {
  return (
    !(tools && parameters !== null && !parameters.includes('tools')) &&
    !(images && !inputModalities.includes('image'))
  )
}

function priced(found: Candidate | 'unpriced' | null): Candidate[] {
  return found === null || found === 'unpriced' ? [] : [found]
}

function unknownModel(id: string, known: readonly string[]): AppError {
  const beginning = beginningOf(id)
  // Comparing takes time and upstreams list hundreds of models, so the candidates are limited.
  const near = suggest(
    id,
    known.filter((name) => beginningOf(name) === beginning),
  )
  return new AppError('model_not_found', `There is no model named "${id.slice(0, 100)}".`, {
    param: 'model',
    ...(near.length === 0
      ? {}
      : {
          fix: `Did you mean ${near.map(quoted).join(', ')}? GET /api/llm/v1/models lists all models.`,
          details: { suggestions: near },
        }),
  })
}

/** The first characters of a model's own name, without its vendor's. */
function beginningOf(id: string): string {
  return id
    .slice(id.lastIndexOf('/') + 1)
    .slice(0, 2)
    .toLowerCase()
}

function unpriced(id: string): AppError {
  return new AppError(
    'price_unknown',
    `"${id.slice(0, 100)}" has no known price, so it cannot be called. Nothing was charged.`,
    { param: 'model', fix: 'Choose a model of GET /api/llm/v1/pricing.' },
  )
}
