import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { HOUR_MS, type Clock } from '../../lib/clock.ts'
import { Deadline } from '../../lib/deadline.ts'
import { exchange } from '../../upstream/exchange.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import type { Model } from './model.ts'
import { pickReadFields, readModelList } from './read-model-list.ts'
import { addressOf, headersFor, type ModelUpstream } from '../ask/upstream.ts'

export type ModelList = { readonly models: ReadonlyMap<string, Model>; readonly fetchedMs: number }

export type ModelLists = {
  /**
   * The upstream's models. A list is fetched if none is known, renewed in the background after an
   * hour, and before the call when it is older than `atMostMs`. If the upstream is unavailable, its
   * last list stays in use. Throws AppError `price_unknown` if there is no list.
   */
  of(upstream: ModelUpstream, atMostMs?: number): Promise<ModelList>
  /** The list if it is in memory and recent; null if `of` must fetch it. */
  atHand(upstream: ModelUpstream): ModelList | null
}

const RENEW_AFTER_MS = HOUR_MS
const TOO_OLD_MS = 6 * HOUR_MS
// An unavailable upstream is contacted again only after this time.
const RETRY_MS = 10_000
const FETCH_TIMEOUT_MS = 10_000
const MAX_LIST_BYTES = 32 * 1024 * 1024
const MOST_PAGES = 50

// The database is unavailable: the next call tries again.
const IGNORE_FAILURE = (): void => {}

type Shelf = { list: ModelList | null; askedMs: number; asking: Promise<void> | null }

export function createModelLists({
  database,
  now,
}: {
  readonly database: Database
  readonly now: Clock
}): ModelLists {
  const shelves = new Map<string, Shelf>()

  async function of(upstream: ModelUpstream, atMostMs = TOO_OLD_MS): Promise<ModelList> {
    const address = addressOf(upstream)
    const shelf = shelves.get(address) ?? {
      list: null,
      askedMs: Number.NEGATIVE_INFINITY,
      asking: null,
    }
    shelves.set(address, shelf)
    if (shelf.list === null) await ask(shelf, upstream, atMostMs)
    else if (now() - shelf.list.fetchedMs > atMostMs) await ask(shelf, upstream, atMostMs)
    else if (now() - shelf.list.fetchedMs > RENEW_AFTER_MS)
      ask(shelf, upstream, RENEW_AFTER_MS).catch(IGNORE_FAILURE)
    if (shelf.list !== null) return shelf.list
    throw new AppError(
      'price_unknown',
      'The list of models and prices is unavailable at the moment. Nothing was charged.',
      { retryAfterSeconds: RETRY_MS / 1000 },
    )
  }

  function atHand(upstream: ModelUpstream): ModelList | null {
    const list = shelves.get(addressOf(upstream))?.list ?? null
    return list !== null && now() - list.fetchedMs <= RENEW_AFTER_MS ? list : null
  }

  function ask(shelf: Shelf, upstream: ModelUpstream, atMostMs: number): Promise<void> {
    if (shelf.asking === null && now() - shelf.askedMs < RETRY_MS) return Promise.resolve()
    shelf.asking ??= renew(shelf, upstream, atMostMs).finally(() => {
      shelf.asking = null
    })
    return shelf.asking
  }

  // Another process may have just stored a list. While the upstream is unavailable, a new process
  // uses the stored one.
  async function renew(shelf: Shelf, upstream: ModelUpstream, atMostMs: number): Promise<void> {
    shelf.askedMs = now()
    const stored = upstream.remembersList ? await readStored(database, upstream) : null
    if (stored !== null && stored.fetchedMs > (shelf.list?.fetchedMs ?? 0)) shelf.list = stored
    if (shelf.list !== null && now() - shelf.list.fetchedMs <= Math.min(atMostMs, RENEW_AFTER_MS))
      return
    const body = await fetchList(upstream)
    const list = listIn(body, now())
    if (list === null) return
    shelf.list = list
    if (upstream.remembersList) await store(database, upstream, body, list.fetchedMs)
  }

  return { of, atHand }
}

/** Fetches an upstream's current models; null if it does not return a list. */
export async function fetchModels(upstream: ModelUpstream, now: Clock): Promise<ModelList | null> {
  return listIn(await fetchList(upstream), now())
}

function listIn(body: unknown, fetchedMs: number): ModelList | null {
  const models = readModelList(body)
  return models === null ? null : { models: byId(models), fetchedMs }
}

/** All pages of the list. Null if the upstream does not return JSON. */
async function fetchList(upstream: ModelUpstream): Promise<unknown> {
  const deadline = new Deadline(FETCH_TIMEOUT_MS)
  const pages = new Map<string, unknown>()
  let bytesLeft = MAX_LIST_BYTES
  try {
    for (
      let path: string | null = `${upstream.basePath}/models`;
      path !== null && !pages.has(path) && pages.size < MOST_PAGES;
      path = nextPage(upstream, path, pages.get(path))
    ) {
      const request = {
        origin: upstream.origin,
        path,
        method: 'GET',
        headers: { accept: 'application/json', ...headersFor(upstream, 'list') },
        body: null,
      } as const
      const { status, text } = await exchange(upstream.dispatcher, request, {
        deadline,
        maxBytes: bytesLeft,
      })
      if (status !== 200) return null
      bytesLeft -= text.length
      pages.set(path, JSON.parse(text))
    }
    const [first, ...further] = pages.values()
    return further.length === 0
      ? first
      : { data: [first, ...further].flatMap((page) => listedIn(page)) }
  } catch {
    // After any error, the last list stays in use; without one, callers get an error.
    return null
  } finally {
    deadline.end()
  }
}

/** The path of the next page on the same host; null after the last one. */
function nextPage({ origin }: ModelUpstream, path: string, page: unknown): string | null {
  const { next } = fieldsOf(fieldsOf(page)['links'])
  const url = typeof next === 'string' ? URL.parse(next, `${origin}${path}`) : null
  return url === null || url.origin !== origin || listedIn(page).length === 0
    ? null
    : `${url.pathname}${url.search}`
}

function listedIn(page: unknown): readonly unknown[] {
  const { data } = fieldsOf(page)
  return Array.isArray(data) ? data : []
}

async function readStored(database: Database, upstream: ModelUpstream): Promise<ModelList | null> {
  const { rows } = await database.query<{ fetched_ms: bigint; models: unknown }>(
    'select fetched_ms, models from model_lists where address = $1',
    [addressOf(upstream)],
  )
  const models = rows[0] === undefined ? null : readModelList(rows[0].models)
  return rows[0] === undefined || models === null
    ? null
    : { models: byId(models), fetchedMs: Number(rows[0].fetched_ms) }
}

async function store(
  database: Database,
  upstream: ModelUpstream,
  body: unknown,
  fetchedMs: number,
): Promise<void> {
  await database.query(
    `insert into model_lists (address, fetched_ms, models) values ($1, $2, $3)
     on conflict (address) do update set fetched_ms = excluded.fetched_ms, models = excluded.models where model_lists.fetched_ms < excluded.fetched_ms`,
    [addressOf(upstream), fetchedMs, JSON.stringify(pickReadFields(body))],
  )
}

function byId(models: readonly Model[]): ReadonlyMap<string, Model> {
  return new Map(models.map((model) => [model.id, model]))
}
