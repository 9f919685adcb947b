/** The simulated public records: sources without a key, and vendors of records, property and market data. */
import type { SimulatedVendor } from './vendor.ts'
import { courts, fedrules, nonprofit } from './vendors/government-records.ts'
import { encyclopedia, entitygraph, webarchive } from './vendors/reference-works.ts'
import { secfilings } from './vendors/secfilings.ts'
import { globalnews, scholar, patents } from './vendors/research.ts'
import { drugs, recalls, regs, trials, vehicles } from './vendors/record-merchants.ts'
import { clinicaltrials, cpsc, ecfr, fueleconomy, openfda } from './vendors/government-data.ts'
import { propdata, proprecords } from './vendors/real-estate.ts'
import { flights, sneakers } from './vendors/commerce-data.ts'
import { arxiv, cisa, crossref, nhtsa, nvd, osv, pubmed, semanticscholar } from './vendors/open-research.ts'
import { coingecko, defillama, frankfurter, usgs, worldbank } from './vendors/open-finance.ts'
import { alternativeme, binance, cryptoagent, dexscreener, goplus, kalshi, markets, polymarket, predexon } from './vendors/market-data.ts'
import { ares, brreg, compliance, gleif, krs, nager, prh, rdap, sirene, usitc, vies } from './vendors/registers.ts'

export const recordVendors: Readonly<Record<string, SimulatedVendor>> = { secfilings, courts, nonprofit, fedrules, webarchive, encyclopedia, entitygraph, globalnews, scholar, patents, drugs, recalls, regs, trials, vehicles, clinicaltrials, cpsc, ecfr, fueleconomy, openfda, propdata, proprecords, flights, sneakers, arxiv, cisa, crossref, nhtsa, nvd, osv, pubmed, semanticscholar, coingecko, defillama, frankfurter, usgs, worldbank, alternativeme, binance, cryptoagent, dexscreener, goplus, kalshi, markets, polymarket, predexon, ares, brreg, compliance, gleif, krs, nager, prh, rdap, sirene, usitc, vies }
