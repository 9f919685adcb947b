import { AppError } from '../../errors/app-error.ts'
import type { EgressProxy } from '../../upstream/proxies/egress-proxy.ts'

export type ProxyKind = 'datacenter' | 'residential'
/** Kinds are tried in their order. */
export type ProxyWish = {
  readonly kinds: readonly ProxyKind[]
  /** A country code or the name of a country. */
  readonly country?: string | undefined
  /** The parameter that contains the country. */
  readonly param: string
}

/**
 * The proxies that serve a wish, by the first kind that has any. Throws AppError invalid_params,
 * naming the parameter, for a country without a proxy.
 */
export function proxiesFor(
  proxies: readonly EgressProxy[],
  { kinds, country, param }: ProxyWish,
): readonly EgressProxy[] {
  const suitable = kinds
    .map((kind) =>
      proxies.filter(({ isResidential }) => isResidential === (kind === 'residential')),
    )
    .map((ofKind) =>
      country === undefined ? ofKind : ofKind.filter((proxy) => isIn(proxy.country, country)),
    )
    .find((found) => found.length > 0)
  if (suitable !== undefined) return suitable
  if (country === undefined) return []
  const served = proxies.filter(({ isResidential }) =>
    kinds.includes(isResidential ? 'residential' : 'datacenter'),
  )
  const names = [...new Set(served.map((proxy) => proxy.country))].toSorted()
  throw new AppError(
    'invalid_params',
    `This gateway has no proxy in "${country}". Nothing was charged.`,
    {
      param,
      fix:
        names.length === 0
          ? `Remove "${param}". The operator of this gateway can add proxies with EGRESS_PROXIES.`
          : `Use one of ${names.join(', ')}, or remove "${param}".`,
    },
  )
}

const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

function isIn(code: string, country: string): boolean {
  const wanted = country.trim().toLowerCase()
  return wanted === code || wanted === regionNames.of(code.toUpperCase())?.toLowerCase()
}
