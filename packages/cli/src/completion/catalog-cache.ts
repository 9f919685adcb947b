/** Names of actions and their inputs for completion, stored for a day in the user's cache folder. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connect } from '../connect/connect.ts'
import { cacheFolder } from '../connect/profiles.ts'
import { inputsOf, readDescriptor } from '../input/descriptor.ts'
import { choicesOf, flagOf, isSwitchInput } from '../input/input-flags.ts'
import type { Terminal } from '../terminal.ts'

/** Names with a short description. */
export type Names = Readonly<Record<string, string>>
/** Flags of an action; the choices of those that have only some values. */
export type ActionFlags = Readonly<
  Record<string, { readonly about: string; readonly choices: readonly string[] }>
>

const FRESH_MS = 24 * 3_600_000
/** A person waits for the completion. */
const TIMEOUT_MS = 3_000

type CatalogIndex = {
  readonly services: readonly {
    readonly service: string
    readonly actions: readonly { readonly action: string; readonly summary: string }[]
  }[]
}

type CacheDeps = { readonly terminal: Terminal; readonly connect: Connect }

/** All actions by "service/action". Empty without a gateway. */
export function readActionNames(deps: CacheDeps): Promise<Names> {
  return readCached(deps, 'actions', {}, async (signal) => {
    const { services } = await deps.connect
      .openPublic({ retries: 0 })
      .request<CatalogIndex>('GET', '/api/run', undefined, { signal })
    return Object.fromEntries(
      services.flatMap(({ service, actions }) =>
        actions.map(({ action, summary }) => [`${service}/${action}`, summary]),
      ),
    )
  })
}

/** The flags of an action. Empty without a gateway, and for an unknown action. */
export function readActionFlags(
  deps: CacheDeps,
  action: string,
  endpoint: string | undefined,
): Promise<ActionFlags> {
  const name = `${action} ${endpoint ?? ''}`
  return readCached(deps, name, {}, async (signal) => {
    const client = deps.connect.openPublic({ retries: 0 })
    const descriptor = await readDescriptor(client, action, endpoint, signal)
    const inputs = Object.entries({ ...inputsOf(descriptor), ...descriptor.call_params })
    return Object.fromEntries(
      inputs.map(([input, schema]) => [
        flagOf(input),
        {
          about: schema.description ?? '',
          choices:
            input === 'endpoint' && descriptor.endpoints !== undefined
              ? descriptor.endpoints.map(({ endpoint: path }) => path)
              : (choicesOf(schema.items ?? schema) ??
                (isSwitchInput(schema) ? ['true', 'false'] : [])),
        },
      ]),
    )
  })
}

/** The stored value if it is fresh, else the value of `read`; an old value if that fails. */
async function readCached<Value>(
  { terminal, connect }: CacheDeps,
  name: string,
  usual: Value,
  read: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  try {
    const { url } = connect.address()
    const hash = createHash('sha256').update(`${url} ${name}`).digest('hex').slice(0, 24)
    const path = join(cacheFolder(terminal.environment), `${hash}.json`)
    const stored = readStored(path)
    if (stored !== null && stored.isFresh) return stored.value as Value
    try {
      const value = await read(AbortSignal.timeout(TIMEOUT_MS))
      store(path, value)
      return value
    } catch {
      return (stored?.value as Value | undefined) ?? usual
    }
  } catch {
    // Completion never prints errors.
    return usual
  }
}

function readStored(path: string): { readonly value: unknown; readonly isFresh: boolean } | null {
  try {
    const isFresh = Date.now() - statSync(path).mtimeMs < FRESH_MS
    return { value: JSON.parse(readFileSync(path, 'utf8')) as unknown, isFresh }
  } catch {
    return null
  }
}

function store(path: string, value: unknown): void {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify(value), { mode: 0o600 })
  renameSync(draft, path)
}
