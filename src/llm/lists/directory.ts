import type { Margin } from '../../catalog/vocabulary/tariff.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Mode } from '../../lib/mode.ts'
import { findAlias, findOwnName } from './aliases.ts'
import { unknownModel, unpriced } from './model-errors.ts'
import type { Candidate, ConfiguredModel, Model } from './model.ts'
import type { ModelList, ModelLists } from './model-lists.ts'
import { ratesWith } from './model-rates.ts'
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
  /** Models or tiers by other names, which may end in `*`. */
  readonly aliases?: ReadonlyMap<string, string>
  /** The operator's margins. None by default. */
  readonly margins?: Margins
}

/** `of` is undefined without a margin. `version` changes with any margin. */
export type Margins = {
  of(modelId: string): Margin | undefined
  version(): number
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

/** The model or tier that a request names, and the models to try for it, in order. */
export type Found = { readonly name: string; readonly candidates: readonly Candidate[] }

export type Directory = {
  /** Like `candidatesFor`. The name is that of the list if the request used another one. */
  find(requested: string, mode: Mode, needs: Needs): Promise<Found>
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
  aliases = new Map(),
  margins,
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

  function findIn(
    shelves: readonly Shelf[],
    id: string,
    mode: Mode,
  ): Candidate | 'unpriced' | null {
    const named = mode === 'live' ? configured.get(id) : undefined
    let isUnpriced = false
    for (const { upstream, list } of shelves) {
      if (named !== undefined && named.upstream !== upstream.name) continue
      const found = withMargins(candidateFrom(upstream, list, id, named), id, margins)
      if (found === 'unpriced') isUnpriced = true
      else if (found !== null) return found
    }
    return isUnpriced ? 'unpriced' : null
  }

  async function find(requested: string, mode: Mode, needs: Needs): Promise<Found> {
    const known = shelvesOf(mode)
    const shelves = known instanceof Promise ? await known : known
    const named = candidatesIn(shelves, requested, mode, needs)
    if (named !== null) return { name: requested, candidates: named }
    const other = otherName(shelves, requested, mode)
    const aliased = other === null ? null : candidatesIn(shelves, other, mode, needs)
    if (other !== null && aliased !== null) return { name: other, candidates: aliased }
    const fresh = candidatesIn(await shelvesOf(mode, FRESH_ENOUGH_MS), requested, mode, needs)
    if (fresh !== null) return { name: requested, candidates: fresh }
    if (shelves.some(({ list }) => list === null))
      throw new AppError(
        'price_unknown',
        'The list of models and prices is unavailable at the moment. Nothing was charged.',
        { retryAfterSeconds: 10 },
      )
    throw unknownModel(requested, [...tiersOf(mode).keys(), ...listedIds(shelves)])
  }

  /** Null for an unknown name. */
  function candidatesIn(
    shelves: readonly Shelf[],
    name: string,
    mode: Mode,
    needs: Needs,
  ): readonly Candidate[] | null {
    const members = tiersOf(mode).get(name)
    if (members !== undefined)
      return tierOf(
        name,
        members.map((id) => findIn(shelves, id, mode)),
        needs,
      )
    const found = findIn(shelves, name, mode)
    if (found === 'unpriced') throw unpriced(name)
    return found === null ? null : [found]
  }

  function otherName(shelves: readonly Shelf[], name: string, mode: Mode): string | null {
    const mapped = mode === 'live' ? findAlias(name, aliases) : null
    return mapped ?? findOwnName(name, listedIds(shelves))
  }

  async function offer(mode: Mode): Promise<Offer> {
    const shelves = await shelvesOf(mode)
    const ids = new Set([...(mode === 'live' ? configured.keys() : []), ...listedIds(shelves)])
    const models = [...ids].flatMap((id) => priced(findIn(shelves, id, mode)))
    const composition = [...tiersOf(mode)].map(
      ([tier, members]) =>
        [tier, members.flatMap((id) => priced(findIn(shelves, id, mode)))] as const,
    )
    const fetched = shelves.map(({ list }) => list?.fetchedMs ?? 0)
    return {
      models,
      tiers: new Map(composition),
      fetchedMs: Math.max(0, ...fetched),
      version: [...fetched, ...(margins === undefined ? [] : [margins.version()])].join(),
    }
  }

  return {
    find,
    candidatesFor: async (requested, mode, needs) =>
      (await find(requested, mode, needs)).candidates,
    offer,
    isConfigured: upstreams.length > 0,
  }
}

function listedIds(shelves: readonly Shelf[]): string[] {
  return shelves.flatMap(({ list }) => [...(list?.models.keys() ?? [])])
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
  const own = named?.rates ?? null
  const rates = own ?? model.rates ?? upstream.defaultRates
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

function withMargins(
  found: Candidate | 'unpriced' | null,
  id: string,
  margins: Margins | undefined,
): Candidate | 'unpriced' | null {
  if (margins === undefined || found === null || found === 'unpriced') return found
  const margin = margins.of(id)
  return margin === undefined ? found : { ...found, rates: ratesWith(found.rates, margin), margin }
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
