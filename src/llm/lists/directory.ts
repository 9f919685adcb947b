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
  /** In the order in which they are asked for a model. Empty: live calls have nowhere to go. */
  readonly upstreams: readonly ModelUpstream[]
  /** Where test keys go. */
  readonly simulator: ModelUpstream
  readonly tiers: Tiers
  readonly models: ReadonlyMap<string, ConfiguredModel>
}

/** What a request needs of its model; models known to lack it are tried last. */
export type Needs = { readonly tools: boolean; readonly images: boolean }

/** `fetchedMs`: when the youngest list was fetched. `version` changes with any of the lists. */
export type Offer = {
  readonly tiers: ReadonlyMap<string, readonly Candidate[]>
  readonly models: readonly Candidate[]
  readonly fetchedMs: number
  readonly version: string
}

export type Directory = {
  /**
   * The models to try for what a caller named, in order; at least one. Throws AppError: upstream_not_configured,
   * model_not_found, or price_unknown. No model without a price is among them.
   */
  candidatesFor(requested: string, mode: Mode, needs: Needs): Promise<readonly Candidate[]>
  /** Everything that can be called. */
  offer(mode: Mode): Promise<Offer>
  readonly isConfigured: boolean
}

// A model that is not in the list may be new: a list this old is looked at again.
const FRESH_ENOUGH_MS = 60_000

// Says among which providers of a model an aggregator chooses first. It is never listed; the model is the one before it.
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
        fix: 'Try it with a test key, which reaches a simulation. For real answers the operator of this gateway sets UPSTREAM_LLM_KEY, or UPSTREAM_LLM_URL.',
      },
    )
  }

  const tiersOf = (mode: Mode): Tiers => (mode === 'test' ? DEFAULT_TIERS : tiers)

  // Called for every request: nothing is awaited when the lists are at hand.
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
    if (found === 'unpriced') throw priceless(requested)
    if (found !== null) return [found]
    if (shelves.some(({ list }) => list === null))
      throw new AppError(
        'price_unknown',
        'The list of models and prices cannot be had at the moment. Nothing was charged.',
        { retryAfterSeconds: 10 },
      )
    throw unheardOf(requested, [
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

/** The members of a tier that are on offer; those that can do what is needed come first, otherwise in the tier's order. */
function tierOf(
  tier: string,
  found: readonly (Candidate | 'unpriced' | null)[],
  needs: Needs,
): readonly Candidate[] {
  const members = found.flatMap(priced)
  if (members.length === 0)
    throw new AppError(
      'price_unknown',
      `None of the models of ${tier} is on offer at the moment. Nothing was charged.`,
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

function unheardOf(id: string, known: readonly string[]): AppError {
  const beginning = beginningOf(id)
  // Comparing takes a while, and upstreams list hundreds: every call waits for it.
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

/** Of a model's own name, without its maker's. */
function beginningOf(id: string): string {
  return id
    .slice(id.lastIndexOf('/') + 1)
    .slice(0, 2)
    .toLowerCase()
}

function priceless(id: string): AppError {
  return new AppError(
    'price_unknown',
    `The price of "${id.slice(0, 100)}" is not known, so it cannot be called. Nothing was charged.`,
    { param: 'model', fix: 'Choose a model of GET /api/llm/v1/pricing.' },
  )
}
