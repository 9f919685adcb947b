/** Every simulated vendor, by its label. A new one is added here. */
import type { SimulatedVendor } from './vendor.ts'
import { agentic } from './vendors/agentic.ts'
import { altdata } from './vendors/altdata.ts'
import { browser } from './vendors/browser.ts'
import { captcha } from './vendors/captcha.ts'
import { cheapunblock } from './vendors/cheapunblock.ts'
import { cited } from './vendors/cited.ts'
import { flights, sneakers } from './vendors/commerce-data.ts'
import { companyfind } from './vendors/companyfind.ts'
import { contactfind } from './vendors/contactfind.ts'
import { deepenrich } from './vendors/deepenrich.ts'
import { emailasync } from './vendors/emailasync.ts'
import { emailintel } from './vendors/emailintel.ts'
import { fundingdb } from './vendors/fundingdb.ts'
import { geoegress } from './vendors/geoegress.ts'
import { gitstore } from './vendors/gitstore.ts'
import { clinicaltrials, cpsc, ecfr, fueleconomy, openfda } from './vendors/government-data.ts'
import { courts, fedrules, nonprofit } from './vendors/government-records.ts'
import { hiringdata } from './vendors/hiringdata.ts'
import { inbox } from './vendors/inbox.ts'
import { indep } from './vendors/indep.ts'
import { llm } from './vendors/llm.ts'
import { llmnativeA } from './vendors/llmnative-a.ts'
import { llmnativeB } from './vendors/llmnative-b.ts'
import { alternativeme, binance, cryptoagent, dexscreener, goplus, kalshi, markets, polymarket, predexon } from './vendors/market-data.ts'
import { media } from './vendors/media.ts'
import { newsletter } from './vendors/newsletter.ts'
import { coingecko, defillama, frankfurter, usgs, worldbank } from './vendors/open-finance.ts'
import { arxiv, cisa, crossref, nhtsa, nvd, osv, pubmed, semanticscholar } from './vendors/open-research.ts'
import { platform } from './vendors/platform.ts'
import { proxy } from './vendors/proxy.ts'
import { rag } from './vendors/rag.ts'
import { propdata, proprecords } from './vendors/real-estate.ts'
import { drugs, recalls, regs, trials, vehicles } from './vendors/record-merchants.ts'
import { encyclopedia, entitygraph, webarchive } from './vendors/reference-works.ts'
import { ares, brreg, compliance, gleif, krs, nager, prh, rdap, sirene, usitc, vies } from './vendors/registers.ts'
import { render } from './vendors/render.ts'
import { render2 } from './vendors/render2.ts'
import { globalnews, scholar, patents } from './vendors/research.ts'
import { sandbox } from './vendors/sandbox.ts'
import { secfilings } from './vendors/secfilings.ts'
import { semantic } from './vendors/semantic.ts'
import { seodata } from './vendors/seodata.ts'
import { signals } from './vendors/signals.ts'
import { socialread } from './vendors/socialread.ts'
import { trends } from './vendors/trends.ts'
import { unblock } from './vendors/unblock.ts'

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
