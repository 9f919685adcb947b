import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'properties',
    '30¢ per call',
    'address zipCode city state latitude longitude radius limit offset',
  ],
  [
    'sale-listings',
    '30¢ per call',
    'address zipCode city state latitude longitude radius limit offset',
  ],
  [
    'rental-listings',
    '30¢ per call',
    'address zipCode city state latitude longitude radius limit offset',
  ],
  ['market-stats', '30¢ per call', 'zipCode!'],
  ['value-estimate', '35¢ per call', 'bedrooms bathrooms squareFootage compCount'],
  ['rent-estimate', '35¢ per call', 'bedrooms bathrooms squareFootage compCount'],
]

export const limits: readonly Limit[] = [
  ['properties', 'limit', 1, 100, 50],
  ['sale-listings', 'limit', 1, 100, 50],
  ['rental-listings', 'limit', 1, 100, 50],
  ['value-estimate', 'compCount', 5, 25, 15],
  ['rent-estimate', 'compCount', 5, 25, 15],
]
