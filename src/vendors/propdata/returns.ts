/** From RealEstateAPI's OpenAPI document and guides. */
import {
  answer,
  anything,
  count,
  either,
  flag,
  items,
  maybe,
  number,
  oneOf,
  open,
  record,
  records,
  text,
  time,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'
import { address, detail, found, place, propertyId, usd } from './property-fields.ts'

/** The vendor's own envelope. */
const envelope = {
  statusCode: maybe(count("The vendor's status.")),
  statusMessage: maybe(text('The same in words.')),
  live: maybe(flag("Whether the answer is from the vendor's live data.")),
  requestExecutionTimeMS: maybe(text('How long the vendor took, such as "12ms".')),
  credits: maybe(anything("The vendor's credits that the call used.")),
  input: maybe(open('The request as the vendor understood it.')),
}

/** The vendor writes the address of these properties as an object or in one line. */
const sold = {
  ...found,
  address: maybe(either('The address, or its street.', place, text('The address in one line.'))),
}
const compared = {
  subject: maybe(record('The property.', sold)),
  comps: maybe(
    records('The comparable sales, most similar first.', {
      ...sold,
      distance: maybe(number('The distance to the property.', 'miles')),
      similarityScore: maybe(number('The similarity to the property.')),
    }),
  ),
}

const value = {
  avm: usd('The estimated value.'),
  avmMin: usd('The lower bound of the value.'),
  avmMax: usd('The upper bound of the value.'),
  confidence: maybe(number('The confidence, from 0 to 100.')),
}
const person = {
  fullName: maybe(text('The full name.')),
  firstName: maybe(text('The first name.')),
  middleName: maybe(text('The middle name.')),
  lastName: maybe(text('The last name.')),
}

export const returns: Returns = {
  autocomplete: answer({
    ...envelope,
    totalResults: maybe(count('The number of matches.')),
    returnedResults: maybe(count('The number of rows.')),
    data: maybe(
      records('The places, best match first.', {
        id: propertyId,
        title: maybe(text('The place in one line.')),
        address: maybe(text('The full address.')),
        searchType: maybe(
          oneOf(
            'A address, C city, Z zip code, S state, N county, P neighborhood, T street, G parcel.',
            ['A', 'C', 'Z', 'S', 'N', 'P', 'T', 'G'],
          ),
        ),
        house: maybe(text('The house number.')),
        street: maybe(text('The street.')),
        unit: maybe(text('The unit.')),
        city: maybe(text('The city.')),
        county: maybe(text('The county.')),
        state: maybe(text('The state.')),
        stateId: maybe(text('The FIPS code of the state.')),
        countyId: maybe(text('The FIPS code of the county.')),
        fips: maybe(text('The FIPS code of the county.')),
        apn: maybe(text("The assessor's number of the parcel.")),
        zip: maybe(text('The zip code.')),
        latitude: maybe(number('The latitude.', 'degrees')),
        longitude: maybe(number('The longitude.', 'degrees')),
        location: maybe(text('The point as "POINT(longitude latitude)".')),
      }),
    ),
  }),
  'property-search': answer({
    ...envelope,
    resultCount: maybe(count('The number of all matches.')),
    resultIndex: maybe(count('The place after the last row. Send it as `resultIndex`.')),
    recordCount: maybe(count('The number of rows.')),
    summary: maybe(open('The number of matches by feature. Only for a survey.')),
    data: maybe(
      either(
        'The properties. With `ids_only` their ids; for other surveys empty.',
        records('The properties.', found),
        items('The ids.', anything('An id.')),
      ),
    ),
  }),
  'property-detail': answer({ ...envelope, data: maybe(record('The property.', detail)) }),
  parcel: answer({
    ...envelope,
    data: maybe(
      either(
        'The parcel as GeoJSON; several parcels as a list or collection.',
        record('A parcel.', {
          type: maybe(oneOf('The kind of object.', ['Feature', 'FeatureCollection'])),
          geometry: maybe(
            record('The outline.', {
              type: maybe(oneOf('The kind of shape.', ['Polygon', 'MultiPolygon'])),
              coordinates: maybe(items('The points, longitude first.', anything('A point.'))),
            }),
          ),
          properties: maybe(open('Facts about the parcel.')),
          features: maybe(items('The parcels of a collection.', anything('A parcel.'))),
        }),
        items('The parcels.', anything('A parcel.')),
      ),
    ),
  }),
  'property-comps': answer({
    ...envelope,
    ...compared,
    recordCount: maybe(count('The number of comparable sales.')),
    reapiAvm: maybe(anything('The estimated value in USD.')),
    reapiAvmLow: maybe(anything('The lower bound of the value in USD.')),
    reapiAvmHigh: maybe(anything('The upper bound of the value in USD.')),
    data: maybe(record('The same in an older form of the vendor.', compared)),
    resultCount: maybe(count('The number of comparable sales.')),
  }),
  avm: answer({
    ...value,
    ...envelope,
    data: maybe(
      record('The same with further fields.', {
        id: propertyId,
        ...value,
        label: maybe(text('The address.')),
        lastUpdateDate: maybe(time('When the value was computed.')),
      }),
    ),
  }),
  skiptrace: answer({
    ...envelope,
    requestId: maybe(text("The vendor's id of the request.")),
    responseCode: maybe(anything("The vendor's code of the result.")),
    responseMessage: maybe(text('The same in words.')),
    cached: maybe(flag('Whether the answer was stored at the vendor.')),
    match: maybe(flag('Whether people were found.')),
    output: maybe(
      record('The people at the address.', {
        identity: maybe(
          record('The person that matches best.', {
            names: maybe(records('The names.', person)),
            address: maybe(
              record('The current address.', {
                formattedAddress: maybe(text('The full address.')),
                street: maybe(text('The street.')),
                city: maybe(text('The city.')),
                state: maybe(text('The state.')),
                zip: maybe(text('The zip code.')),
                validity: maybe(text('Whether the address is confirmed.')),
              }),
            ),
            addressHistory: maybe(items('Earlier addresses.', anything('An address.'))),
            phones: maybe(
              records('The phone numbers, most likely first.', {
                phone: maybe(text('The number.')),
                phoneDisplay: maybe(text('The number in its usual form.')),
                phoneExtension: maybe(text('The extension.')),
                phoneType: maybe(oneOf('The kind of line.', ['mobile', 'landline', 'voip'])),
                isConnected: maybe(flag('Whether the number works.')),
                doNotCall: maybe(flag('Whether advertising calls are forbidden.')),
                lastSeen: maybe(time('When the number was last reported.')),
              }),
            ),
            emails: maybe(
              records('The email addresses, most likely first.', {
                email: maybe(text('The address.')),
                emailType: maybe(text('The kind of address.')),
                lastSeen: maybe(time('When the address was last reported.')),
              }),
            ),
          }),
        ),
        demographics: maybe(
          record('Facts about the person.', {
            age: maybe(anything('The age in years.')),
            dob: maybe(text('The date of birth.')),
            gender: maybe(text('The gender.')),
            names: maybe(records('Other names.', person)),
            jobs: maybe(items('The jobs.', anything('A job.'))),
            education: maybe(anything('The education.')),
            social: maybe(items('The profiles in social networks.', anything('A profile.'))),
          }),
        ),
        relationships: maybe(items('Relatives and housemates.', anything('A person.'))),
        stats: maybe(open('The number of facts found.')),
      }),
    ),
    data: maybe(anything('The same in the newer form of the vendor.')),
    persons: maybe(items('The people in the newer form of the vendor.', anything('A person.'))),
  }),
  'address-verify': answer({
    ...envelope,
    data: maybe(
      records('One row for each address, in the order of the request.', {
        id: propertyId,
        key: maybe(text('Your own id of the address.')),
        match: maybe(flag('Whether the confidence is at least 0.88.')),
        confidence: maybe(number('The confidence, from 0 to 1.')),
        address,
        mailAddress: address,
        apn: maybe(text("The assessor's number of the parcel.")),
        fips: maybe(text('The FIPS code of the county.')),
        latitude: maybe(number('The latitude.', 'degrees')),
        longitude: maybe(number('The longitude.', 'degrees')),
        propertyType: maybe(text('The kind of property.')),
        propertyUse: maybe(text('The use of the property.')),
        vacant: maybe(flag('Whether nothing suggests that it is inhabited.')),
        error: maybe(anything('Why the address could not be interpreted. Such rows are free.')),
      }),
    ),
    resultCount: maybe(count('The number of rows.')),
  }),
}
