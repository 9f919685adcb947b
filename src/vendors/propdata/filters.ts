/** The filters of the property search: ranges with `_min` and `_max`, flags, and the rest. */
import { Type, type TOptional, type TSchema } from '../../lib/schema.ts'
import { flag, list, optional, text } from '../../catalog/vocabulary/fields.ts'

const NUMBERS =
  'assessed_value assessed_land_value assessed_improvement_value baths beds building_size deck_area estimated_equity last_sale_price lot_size ltv median_income mls_days_on_market mls_listing_price mortgage pool_area portfolio_equity portfolio_mortgage_balance portfolio_value portfolio_purchased_last6 portfolio_purchased_last12 prior_owner_months_owned properties_owned rooms stories tax_delinquent_year units value year_built years_owned'
const DATES = 'auction_date foreclosure_date last_sale_date last_update_date pre_foreclosure_date'
const FLAGS =
  'absentee_owner adjustable_rate assumable auction cash_buyer corporate_owned death flood_zone foreclosure free_clear high_equity hoa individual_owned inherited in_state_owner investor_buyer judgment last_sale_arms_length mfh_2to4 mfh_5plus mls_active mls_pending mls_cancelled mls_sold out_of_state_owner pool pre_foreclosure private_lender quit_claim reo tax_lien trust_owned vacant attic basement carport deck garage patio rv_parking fire_sprinklers'
const TEXTS =
  'county house street apn fips neighborhood_id neighborhood_name census_tract census_block notice_type property_use_code'

/** Descriptions of names that are not clear by themselves. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  baths: 'number of bathrooms',
  beds: 'number of bedrooms',
  building_size: 'living area in square feet',
  estimated_equity: 'estimated equity of the owner in US dollars',
  last_sale_price: 'price of the last sale in US dollars',
  lot_size: 'lot size in square feet',
  ltv: 'loan to value in percent',
  median_income: 'median income of the area in US dollars',
  mls_days_on_market: 'number of days on the market (MLS)',
  mls_listing_price: 'asking price (MLS) in US dollars',
  mortgage: 'balance of the mortgages in US dollars',
  portfolio_purchased_last6: 'number of properties that the owner bought in the last 6 months',
  portfolio_purchased_last12: 'number of properties that the owner bought in the last 12 months',
  prior_owner_months_owned: 'number of months that the previous owner owned it',
  properties_owned: 'number of properties that the owner has',
  stories: 'number of floors',
  tax_delinquent_year: 'first year with unpaid taxes',
  units: 'number of units',
  value: 'estimated value in US dollars',
  year_built: 'year of construction',
  years_owned: 'number of years that the owner has owned it',
  absentee_owner: 'the owner lives elsewhere',
  adjustable_rate: 'the mortgage has an adjustable rate',
  assumable: 'the mortgage is assumable',
  auction: 'an auction is scheduled',
  cash_buyer: 'the buyer paid cash',
  corporate_owned: 'a company is the owner',
  death: 'the owner has died',
  flood_zone: 'the location is a flood zone',
  foreclosure: 'foreclosure is in progress',
  free_clear: 'no mortgage exists',
  high_equity: 'the owner has high equity',
  hoa: 'a homeowners association exists',
  individual_owned: 'a person is the owner',
  inherited: 'the owner inherited the property',
  in_state_owner: 'the owner lives in the same state',
  investor_buyer: 'the buyer was an investor',
  judgment: 'a judgment is recorded',
  last_sale_arms_length: "the last sale was at arm's length",
  mfh_2to4: 'the building has 2 to 4 units',
  mfh_5plus: 'the building has 5 or more units',
  mls_active: 'a listing is active',
  mls_pending: 'a sale is pending',
  mls_cancelled: 'the listing was cancelled',
  mls_sold: 'the last sale was through a listing (MLS)',
  out_of_state_owner: 'the owner lives in another state',
  pool: 'there is a pool',
  pre_foreclosure: 'a pre-foreclosure notice exists',
  private_lender: 'a private lender holds the mortgage',
  quit_claim: 'a quitclaim deed transferred the property',
  reo: 'a bank owns the property',
  tax_lien: 'there is a tax lien',
  trust_owned: 'a trust owns the property',
  vacant: 'the building is vacant',
  attic: 'there is an attic',
  rv_parking: 'there is RV parking',
  fire_sprinklers: 'there are fire sprinklers',
  apn: 'parcel number (APN)',
  fips: 'county code (FIPS)',
  house: 'house number',
}

const words = (names: string) => names.split(' ')
const describe = (name: string) => DESCRIPTIONS[name] ?? name.replaceAll('_', ' ')

type Filters = Record<string, TOptional>

function ranges(
  names: string,
  bound: (description: string) => TSchema,
  [least, most]: readonly [string, string],
): Filters {
  return Object.fromEntries(
    words(names).flatMap((name) => [
      [`${name}_min`, optional(bound(`${least} ${describe(name)}.`))],
      [`${name}_max`, optional(bound(`${most} ${describe(name)}.`))],
    ]),
  )
}

const number = (description: string) => Type.Number({ description })
const date = (description: string) =>
  text(`${description} YYYY-MM-DD.`, 10, { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })

export const searchFilters: Filters = {
  ...ranges(NUMBERS, number, ['Minimum', 'Maximum']),
  ...ranges(DATES, date, ['Earliest', 'Latest']),
  ...Object.fromEntries(
    words(FLAGS).map((name) => [
      name,
      optional(
        flag(
          `Only properties where ${DESCRIPTIONS[name] ?? `there is a ${name.replaceAll('_', ' ')}`}.`,
        ),
      ),
    ]),
  ),
  ...Object.fromEntries(
    words(TEXTS).map((name) => [
      name,
      optional(text(`Only properties with this ${describe(name)}.`, 200)),
    ]),
  ),
  property_type: optional(
    Type.Enum(['SFR', 'MFR', 'LAND', 'CONDO', 'OTHER', 'MOBILE'], {
      description:
        'Type of the property: SFR single-family house, MFR multi-family building, LAND, CONDO, MOBILE mobile home, OTHER.',
    }),
  ),
  ids: optional(
    list('Only properties with these ids.', Type.String({ minLength: 1, maxLength: 40 }), 250),
  ),
}
