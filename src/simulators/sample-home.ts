import { shortHash } from './content.ts'
import { SIMULATED } from './open-data.ts'

export function home(seed: string) {
  const number = 100 + (Number.parseInt(shortHash(seed).slice(0, 4), 16) % 900)
  return {
    id: `${number}-Example-St,-San-Antonio,-TX-78244`,
    formattedAddress: `${number} Example St, San Antonio, TX 78244`,
    city: 'San Antonio',
    state: 'TX',
    zipCode: '78244',
    propertyType: 'Single Family',
    bedrooms: 3,
    bathrooms: 2,
    squareFootage: 1800,
    note: SIMULATED,
  }
}
