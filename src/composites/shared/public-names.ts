/** Removes the records of private networks from DNS replies: the gateway uses the name servers of its own network. */
import { isInternalName } from '../../lib/internal-names.ts'
import { isInside, isPublicAddress, parseAddress, parseNetwork } from '../../lib/public-address.ts'

export type RecordKind = 'A' | 'AAAA' | 'MX' | 'NS' | 'TXT' | 'CAA' | 'CNAME'

/** Looks up DNS records. Empty for a missing name or kind. Rejects if the lookup failed. */
export type DomainNames = {
  readonly resolve: (domain: string, kind: RecordKind) => Promise<readonly unknown[]>
}

export type DomainRecords = {
  readonly records: Readonly<Partial<Record<RecordKind, readonly unknown[]>>>
  /** The number of records omitted because they belong to private networks. */
  readonly omitted: number
}

/** Looks up DNS records without those of private networks. */
export type PublicNames = DomainNames & {
  readonly lookUp: (domain: string, kinds: readonly RecordKind[]) => Promise<DomainRecords>
}

type Found = { readonly shown: readonly unknown[]; readonly omitted: number }

const NOTHING: Found = { shown: [], omitted: 0 }
/** Addresses for documentation (RFC 5737, 3849), which examples use. */
const DOCUMENTATION = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32'].map(
  parseNetwork,
)

/**
 * Omits private addresses and servers with internal names. Omits all records of a name that has only
 * private addresses. Caches the replies, so create one for each check.
 */
export function createPublicNames(names: DomainNames): PublicNames {
  const answers = new Map<string, Promise<Found>>()

  async function resolve(domain: string, kind: RecordKind): Promise<Found> {
    const all = await names.resolve(domain, kind)
    const shown = all.filter((record) => isShown(kind, record))
    return { shown, omitted: all.length - shown.length }
  }
  const resolveOnce = (domain: string, kind: RecordKind): Promise<Found> => {
    const key = `${kind} ${domain}`
    const answer = answers.get(key) ?? resolve(domain, kind)
    answers.set(key, answer)
    return answer
  }
  const isInternal = async (domain: string): Promise<boolean> => {
    const addresses = await Promise.all([resolveOnce(domain, 'A'), resolveOnce(domain, 'AAAA')])
    return (
      addresses.every(({ shown }) => shown.length === 0) &&
      addresses.some(({ omitted }) => omitted > 0)
    )
  }
  const find = async (domain: string, kind: RecordKind): Promise<Found> => {
    if (isInternalName(domain)) return NOTHING
    const [found, isHidden] = await Promise.all([resolveOnce(domain, kind), isInternal(domain)])
    return isHidden ? { shown: [], omitted: found.shown.length + found.omitted } : found
  }

  return {
    resolve: async (domain, kind) => (await find(domain, kind)).shown,
    async lookUp(domain, kinds) {
      const found = await Promise.all(
        kinds.map(async (kind) => [kind, await find(domain, kind)] as const),
      )
      return {
        records: Object.fromEntries(found.map(([kind, { shown }]) => [kind, shown])),
        omitted: found.reduce((sum, [, { omitted }]) => sum + omitted, 0),
      }
    },
  }
}

function isShown(kind: RecordKind, record: unknown): boolean {
  if (kind === 'A' || kind === 'AAAA') return isPublicRecord(String(record))
  const target =
    kind === 'MX'
      ? (record as { exchange?: unknown }).exchange
      : kind === 'CNAME' || kind === 'NS'
        ? record
        : undefined
  return typeof target !== 'string' || !target.includes('.') || !isInternalName(target)
}

function isPublicRecord(text: string): boolean {
  const address = parseAddress(text)
  return (
    address !== undefined &&
    (isPublicAddress(address) || DOCUMENTATION.some((network) => isInside(address, network)))
  )
}
