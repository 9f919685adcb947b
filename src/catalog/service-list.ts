/** Every service, in the order in which callers see them. A new one is added here. */
import type { Service } from './define.ts'
import { agentic } from './services/agentic.ts'
import { altdata } from './services/altdata.ts'
import { boxa } from './services/boxa.ts'
import { boxb } from './services/boxb.ts'
import { boxc } from './services/boxc.ts'
import { boxd } from './services/boxd.ts'
import { boxe } from './services/boxe.ts'
import { browser } from './services/browser.ts'
import { captcha } from './services/captcha.ts'
import { cheapunblock } from './services/cheapunblock.ts'
import { cited } from './services/cited.ts'
import { companyfind } from './services/companyfind.ts'
import { compliance } from './services/compliance.ts'
import { contactfind } from './services/contactfind.ts'
import { core } from './services/core.ts'
import { courts } from './services/courts.ts'
import { cryptoagent } from './services/cryptoagent.ts'
import { datahub } from './services/datahub.ts'
import { deepenrich } from './services/deepenrich.ts'
import { drugs } from './services/drugs.ts'
import { emailasync } from './services/emailasync.ts'
import { emailintel } from './services/emailintel.ts'
import { encyclopedia } from './services/encyclopedia.ts'
import { entitygraph } from './services/entitygraph.ts'
import { fedrules } from './services/fedrules.ts'
import { files } from './services/files.ts'
import { flights } from './services/flights.ts'
import { fundingdb } from './services/fundingdb.ts'
import { geoegress } from './services/geoegress.ts'
import { gitstore } from './services/gitstore.ts'
import { globalnews } from './services/globalnews.ts'
import { hiringdata } from './services/hiringdata.ts'
import { inbox } from './services/inbox.ts'
import { indep } from './services/indep.ts'
import { llmnativeA } from './services/llmnative-a.ts'
import { llmnativeB } from './services/llmnative-b.ts'
import { markets } from './services/markets.ts'
import { media } from './services/media.ts'
import { newsletter } from './services/newsletter.ts'
import { nonprofit } from './services/nonprofit.ts'
import { patents } from './services/patents.ts'
import { platform } from './services/platform.ts'
import { propdata } from './services/propdata.ts'
import { proprecords } from './services/proprecords.ts'
import { proxy } from './services/proxy.ts'
import { rag } from './services/rag.ts'
import { recalls } from './services/recalls.ts'
import { regs } from './services/regs.ts'
import { render } from './services/render.ts'
import { render2 } from './services/render2.ts'
import { router2 } from './services/router2.ts'
import { sandbox } from './services/sandbox.ts'
import { scholar } from './services/scholar.ts'
import { scraping } from './services/scraping.ts'
import { secfilings } from './services/secfilings.ts'
import { semantic } from './services/semantic.ts'
import { seodata } from './services/seodata.ts'
import { signals } from './services/signals.ts'
import { sneakers } from './services/sneakers.ts'
import { socialread } from './services/socialread.ts'
import { trends } from './services/trends.ts'
import { trials } from './services/trials.ts'
import { unblock } from './services/unblock.ts'
import { vehicles } from './services/vehicles.ts'
import { webarchive } from './services/webarchive.ts'

/** Public records, property, markets and other data. */
export const recordServices: readonly Service[] = [
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
  regs,
  vehicles,
  drugs,
  trials,
  recalls,
  proprecords,
  propdata,
  flights,
  sneakers,
  datahub,
  markets,
  cryptoagent,
  compliance,
]

export const services: readonly Service[] = [
  core,
  semantic,
  indep,
  rag,
  cited,
  agentic,
  render,
  render2,
  cheapunblock,
  unblock,
  proxy,
  geoegress,
  captcha,
  platform,
  scraping,
  files,
  contactfind,
  emailintel,
  ...recordServices,
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
  llmnativeA,
  llmnativeB,
  router2,
  sandbox,
  boxa,
  boxb,
  boxc,
  boxd,
  boxe,
  gitstore,
  browser,
  inbox,
  media,
]
