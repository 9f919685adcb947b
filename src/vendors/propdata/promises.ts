import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['autocomplete', '1¢ per call', ''],
  [
    'property-search',
    '5¢ plus 15¢ per record',
    'state zip address latitude longitude radius polygon size resultIndex count summary ids_only',
  ],
  ['property-detail', '20¢ per call', ''],
  ['parcel', '20¢ per call', ''],
  ['property-comps', '5¢ plus 15¢ per comparable', 'max_results'],
  ['avm', '25¢ per call', 'strict'],
  ['skiptrace', '25¢ per call', 'address! city state zip'],
  ['address-verify', '5¢ plus 15¢ per address', 'addresses!'],
]

export const limits: readonly Limit[] = [
  ['property-search', 'size', 1, 25, 5],
  ['property-comps', 'max_results', 1, 25, 10],
  ['address-verify', 'addresses', 1, 10],
]
