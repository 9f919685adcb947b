/** From RentCast's OpenAPI document. */
import { Type } from '../../lib/schema.ts'
import {
  answer,
  count,
  flag,
  maybe,
  number,
  oneOf,
  open,
  record,
  records,
  text,
  time,
  type Returns,
  words,
} from '../../catalog/vocabulary/returns.ts'

const TYPES = [
  'Single Family',
  'Condo',
  'Townhouse',
  'Manufactured',
  'Multi-Family',
  'Apartment',
  'Land',
]
const usd = (description: string) => maybe(number(description, 'USD'))
const squareFeet = (description: string) => maybe(number(description, 'square feet'))

const place = {
  id: maybe(text('The id of the property, made from its address.')),
  formattedAddress: maybe(text('The full address.')),
  addressLine1: maybe(text('House number and street.')),
  addressLine2: maybe(text('The unit.')),
  city: maybe(text('The city.')),
  state: maybe(text('The state as two letters.')),
  stateFips: maybe(text('The FIPS code of the state.')),
  zipCode: maybe(text('The zip code.')),
  county: maybe(text('The county.')),
  countyFips: maybe(text('The FIPS code of the county.')),
  latitude: maybe(number('The latitude.', 'degrees')),
  longitude: maybe(number('The longitude.', 'degrees')),
}
const home = {
  ...place,
  propertyType: maybe(oneOf('The kind of property.', TYPES)),
  bedrooms: maybe(number('The number of bedrooms. 0 is a studio.')),
  bathrooms: maybe(number('The number of bathrooms. A half has no bath.')),
  squareFootage: squareFeet('The living area.'),
  lotSize: squareFeet('The area of the lot.'),
  yearBuilt: maybe(count('The year of construction.')),
}
const address = maybe(
  record('A postal address.', {
    id: maybe(text('The id of the address.')),
    formattedAddress: maybe(text('The full address.')),
    addressLine1: maybe(text('House number and street.')),
    addressLine2: maybe(text('The unit.')),
    city: maybe(text('The city.')),
    state: maybe(text('The state as two letters.')),
    zipCode: maybe(text('The zip code.')),
  }),
)
const byYear = (description: string, fields: Parameters<typeof records>[1]) =>
  maybe(
    Type.Record(Type.String(), Type.Object(fields, { additionalProperties: true }), {
      description: `${description} The keys are years.`,
    }),
  )

const property = {
  ...home,
  assessorID: maybe(text("The assessor's number of the parcel.")),
  legalDescription: maybe(text('The legal description of the lot.')),
  subdivision: maybe(text('The subdivision.')),
  zoning: maybe(text('The code of the permitted use.')),
  lastSaleDate: maybe(time('When the property was last sold.')),
  lastSalePrice: usd('The price of the last sale.'),
  hoa: maybe(record("The owners' association.", { fee: usd('The monthly fee.') })),
  features: maybe(
    record('The building.', {
      architectureType: maybe(text('The style.')),
      cooling: maybe(flag('Whether it has cooling.')),
      coolingType: maybe(text('The kind of cooling.')),
      exteriorType: maybe(text('The material of the walls.')),
      fireplace: maybe(flag('Whether it has a fireplace.')),
      fireplaceType: maybe(text('The kind of fireplace.')),
      floorCount: maybe(number('The number of floors.')),
      foundationType: maybe(text('The kind of foundation.')),
      garage: maybe(flag('Whether it has a garage.')),
      garageSpaces: maybe(number('The number of cars in the garage.')),
      garageType: maybe(text('The kind of garage.')),
      heating: maybe(flag('Whether it has heating.')),
      heatingType: maybe(text('The kind of heating.')),
      pool: maybe(flag('Whether it has a pool.')),
      poolType: maybe(text('The kind of pool.')),
      roofType: maybe(text('The material of the roof.')),
      roomCount: maybe(number('The number of rooms.')),
      unitCount: maybe(number('The number of homes in the building.')),
      viewType: maybe(text('The view.')),
    }),
  ),
  taxAssessments: byYear('The values for the property tax.', {
    year: maybe(count('The year.')),
    value: usd('The whole value.'),
    land: usd('The value of the land.'),
    improvements: usd('The value of the buildings.'),
  }),
  propertyTaxes: byYear('The property taxes.', {
    year: maybe(count('The year.')),
    total: usd('The tax.'),
  }),
  history: maybe(
    Type.Record(
      Type.String(),
      Type.Object(
        {
          event: maybe(text('The event, such as "Sale".')),
          date: maybe(time('The day.')),
          price: usd('The price.'),
        },
        { additionalProperties: true },
      ),
      { description: 'The sales. The keys are days.' },
    ),
  ),
  owner: maybe(
    record('The owner.', {
      names: maybe(words('The names.')),
      type: maybe(oneOf('The kind of owner.', ['Individual', 'Organization'])),
      mailingAddress: address,
    }),
  ),
  ownerOccupied: maybe(flag('Whether the owner lives there.')),
}

