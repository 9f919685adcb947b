/** The simulated public records: sources without a key, and vendors of records, property and market data. */
import type { SimulatedVendor } from './vendor.ts'
import { secfilings } from './vendors/secfilings.ts'

export const recordVendors: Readonly<Record<string, SimulatedVendor>> = { secfilings }
