/** The proxy parameter of cloud browsers, and its form for vendors. */
import { Type, type Static } from '../../lib/schema.ts'
import { params } from './define.ts'
import { countryCode, flag } from './fields.ts'

export const proxies = Type.Union(
  [
    flag('Use a proxy in any country.'),
    countryCode('Two-letter country code.'),
    params({ country: countryCode('Two-letter country code.') }),
  ],
  {
    description: 'true for a proxy in any country, or a country: "us" or {"country": "us"}.',
  },
)

export type Proxies = Static<typeof proxies>

/** A flag is passed through. A country becomes a list with one proxy of the vendor's `type`. */
export function vendorProxies(choice: Proxies | undefined, type: string): unknown {
  if (choice === undefined || typeof choice === 'boolean') return choice
  const country = typeof choice === 'string' ? choice : choice.country
  return [{ type, geolocation: { country: country.toUpperCase() } }]
}