const contact = (description: string) =>
  maybe(
    record(description, {
      name: maybe(text('The name.')),
      phone: maybe(text('The phone number.')),
      email: maybe(text('The email address.')),
      website: maybe(text('The website.')),
    }),
  )
const listing = {
  ...home,
  status: maybe(oneOf('Whether the home is still offered.', ['Active', 'Inactive'])),
  price: usd('The asking price, or the rent of a month.'),
  listingType: maybe(text('The kind of offer, such as "Standard" or "Foreclosure".')),
  listedDate: maybe(time('When it was offered.')),
  removedDate: maybe(time('When the offer ended.')),
  createdDate: maybe(time('When the vendor first saw it.')),
  lastSeenDate: maybe(time('When the vendor last saw it.')),
  daysOnMarket: maybe(count('How long it has been offered.', 'days')),
  mlsName: maybe(text('The multiple listing service.')),
  mlsNumber: maybe(text('Its number of the offer.')),
  listingAgent: contact('The agent.'),
  listingOffice: contact("The agent's company."),
  builder: contact('The builder of a new home.'),
  hoa: maybe(record("The owners' association.", { fee: usd('The monthly fee.') })),
  history: maybe(open('Earlier offers by day.')),
}

const comparable = {
  ...listing,
  distance: maybe(number('The distance to the property.', 'miles')),
  daysOld: maybe(number('The age of the offer.', 'days')),
  correlation: maybe(number('The similarity to the property, from 0 to 1.')),
}
const estimated = {
  subjectProperty: maybe(record('The property.', property)),
  comparables: maybe(records('The offers that the estimate is based on.', comparable)),
  latitude: maybe(number('The latitude of the property.', 'degrees')),
  longitude: maybe(number('The longitude of the property.', 'degrees')),
}

const spread = (prefix: string, what: string) => ({
  [`average${prefix}`]: usd(`The mean ${what}.`),
  [`median${prefix}`]: usd(`The median ${what}.`),
  [`min${prefix}`]: usd(`The lowest ${what}.`),
  [`max${prefix}`]: usd(`The highest ${what}.`),
  [`average${prefix}PerSquareFoot`]: usd(`The mean ${what} of a square foot.`),
  [`median${prefix}PerSquareFoot`]: usd(`The median ${what} of a square foot.`),
  [`min${prefix}PerSquareFoot`]: usd(`The lowest ${what} of a square foot.`),
  [`max${prefix}PerSquareFoot`]: usd(`The highest ${what} of a square foot.`),
})
const market = (description: string, prefix: string, what: string) => {
  const figures = {
    ...spread(prefix, what),
    averageSquareFootage: squareFeet('The mean living area.'),
    medianSquareFootage: squareFeet('The median living area.'),
    minSquareFootage: squareFeet('The smallest living area.'),
    maxSquareFootage: squareFeet('The largest living area.'),
    averageDaysOnMarket: maybe(number('The mean time on the market.', 'days')),
    medianDaysOnMarket: maybe(number('The median time on the market.', 'days')),
    minDaysOnMarket: maybe(number('The shortest time on the market.', 'days')),
    maxDaysOnMarket: maybe(number('The longest time on the market.', 'days')),
    newListings: maybe(count('The number of new offers.')),
    totalListings: maybe(count('The number of all offers.')),
  }
  return maybe(
    record(description, {
      lastUpdatedDate: maybe(time('When the figures were computed.')),
      ...figures,
      dataByPropertyType: maybe(
        records('The figures by kind of property.', {
          propertyType: maybe(oneOf('The kind of property.', TYPES)),
          ...figures,
        }),
      ),
      dataByBedrooms: maybe(
        records('The figures by size.', {
          bedrooms: maybe(number('The number of bedrooms.')),
          ...figures,
        }),
      ),
      history: maybe(open('The figures by month. The keys are months such as "2026-10".')),
    }),
  )
}

export const returns: Returns = {
  properties: answer({ properties: records('The properties.', property) }),
  'sale-listings': answer({ listings: records('The homes for sale.', listing) }),
  'rental-listings': answer({ listings: records('The homes for rent.', listing) }),
  'market-stats': answer({
    id: maybe(text('The id of the area: its zip code.')),
    zipCode: maybe(text('The zip code.')),
    saleData: market('The market of homes for sale.', 'Price', 'price'),
    rentalData: market('The market of homes for rent.', 'Rent', 'rent'),
  }),
  'value-estimate': answer({
    price: usd('The estimated value.'),
    priceRangeLow: usd('The lower bound of the value.'),
    priceRangeHigh: usd('The upper bound of the value.'),
    ...estimated,
  }),
  'rent-estimate': answer({
    rent: usd('The estimated rent of a month.'),
    rentRangeLow: usd('The lower bound of the rent.'),
    rentRangeHigh: usd('The upper bound of the rent.'),
    ...estimated,
  }),
}
