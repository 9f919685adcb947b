import type { DomainNames, RecordKind } from './public-names.ts'

export type MailServer = { readonly exchange: string; readonly priority: number }

/**
 * Where a domain receives email: at its MX records in their order, or without any at its own
 * address (RFC 5321). `none`: it has neither, or a null MX (RFC 7505).
 */
export type MailRoute =
  | { readonly kind: 'mx'; readonly servers: readonly MailServer[] }
  | { readonly kind: 'address'; readonly servers: readonly MailServer[] }
  | { readonly kind: 'none'; readonly servers: readonly [] }

/** Owners of domains choose the number, and routes are cached. */
const MOST_SERVERS = 20

export type ResolveNames = DomainNames['resolve']

/** The servers of the MX records, at most 20, the preferred one first. Empty for a null MX. */
export async function mailServers(
  { resolve }: { readonly resolve: ResolveNames },
  domain: string,
): Promise<readonly MailServer[]> {
  return inOrder((await resolve(domain, 'MX')) as readonly MailServer[])
}

/** Rejects if the lookup failed. */
export async function findMailRoute(
  { resolve }: { readonly resolve: ResolveNames },
  domain: string,
): Promise<MailRoute> {
  const records = (await resolve(domain, 'MX')) as readonly MailServer[]
  const servers = inOrder(records)
  if (servers.length > 0) return { kind: 'mx', servers }
  if (records.length > 0) return { kind: 'none', servers: [] }
  const kinds: readonly RecordKind[] = ['A', 'AAAA']
  for (const kind of kinds)
    if ((await resolve(domain, kind)).length > 0)
      return { kind: 'address', servers: [{ exchange: domain, priority: 0 }] }
  return { kind: 'none', servers: [] }
}

/** An empty name is a null MX: the domain accepts no email. */
function inOrder(records: readonly MailServer[]): readonly MailServer[] {
  return records
    .filter(({ exchange }) => exchange !== '' && exchange !== '.')
    .toSorted((one, other) => one.priority - other.priority)
    .slice(0, MOST_SERVERS)
}
