import type { Choice, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['flights', '0.5¢ per call', 'flight_iata dep_iata arr_iata airline_iata'],
  ['timetable', '0.5¢ per call', 'iataCode! type!'],
]

export const choices: readonly Choice[] = [['timetable', 'type', 'departure arrival']]
