/** The merchant's fields, and the documentation of fueleconomy.gov. */
import { answer, anything, maybe, text, type Returns } from '../../catalog/vocabulary/returns.ts'
import { foundRecords, oneRecord, recordId } from '../shared/record-returns.ts'

const merchant = {
  id: recordId('vehicles/get'),
  brand: maybe(text('The make.')),
  model: maybe(text('The model.')),
  model_year: maybe(anything('The model year.')),
  trim: maybe(text('The version.')),
  market: maybe(text('The market that the data is for.')),
  powertrain: maybe(text('The kind of drive.')),
}
/** The source writes numbers as texts. */
const vehicle = {
  id: maybe(text('The id.')),
  make: maybe(text('The make.')),
  model: maybe(text('The model.')),
  baseModel: maybe(text('The model without its version.')),
  year: maybe(text('The model year.')),
  VClass: maybe(text('The size class.')),
  cylinders: maybe(text('The number of cylinders.')),
  displ: maybe(text('The displacement in liters.')),
  drive: maybe(text('The driven axles.')),
  trany: maybe(text('The transmission.')),
  fuelType: maybe(text('All fuels.')),
  fuelType1: maybe(text('The first fuel.')),
  fuelType2: maybe(text('The second fuel.')),
  atvType: maybe(text('The alternative drive, such as "Hybrid" or "EV".')),
  evMotor: maybe(text('The electric motor.')),
  city08: maybe(text('Miles per gallon in the city, first fuel.')),
  highway08: maybe(text('Miles per gallon on highways, first fuel.')),
  comb08: maybe(text('Miles per gallon, combined, first fuel.')),
  co2TailpipeGpm: maybe(text('Grams of CO2 per mile.')),
  fuelCost08: maybe(text('The fuel cost of a year in USD, first fuel.')),
  range: maybe(text('The range in miles of an electric vehicle.')),
  charge240: maybe(text('Hours to charge at 240 V.')),
  feScore: maybe(text('The fuel economy score, 1 to 10.')),
  ghgScore: maybe(text('The greenhouse gas score, 1 to 10.')),
  youSaveSpend: maybe(text('USD saved in five years against an average car. Negative: spent.')),
  VIN: maybe(text('The vehicle identification number, if the id is one.')),
  Make: maybe(text('The make, if the id is a vehicle identification number.')),
  Model: maybe(text('The model, if the id is a vehicle identification number.')),
  ModelYear: maybe(text('The model year, if the id is a vehicle identification number.')),
  BodyClass: maybe(text('The body, if the id is a vehicle identification number.')),
}

export const returns: Returns = {
  search: answer(
    foundRecords('The vehicles', merchant, {
      id: maybe(text('The id for vehicles/get. null for a list of makes or models.')),
      name: maybe(text('The make, the model, or the version.')),
      make: maybe(text('The brand that you searched for.')),
      model: maybe(text('The model that you searched for.')),
      year: maybe(anything('The model year that you searched for.')),
    }),
  ),
  get: answer(oneRecord('vehicle', merchant, vehicle)),
}
