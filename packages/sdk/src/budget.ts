import { readJson } from './result.ts'
import type { CallOptions, Transport } from './transport.ts'

/** Settings of a child key; docs/keys.md describes them. */
export type BudgetOptions = Pick<CallOptions, 'signal'> & {
  readonly label?: string
  readonly external_id?: string
  /** Patterns of the only actions that the key may use, such as ["core/*"]. */
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly max_call_cents?: number
  /** The key expires after this time, even if this process dies. Default: 3600. */
  readonly ttl_s?: number
}

export type ChildKey = { readonly id: string; readonly key: string; end(): Promise<void> }

const CHILDREN = '/api/v1/agents/me/children'
const DEFAULT_TTL_S = 3_600

export async function mintChild(
  transport: Transport,
  cents: number,
  { signal, ...settings }: BudgetOptions,
): Promise<ChildKey> {
  const body = { ttl_s: DEFAULT_TTL_S, ...settings, ceiling_cents: cents }
  const answer = await transport.send(
    { method: 'POST', path: CHILDREN, body },
    signal === undefined ? {} : { signal },
  )
  const { id, key } = (readJson(answer) as { readonly data: { id: string; key: string } }).data
  return {
    id,
    key,
    end: async () => void (await transport.send({ method: 'DELETE', path: `${CHILDREN}/${id}` })),
  }
}
