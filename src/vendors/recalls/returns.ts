/** The merchant's fields, and the CPSC's documentation of its recall API. */
import {
  address,
  answer,
  anything,
  count,
  maybe,
  records,
  text,
  time,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'
import { foundRecords, oneRecord, recordId } from '../shared/record-returns.ts'

const named = (description: string) =>
  maybe(records(description, { Name: maybe(text('The text.')) }))

const merchant = {
  id: recordId('recalls/get'),
  title: maybe(text('The title.')),
  description: maybe(text('The product and the problem.')),
  product: maybe(anything('The product.')),
  brand: maybe(text('The brand.')),
  hazard: maybe(anything('The danger.')),
  remedy: maybe(anything('What buyers can do.')),
  authority: maybe(text('The authority that published the recall.')),
  country: maybe(text('The country of the authority.')),
  published_at: maybe(time('When the recall was published.')),
  url: maybe(address('The page of the recall.')),
}
const cpsc = {
  RecallID: maybe(count('The id of the recall, for recalls/get.')),
  RecallNumber: maybe(text('The number of the recall.')),
  RecallDate: maybe(time('When the recall was announced.')),
  LastPublishDate: maybe(time('When it was last changed.')),
  Title: maybe(text('The title.')),
  Description: maybe(text('The product.')),
  URL: maybe(address('The page of the recall.')),
  ConsumerContact: maybe(text('How buyers reach the company.')),
  Products: maybe(
    records('The recalled products.', {
      Name: maybe(text('The name.')),
      Description: maybe(text('The description.')),
      Model: maybe(text('The model.')),
      Type: maybe(text('The kind of product.')),
      CategoryID: maybe(text('The category.')),
      NumberOfUnits: maybe(text('How many were sold, in words.')),
    }),
  ),
  Inconjunctions: maybe(
    records('Authorities of other countries.', { Country: maybe(text('The country.')) }),
  ),
  Images: maybe(
    records('Images of the product.', {
      URL: maybe(address('The image.')),
      Caption: maybe(text('The caption.')),
    }),
  ),
  Injuries: named('The reported injuries.'),
  Manufacturers: named('The manufacturers.'),
  Retailers: named('The shops, with dates and prices.'),
  Importers: named('The importers.'),
  Distributors: named('The distributors.'),
  SoldAtLabel: maybe(text('The label of the shops.')),
  ManufacturerCountries: maybe(
    records('Where the product was made.', { Country: maybe(text('The country.')) }),
  ),
  ProductUPCs: maybe(records('The product codes.', { UPC: maybe(text('A product code.')) })),
  Hazards: named('The dangers.'),
  Remedies: named('What buyers can do, in words.'),
  RemedyOptions: maybe(
    records('What buyers can do.', { Option: maybe(text('Refund, Replace, Repair or another.')) }),
  ),
}

export const returns: Returns = {
  search: answer(foundRecords('The recalls', merchant, cpsc)),
  get: answer(oneRecord('recall', merchant, cpsc)),
}
