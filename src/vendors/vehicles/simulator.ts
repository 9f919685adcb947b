/** Apex DB: GET /apex and /apex/{id} with a bearer key. fueleconomy.gov needs no key. */
import { isMiss, json, openData, SIMULATED, text } from '../../simulators/open-data.ts'
import { records } from '../../simulators/record-merchant.ts'

const vehicles = records('vehicles', '/apex', {
  brand: 'Toyota',
  model: 'Camry',
  model_year: 2020,
})

const fueleconomy = openData({
  'GET /ws/rest/vehicle/menu/:menu': (request, { menu }) => {
    if (isMiss(request, 'fueleconomy')) return json(null)
    const make = request.query.get('model') ?? request.query.get('make') ?? 'Toyota'
    // A single version is an object; several are a list.
    return json({
      menuItem:
        menu === 'options'
          ? { text: `Simulated ${make}, 4 cyl, 2.5 L`, value: '41393' }
          : [{ text: make, value: make }],
    })
  },
  'GET /ws/rest/vehicle/:id': (_, { id = '' }) =>
    id === '404'
      ? text('', 'text/plain', 404)
      : json({ id, make: 'Toyota', model: 'Camry', year: '2020', comb08: '34', note: SIMULATED }),
  'GET /nhtsa/api/vehicles/DecodeVinValues/:vin': (_, { vin = '' }) =>
    json({
      Count: 1,
      Message: SIMULATED,
      Results: [
        { VIN: vin, Make: vin.startsWith('0') ? '' : 'HONDA', Model: 'Accord', ModelYear: '2003' },
      ],
    }),
})

export const simulators = { vehicles, fueleconomy }
