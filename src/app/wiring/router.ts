import type { LoopWatch } from '../../calls/loops/loop-watch.ts'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { CallTally } from '../../lib/metrics/call-tally.ts'
import type { Clock } from '../../lib/clock.ts'
import { createRouter, type Router } from '../../llm/ask/create-router.ts'
import { createDirectory, type Margins } from '../../llm/lists/directory.ts'
import { fetchModels, type ModelLists } from '../../llm/lists/model-lists.ts'
import { detectModelServer } from '../../llm/lists/model-server.ts'
import { DIALECTS, recognizeDialect } from '../../llm/wires/dialects/dialect.ts'
import { WIRE_NAMES } from '../../llm/wires/wire.ts'
import { addressOf, type ModelUpstream } from '../../llm/ask/upstream.ts'
import { createPlainDispatcher, type Dispatches } from '../../upstream/http1/plain-dispatcher.ts'
import { Breakers } from '../../upstream/limits/breakers.ts'
import { splitBaseUrl } from '../../upstream/target.ts'
import type { RouterSettings, RouterUpstream } from '../settings/router-settings.ts'

export type OpenRouter = {
  readonly router: Router
  /** The number of open circuit breakers per upstream. */
  openBreakers(): readonly { readonly label: string; readonly count: number }[]
  close(): Promise<void>
}

type RouterDeps = {
  readonly settings: RouterSettings
  readonly database: Database
  readonly ledger: Ledger
  readonly now: Clock
  readonly tally?: CallTally | undefined
  readonly loops: LoopWatch
  readonly simulatorUrl: string
  /** For the aggregator's own address: public hosts only. */
  readonly guardedDispatcher: Dispatches
  readonly margins?: Margins
}

/** A local server has few models, an aggregator hundreds. */
const SHOWN_MODELS = 5
const AGGREGATOR_URL = 'https://openrouter.ai/api/v1'

export function openRouter({
  settings,
  database,
  ledger,
  now,
  tally,
  loops,
  simulatorUrl,
  guardedDispatcher,
  margins,
}: RouterDeps): OpenRouter {
  // One connection per open response, because a request that waits for a connection would start late.
  const dispatcher = createPlainDispatcher()
  const upstreams = settings.upstreams.map((one) =>
    upstreamOf(one, one.url === null ? guardedDispatcher : dispatcher),
  )
  const simulator: ModelUpstream = {
    name: 'llm',
    ...splitBaseUrl(`${simulatorUrl}/llm`),
    key: 'simulated',
    dispatcher,
    defaultRates: null,
    isAggregator: true,
    wires: new Set(WIRE_NAMES),
    remembersList: false,
  }
  const router = createRouter({
    database,
    ledger,
    now,
    tally,
    loops,
    upstreams,
    simulator,
    tiers: settings.tiers,
    models: settings.models,
    aliases: settings.aliases,
    extraFields: settings.extraFields,
    ...(margins === undefined ? {} : { margins }),
  })
  return {
    router,
    openBreakers: () =>
      upstreams.map(({ name, breakers }) => ({
        label: `llm/${name}`,
        count: breakers?.openCount ?? 0,
      })),
    close: () => dispatcher.close(),
  }
}

function upstreamOf(
  { name, url, key, rates, wires, dialect }: RouterUpstream,
  dispatcher: Dispatches,
): ModelUpstream {
  const address = splitBaseUrl(url ?? AGGREGATOR_URL)
  const isAggregator = new URL(address.origin).hostname === 'openrouter.ai'
  return {
    name,
    ...address,
    key,
    dispatcher,
    defaultRates: rates,
    isAggregator,
    dialect: DIALECTS[dialect ?? recognizeDialect(name, address.origin)],
    wires: new Set(wires ?? (isAggregator ? WIRE_NAMES : ['chat'])),
    remembersList: true,
    breakers: new Breakers(),
  }
}

/** `server`: the program at an address of the operator, if it is recognized. `models`: the first names of the list. `modelCount`: null when the upstream returns no list. `hasPrices`: at least one of its models can be called. `missing`: members of the tier that cannot be called. */
export type OfferReport = {
  readonly upstreams: readonly {
    readonly name: string
    readonly modelCount: number | null
    readonly models: readonly string[]
    readonly server: string | null
    readonly hasPrices: boolean
  }[]
  readonly tiers: readonly { readonly tier: string; readonly missing: readonly string[] }[]
}

/** Fetches the model list of every upstream and compares the tiers with it. */
export async function checkOffer(settings: RouterSettings, now: Clock): Promise<OfferReport> {
  const dispatcher = createPlainDispatcher()
  try {
    const upstreams = settings.upstreams.map((one) => upstreamOf(one, dispatcher))
    const found = new Map(
      await Promise.all(
        upstreams.map(
          async (upstream) => [addressOf(upstream), await fetchModels(upstream, now)] as const,
        ),
      ),
    )
    const servers = await Promise.all(
      upstreams.map(async (upstream) =>
        upstream.isAggregator ? null : detectModelServer(upstream),
      ),
    )
    const lists: ModelLists = {
      async of(upstream) {
        return found.get(addressOf(upstream)) ?? Promise.reject(new AppError('price_unknown'))
      },
      atHand: () => null,
    }
    // The simulator needs no check.
    const [simulator] = upstreams as [ModelUpstream]
    const offer = await createDirectory({
      lists,
      upstreams,
      simulator,
      tiers: settings.tiers,
      models: settings.models,
    }).offer('live')
    const called = (tier: string): ReadonlySet<string> =>
      new Set(offer.tiers.get(tier)?.map(({ id }) => id))
    return {
      upstreams: upstreams.map((upstream, index) => {
        const listed = [...(found.get(addressOf(upstream))?.models.values() ?? [])]
        // All of its models may belong to another upstream that is preferred.
        const hasPrices =
          upstream.defaultRates !== null ||
          listed.some(({ rates }) => rates !== null) ||
          offer.models.some((model) => model.upstream === upstream)
        return {
          name: upstream.name,
          modelCount: found.get(addressOf(upstream))?.models.size ?? null,
          models: listed.slice(0, SHOWN_MODELS).map(({ id }) => id),
          server: servers[index] ?? null,
          hasPrices,
        }
      }),
      tiers: [...settings.tiers].map(([tier, members]) => ({
        tier,
        missing: members.filter((id) => !called(tier).has(id)),
      })),
    }
  } finally {
    await dispatcher.close()
  }
}
