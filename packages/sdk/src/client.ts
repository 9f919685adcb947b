import type { Services } from './actions.d.ts'
import { mintChild, type BudgetOptions } from './budget.ts'
import { createChat, type Chat } from './chat.ts'
import type { Data } from './data.ts'
import type { TollgateEvent } from './event.ts'
import { readEvents, type EventOptions } from './events.ts'
import { createFileHelpers, type Files } from './files.ts'
import type { Job } from './job-types.ts'
import { waitForJob, watchJob, type JobLike, type WatchOptions } from './jobs.ts'
import { toCatalogName } from './names.ts'
import { applyLock } from './price-lock.ts'
import { readJson, readResult, type Result } from './result.ts'
import { readSettings, type TollgateSettings } from './settings.ts'
import { createTransport, type ApiRequest, type CallOptions, type Transport } from './transport.ts'

/** The client without the types of the services. `Tollgate` has both. */
export class Client {
  readonly chat: Chat
  readonly files: Files
  readonly #transport: Transport
  readonly #settings: TollgateSettings

  /** Throws TollgateError invalid_settings without a key or an address. */
  constructor(settings: TollgateSettings = {}) {
    const transport = createTransport(readSettings(settings))
    this.#settings = settings
    this.#transport = transport
    this.chat = createChat(transport)
    this.files = openService(this, 'files', createFileHelpers(transport, this.#call)) as Files
    return new Proxy(this, { get: findMember })
  }

  /**
   * Runs an action by its name in the catalog, such as "core/onescrape". Throws TollgateError.
   * `Answer` is the type of `data`.
   */
  async run<Answer = Data>(
    action: string,
    input: object = {},
    options: CallOptions = {},
  ): Promise<Result<Answer>> {
    return this.#call<Answer>(action, applyLock(this.#settings.lock, action, input), options)
  }

  /**
   * Calls another route of the HTTP API, such as GET /api/v1/balance, and returns its whole response.
   * Throws TollgateError.
   */
  async request<Answer extends object = Data>(
    method: ApiRequest['method'],
    path: `/${string}`,
    body?: object,
    options: CallOptions = {},
  ): Promise<Answer> {
    return readJson(await this.#transport.send({ method, path, body }, options)) as Answer
  }

  /** The finished job. Throws TollgateError with the code of a failed job. */
  waitFor<Answer>(
    job: JobLike<Answer>,
    options: WatchOptions = {},
  ): Promise<Job<Answer> & { readonly result: Answer }> {
    return waitForJob(this.#readJob, job, options)
  }

  /** The states of a job, with its progress, until its end. */
  watch<Answer>(
    job: JobLike<Answer>,
    options: WatchOptions = {},
  ): AsyncGenerator<Job<Answer>, void, void> {
    return watchJob(this.#readJob, job, options)
  }

  /** The events of the account, in order; waits for later ones. */
  events(options: EventOptions = {}): AsyncGenerator<TollgateEvent, void, void> {
    return readEvents(this.#transport, options)
  }

  /**
   * Runs `work` with a client that may spend at most `cents`, and ends its key afterwards. If that
   * fails, the key ends at its expiry. Requires a primary key, or a key with `may_mint`.
   */
  async withBudget<Outcome>(
    cents: number,
    work: (child: Tollgate) => Promise<Outcome>,
    options: BudgetOptions = {},
  ): Promise<Outcome> {
    const child = await mintChild(this.#transport, cents, options)
    try {
      return await work(new Client({ ...this.#settings, key: child.key }) as Tollgate)
    } finally {
      // The outcome of the work counts more than a key that expires by itself.
      await child.end().catch(() => {})
    }
  }

  /** Also for the free calls of helpers, which need no lock. */
  readonly #call = async <Answer>(
    action: string,
    body: object,
    options: CallOptions,
  ): Promise<Result<Answer>> => {
    const path = `/api/run/${action.split('/').map(encodeURIComponent).join('/')}`
    return readResult<Answer>(await this.#transport.send({ method: 'POST', path, body }, options))
  }

  readonly #readJob = (input: object, options: CallOptions): Promise<Result<Job>> =>
    this.#call<Job>('core/result', input, options)
}

/** A client of one gateway with one key. Each service of the catalog is a member of it. */
export type Tollgate = Client & Omit<Services, keyof Client>

/**
 * Throws TollgateError invalid_settings without a key or an address. An action that is newer than
 * the types is called at run time, too.
 */
export const Tollgate = Client as new (settings?: TollgateSettings) => Tollgate

/** `await` and JSON.stringify look for these on every object. */
const NOT_IN_CATALOG = ['then', 'toJSON']

/** Members of the client, and every other name as a service of the catalog. */
function findMember(client: Client, name: string | symbol): unknown {
  if (typeof name === 'symbol' || name in client) {
    const member: unknown = Reflect.get(client, name, client)
    return typeof member === 'function' && name !== 'constructor'
      ? (member as (...given: unknown[]) => unknown).bind(client)
      : member
  }
  return NOT_IN_CATALOG.includes(name) ? undefined : openService(client, toCatalogName(name))
}

/** An object whose members are the actions of the service: each name that `own` does not have is one. */
function openService(client: Client, service: string, own: object = {}): object {
  return new Proxy(Object.assign(Object.create(null) as object, own), {
    get: (target, name): unknown =>
      typeof name === 'symbol' || NOT_IN_CATALOG.includes(name) || name in target
        ? Reflect.get(target, name)
        : (input?: object, options?: CallOptions) =>
            client.run(`${service}/${toCatalogName(name)}`, input, options),
  })
}
