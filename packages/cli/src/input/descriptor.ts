/** An action as the gateway describes it: GET /api/run/{service}/{action}. */
import type { Tollgate } from '../../../sdk/src/index.ts'
import { UsageError } from '../usage-error.ts'

export type Schema = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly 'x-unit'?: string
}

export type Descriptor = {
  readonly service: string
  readonly action: string
  readonly summary: string
  readonly description: string
  readonly price: { readonly text: string }
  readonly billing: Readonly<Record<string, unknown>>
  readonly params: Schema
  readonly required_params: readonly string[]
  readonly required_one_of: readonly (readonly string[])[]
  readonly call_params: Readonly<Record<string, Schema>>
  readonly returns?: Schema
  readonly example: Readonly<Record<string, unknown>>
  readonly live: string | null
  readonly timeout_ms: number
  readonly content_trust?: string | null
  /** Of an action whose inputs depend on "endpoint". */
  readonly endpoints?: readonly {
    readonly endpoint: string
    readonly summary: string
    readonly required_params: readonly string[]
  }[]
}

/** "core/onescrape", or the path of an endpoint after it: "trends/fetch/trend". Throws UsageError. */
export function readActionName(text: string): string {
  const name = text.replace(/^\/?(?:api\/run\/)?/, '').replace(/\/$/, '')
  if (/^[\w-]+\/[\w-]+$/.test(name)) return name
  throw new UsageError(
    `"${text}" is not the name of an action.`,
    'Write it as SERVICE/ACTION, such as core/onescrape. "search" finds actions.',
  )
}

/** Throws TollgateError, with suggestions for an unknown name. */
export async function readDescriptor(
  client: Tollgate,
  action: string,
  endpoint: string | undefined,
  signal: AbortSignal,
): Promise<Descriptor> {
  const query = endpoint === undefined ? '' : `?endpoint=${encodeURIComponent(endpoint)}`
  return client.request<Descriptor>('GET', `/api/run/${action}${query}`, undefined, { signal })
}

/** The inputs of an action by name, the endpoint's included. */
export function inputsOf({ params }: Descriptor): Readonly<Record<string, Schema>> {
  // Before an endpoint is chosen, only the endpoint is an input.
  return params.properties ?? { endpoint: { type: 'string' } }
}
