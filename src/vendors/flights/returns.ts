/** From aviationstack's documentation of flights and timetables. */
import {
  answer,
  anything,
  count,
  flag,
  maybe,
  number,
  oneOf,
  record,
  records,
  text,
  time,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const pagination = maybe(
  record('The place of this page in the result.', {
    limit: maybe(count('The most rows of a page.')),
    offset: maybe(count('The number of rows before this page.')),
    count: maybe(count('The number of rows of this page.')),
    total: maybe(count('The number of all rows.')),
  }),
)
const stop = {
  airport: maybe(text('The name of the airport.')),
  timezone: maybe(text('The time zone of the airport.')),
  iata: maybe(text('The code of the airport with three letters.')),
  icao: maybe(text('The code of the airport with four letters.')),
  terminal: maybe(text('The terminal.')),
  gate: maybe(text('The gate.')),
  baggage: maybe(text('The baggage belt. Only for arrivals.')),
  delay: maybe(anything('The delay in minutes.')),
  scheduled: maybe(time('The planned time.')),
  estimated: maybe(time('The expected time.')),
  actual: maybe(time('The time of departure from or arrival at the gate.')),
  estimated_runway: maybe(time('The expected time on the runway.')),
  actual_runway: maybe(time('The time on the runway.')),
}
const STATES = ['scheduled', 'active', 'landed', 'cancelled', 'incident', 'diverted']

/** The timetable has other names for the same. */
const timetableStop = {
  ...stop,
  iataCode: maybe(text('The code of the airport with three letters.')),
  icaoCode: maybe(text('The code of the airport with four letters.')),
  scheduledTime: maybe(time('The planned time.')),
  estimatedTime: maybe(time('The expected time.')),
  actualTime: maybe(time('The actual time.')),
  estimatedRunway: maybe(time('The expected time on the runway.')),
  actualRunway: maybe(time('The time on the runway.')),
}

export const returns: Returns = {
  flights: answer({
    pagination,
    data: records('The flights.', {
      flight_date: maybe(time('The day of the flight.')),
      flight_status: maybe(oneOf('The state of the flight.', STATES)),
      departure: maybe(record('The departure.', stop)),
      arrival: maybe(record('The arrival.', stop)),
      airline: maybe(
        record('The airline.', {
          name: maybe(text('The name.')),
          iata: maybe(text('The code with two characters.')),
          icao: maybe(text('The code with three letters.')),
        }),
      ),
      flight: maybe(
        record('The flight number.', {
          number: maybe(text('The number without the airline.')),
          iata: maybe(text('The number with the short code of the airline, such as "LH400".')),
          icao: maybe(text('The number with the long code of the airline, such as "DLH400".')),
          codeshared: maybe(
            record('The flight that carries the passengers of this one.', {
              airline_name: maybe(text('The airline.')),
              airline_iata: maybe(text('The code of the airline with two characters.')),
              airline_icao: maybe(text('The code of the airline with three letters.')),
              flight_number: maybe(text('The number.')),
              flight_iata: maybe(text('The number with the short code.')),
              flight_icao: maybe(text('The number with the long code.')),
            }),
          ),
        }),
      ),
      aircraft: maybe(
        record('The aircraft.', {
          registration: maybe(text('The registration.')),
          iata: maybe(text('The type as a code with three characters.')),
          icao: maybe(text('The type as a code with four characters.')),
          icao24: maybe(text('The address of the transponder.')),
        }),
      ),
      live: maybe(
        record('The position during the flight.', {
          updated: maybe(time('When the position was reported.')),
          latitude: maybe(number('The latitude.', 'degrees')),
          longitude: maybe(number('The longitude.', 'degrees')),
          altitude: maybe(number('The altitude.', 'meters')),
          direction: maybe(number('The direction.', 'degrees')),
          speed_horizontal: maybe(number('The speed over ground.', 'km/h')),
          speed_vertical: maybe(number('The vertical speed.', 'km/h')),
          is_ground: maybe(flag('Whether the aircraft is on the ground.')),
        }),
      ),
    }),
  }),
  timetable: answer({
    pagination,
    data: records('The flights of the airport today.', {
      type: maybe(oneOf('The direction.', ['departure', 'arrival'])),
      status: maybe(oneOf('The state of the flight.', [...STATES, 'unknown'])),
      departure: maybe(record('The departure.', timetableStop)),
      arrival: maybe(record('The arrival.', timetableStop)),
      airline: maybe(
        record('The airline.', {
          name: maybe(text('The name.')),
          iataCode: maybe(text('The code with two characters.')),
          icaoCode: maybe(text('The code with three letters.')),
        }),
      ),
      flight: maybe(
        record('The flight number.', {
          number: maybe(text('The number without the airline.')),
          iataNumber: maybe(text('The number with the short code of the airline.')),
          icaoNumber: maybe(text('The number with the long code of the airline.')),
        }),
      ),
      codeshared: maybe(anything('The flight that carries the passengers of this one.')),
    }),
  }),
}
