/** The services over public records, property, markets and other data. */
import type { Service } from './define.ts'
import { secfilings } from './services/secfilings.ts'

export const recordServices: readonly Service[] = [secfilings]
