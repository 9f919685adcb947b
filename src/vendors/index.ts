/** Every service, in the order in which callers see them. A new one is added here. */
import type { Service } from '../catalog/vocabulary/define.ts'
import { agentic } from './agentic/record.ts'
import { altdata } from './altdata/record.ts'
import { boxa } from './boxa/record.ts'
import { boxb } from './boxb/record.ts'
import { boxc } from './boxc/record.ts'
import { boxd } from './boxd/record.ts'
import { boxe } from './boxe/record.ts'
import { browser } from './browser/record.ts'
import { captcha } from './captcha/record.ts'
import { cheapunblock } from './cheapunblock/record.ts'
import { cited } from './cited/record.ts'
import { companyfind } from './companyfind/record.ts'
import { compliance } from './compliance/record.ts'
import { contactfind } from './contactfind/record.ts'
import { core } from '../composites/core.ts'
import { courts } from './courts/record.ts'
import { cryptoagent } from './cryptoagent/record.ts'
import { datahub } from './datahub/record.ts'
import { deepenrich } from './deepenrich/record.ts'
import { drugs } from './drugs/record.ts'
import { emailasync } from './emailasync/record.ts'
import { emailintel } from './emailintel/record.ts'
import { encyclopedia } from './encyclopedia/record.ts'
import { entitygraph } from './entitygraph/record.ts'
import { fedrules } from './fedrules/record.ts'
import { files } from './files/record.ts'
import { flights } from './flights/record.ts'
import { fundingdb } from './fundingdb/record.ts'
import { geoegress } from './geoegress/record.ts'
import { gitstore } from './gitstore/record.ts'
import { globalnews } from './globalnews/record.ts'
import { hiringdata } from './hiringdata/record.ts'
import { inbox } from './inbox/record.ts'
import { indep } from './indep/record.ts'
import { llmnativeA } from './llmnative-a/record.ts'
import { llmnativeB } from './llmnative-b/record.ts'
import { markets } from './markets/record.ts'
import { media } from './media/record.ts'
import { newsletter } from './newsletter/record.ts'
import { nonprofit } from './nonprofit/record.ts'
import { patents } from './patents/record.ts'
import { platform } from './platform/record.ts'
import { propdata } from './propdata/record.ts'
import { proprecords } from './proprecords/record.ts'
import { proxy } from './proxy/record.ts'
import { rag } from './rag/record.ts'
import { recalls } from './recalls/record.ts'
import { regs } from './regs/record.ts'
import { render } from './render/record.ts'
import { render2 } from './render2/record.ts'
import { router2 } from './router2/record.ts'
import { sandbox } from './sandbox/record.ts'
import { scholar } from './scholar/record.ts'
import { scraping } from '../composites/scraping/record.ts'
import { secfilings } from './secfilings/record.ts'
import { semantic } from './semantic/record.ts'
import { seodata } from './seodata/record.ts'
import { signals } from './signals/record.ts'
import { sneakers } from './sneakers/record.ts'
import { socialread } from './socialread/record.ts'
import { trends } from './trends/record.ts'
import { trials } from './trials/record.ts'
import { unblock } from './unblock/record.ts'
import { vehicles } from './vehicles/record.ts'
import { webarchive } from './webarchive/record.ts'

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
