/** Proxies of a cloud browser, as callers ask for them and as vendors take them. */
import { Type, type Static } from 'typebox'
import { params } from './define.ts'
import { countryCode, flag } from './fields.ts'

export const proxies = Type.Union(
  [
    flag('Any.'),
    countryCode('Country of two letters.'),
    params({ country: countryCode('Country of two letters.') }),
  ],
  {
    description: 'true for a proxy anywhere, or one of a country: "us" or {"country": "us"}.',
  },
)

export type Proxies = Static<typeof proxies>

/** A flag stays as it is; a country becomes a list of one proxy of the vendor's `type`. */
export function vendorProxies(asked: Proxies | undefined, type: string): unknown {
  if (asked === undefined || typeof asked === 'boolean') return asked
  const country = typeof asked === 'string' ? asked : asked.country
  return [{ type, geolocation: { country: country.toUpperCase() } }]
}
