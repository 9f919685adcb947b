/** The services over public records, property, markets and other data. */
import type { Service } from './define.ts'
import { courts } from './services/courts.ts'
import { encyclopedia } from './services/encyclopedia.ts'
import { entitygraph } from './services/entitygraph.ts'
import { fedrules } from './services/fedrules.ts'
import { nonprofit } from './services/nonprofit.ts'
import { secfilings } from './services/secfilings.ts'
import { webarchive } from './services/webarchive.ts'
import { globalnews } from './services/globalnews.ts'
import { scholar } from './services/scholar.ts'
import { patents } from './services/patents.ts'
import { regs } from './services/regs.ts'
import { vehicles } from './services/vehicles.ts'
import { drugs } from './services/drugs.ts'
import { trials } from './services/trials.ts'
import { recalls } from './services/recalls.ts'

export const recordServices: readonly Service[] = [secfilings, courts, nonprofit, fedrules, webarchive, encyclopedia, entitygraph, globalnews, scholar, patents, regs, vehicles, drugs, trials, recalls]
