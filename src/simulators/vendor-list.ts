/** Every simulated vendor, by its label. A new one is added here. */
import type { SimulatedVendor } from './vendor.ts'
import { agentic } from '../vendors/agentic/simulator.ts'
import { altdata } from '../vendors/altdata/simulator.ts'
import { browser } from '../vendors/browser/simulator.ts'
import { captcha } from '../vendors/captcha/simulator.ts'
import { cheapunblock } from '../vendors/cheapunblock/simulator.ts'
import { cited } from '../vendors/cited/simulator.ts'
import { flights, sneakers } from './vendors/commerce-data.ts'
import { companyfind } from '../vendors/companyfind/simulator.ts'
import { contactfind } from '../vendors/contactfind/simulator.ts'
import { deepenrich } from '../vendors/deepenrich/simulator.ts'
import { emailasync } from '../vendors/emailasync/simulator.ts'
import { emailintel } from '../vendors/emailintel/simulator.ts'
import { fundingdb } from '../vendors/fundingdb/simulator.ts'
import { geoegress } from '../vendors/geoegress/simulator.ts'
import { gitstore } from '../vendors/gitstore/simulator.ts'
import { clinicaltrials, cpsc, ecfr, fueleconomy, openfda } from './vendors/government-data.ts'
import { courts, fedrules, nonprofit } from './vendors/government-records.ts'
import { hiringdata } from '../vendors/hiringdata/simulator.ts'
import { inbox } from '../vendors/inbox/simulator.ts'
import { indep } from '../vendors/indep/simulator.ts'
import { llm } from './vendors/llm.ts'
import { llmnativeA } from '../vendors/llmnative-a/simulator.ts'
import { llmnativeB } from '../vendors/llmnative-b/simulator.ts'
import {
  alternativeme,
  binance,
  cryptoagent,
  dexscreener,
  goplus,
  kalshi,
  markets,
  polymarket,
  predexon,
} from './vendors/market-data.ts'
import { media } from '../vendors/media/simulator.ts'
import { newsletter } from '../vendors/newsletter/simulator.ts'
import { coingecko, defillama, frankfurter, usgs, worldbank } from './vendors/open-finance.ts'
import {
  arxiv,
  cisa,
  crossref,
  nhtsa,
  nvd,
  osv,
  pubmed,
  semanticscholar,
} from './vendors/open-research.ts'
import { platform } from '../vendors/platform/simulator.ts'
import { proxy } from '../vendors/proxy/simulator.ts'
import { rag } from '../vendors/rag/simulator.ts'
import { propdata, proprecords } from './vendors/real-estate.ts'
import { drugs, recalls, regs, trials, vehicles } from './vendors/record-merchants.ts'
import { encyclopedia, entitygraph, webarchive } from './vendors/reference-works.ts'
import {
  ares,
  brreg,
  compliance,
  gleif,
  krs,
  nager,
  prh,
  rdap,
  sirene,
  usitc,
  vies,
} from './vendors/registers.ts'
import { render } from '../vendors/render/simulator.ts'
import { render2 } from '../vendors/render2/simulator.ts'
import { globalnews, scholar, patents } from './vendors/research.ts'
import { sandbox } from '../vendors/sandbox/simulator.ts'
import { secfilings } from '../vendors/secfilings/simulator.ts'
import { semantic } from '../vendors/semantic/simulator.ts'
import { seodata } from '../vendors/seodata/simulator.ts'
import { signals } from '../vendors/signals/simulator.ts'
import { socialread } from '../vendors/socialread/simulator.ts'
import { trends } from '../vendors/trends/simulator.ts'
import { unblock } from '../vendors/unblock/simulator.ts'

export const simulatedVendors: Readonly<Record<string, SimulatedVendor>> = {
  semantic,
  render,
  render2,
  cheapunblock,
  unblock,
  proxy,
  indep,
  rag,
  cited,
  agentic,
  geoegress,
  captcha,
  platform,
  contactfind,
  emailintel,
  secfilings,
  courts,
  nonprofit,
  fedrules,
  webarchive,
  encyclopedia,
  entitygraph,
  globalnews,
  scholar,
  patents,
  drugs,
  recalls,
  regs,
  trials,
  vehicles,
  clinicaltrials,
  cpsc,
  ecfr,
  fueleconomy,
  openfda,
  propdata,
  proprecords,
  flights,
  sneakers,
  arxiv,
  cisa,
  crossref,
  nhtsa,
  nvd,
  osv,
  pubmed,
  semanticscholar,
  coingecko,
  defillama,
  frankfurter,
  usgs,
  worldbank,
  alternativeme,
  binance,
  cryptoagent,
  dexscreener,
  goplus,
  kalshi,
  markets,
  polymarket,
  predexon,
  ares,
  brreg,
  compliance,
  gleif,
  krs,
  nager,
  prh,
  rdap,
  sirene,
  usitc,
  vies,
  llm,
  // The router and the service of the same aggregator speak one wire.
  router2: llm,
  'llmnative-a': llmnativeA,
  'llmnative-b': llmnativeB,
  emailasync,
  deepenrich,
  hiringdata,
  signals,
  fundingdb,
  altdata,
  companyfind,
  seodata,
  socialread,
  trends,
  newsletter,
  sandbox,
  gitstore,
  browser,
  inbox,
  media,
}
