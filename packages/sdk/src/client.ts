import type { Data } from './data.ts'
import { toCatalogName } from './names.ts'
import { readResult, type Result } from './result.ts'
import { readSettings, type TollgateSettings } from './settings.ts'
import { createTransport, type CallOptions, type Transport } from './transport.ts'

/** The client without the types of the services. `Tollgate` has both. */
export class Client {
  readonly #transport: Transport

  /** Throws TollgateError invalid_settings without a key or an address. */
  constructor(settings: TollgateSettings = {}) {
    this.#transport = createTransport(readSettings(settings))
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
    const path = `/api/run/${action.split('/').map(encodeURIComponent).join('/')}`
    return readResult<Answer>(
      await this.#transport.send({ method: 'POST', path, body: input }, options),
    )
  }
}

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

/** An object whose members are the actions of the service: each name is one. */
function openService(client: Client, service: string): object {
  return new Proxy(Object.create(null) as object, {
    get: (_, name) =>
      typeof name === 'symbol' || NOT_IN_CATALOG.includes(name)
        ? undefined
        : (input?: object, options?: CallOptions) =>
            client.run(`${service}/${toCatalogName(name)}`, input, options),
  })
}
