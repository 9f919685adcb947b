/** The filters of the property search: ranges with `_min` and `_max`, flags, and the rest. */
import { Type, type TOptional, type TSchema } from 'typebox'
import { flag, list, optional, text } from '../../fields.ts'

const NUMBERS =
  'assessed_value assessed_land_value assessed_improvement_value baths beds building_size deck_area estimated_equity last_sale_price lot_size ltv median_income mls_days_on_market mls_listing_price mortgage pool_area portfolio_equity portfolio_mortgage_balance portfolio_value portfolio_purchased_last6 portfolio_purchased_last12 prior_owner_months_owned properties_owned rooms stories tax_delinquent_year units value year_built years_owned'
const DATES = 'auction_date foreclosure_date last_sale_date last_update_date pre_foreclosure_date'
const FLAGS =
  'absentee_owner adjustable_rate assumable auction cash_buyer corporate_owned death flood_zone foreclosure free_clear high_equity hoa individual_owned inherited in_state_owner investor_buyer judgment last_sale_arms_length mfh_2to4 mfh_5plus mls_active mls_pending mls_cancelled mls_sold out_of_state_owner pool pre_foreclosure private_lender quit_claim reo tax_lien trust_owned vacant attic basement carport deck garage patio rv_parking fire_sprinklers'
const TEXTS = 'county house street apn fips neighborhood_id neighborhood_name census_tract census_block notice_type property_use_code'

const words = (names: string) => names.split(' ')
const spoken = (name: string) => name.replaceAll('_', ' ')

type Filters = Record<string, TOptional>

function ranges(names: string, bound: (description: string) => TSchema): Filters {
  return Object.fromEntries(
    words(names).flatMap((name) => [
      [`${name}_min`, optional(bound(`Least ${spoken(name)}.`))],
      [`${name}_max`, optional(bound(`Most ${spoken(name)}.`))],
    ]),
  )
}

const number = (description: string) => Type.Number({ description })
const date = (description: string) => text(`${description} YYYY-MM-DD.`, 10, { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })

export const searchFilters: Filters = {
  ...ranges(NUMBERS, number),
  ...ranges(DATES, date),
  ...Object.fromEntries(words(FLAGS).map((name) => [name, optional(flag(`Only properties for which this holds: ${spoken(name)}.`))])),
  ...Object.fromEntries(words(TEXTS).map((name) => [name, optional(text(`Only properties of this ${spoken(name)}.`, 200))])),
  property_type: optional(Type.Enum(['SFR', 'MFR', 'LAND', 'CONDO', 'OTHER', 'MOBILE'], { description: 'Type of the property.' })),
  ids: optional(list('Only these properties.', Type.String({ minLength: 1, maxLength: 40 }), 250)),
}
