/** The list of services, and how to find an action in it. */
import { AppError } from '../errors/app-error.ts'
import type { Action, Service } from './define.ts'
import { recordServices } from './record-services.ts'
import { cheapunblock } from './services/cheapunblock.ts'
import { contactfind } from './services/contactfind.ts'
import { core } from './services/core.ts'
import { emailintel } from './services/emailintel.ts'
import { agentic } from './services/agentic.ts'
import { captcha } from './services/captcha.ts'
import { cited } from './services/cited.ts'
import { files } from './services/files.ts'
import { geoegress } from './services/geoegress.ts'
import { indep } from './services/indep.ts'
import { platform } from './services/platform.ts'
import { proxy } from './services/proxy.ts'
import { rag } from './services/rag.ts'
import { render } from './services/render.ts'
import { render2 } from './services/render2.ts'
import { scraping } from './services/scraping.ts'
import { semantic } from './services/semantic.ts'
import { unblock } from './services/unblock.ts'
import { emailasync } from './services/emailasync.ts'
import { deepenrich } from './services/deepenrich.ts'
import { hiringdata } from './services/hiringdata.ts'
import { signals } from './services/signals.ts'
import { fundingdb } from './services/fundingdb.ts'
import { altdata } from './services/altdata.ts'
import { companyfind } from './services/companyfind.ts'
import { seodata } from './services/seodata.ts'
import { socialread } from './services/socialread.ts'
import { trends } from './services/trends.ts'
import { newsletter } from './services/newsletter.ts'
import { llmnativeA } from './services/llmnative-a.ts'
import { llmnativeB } from './services/llmnative-b.ts'
import { router2 } from './services/router2.ts'
import { boxa } from './services/boxa.ts'
import { boxc } from './services/boxc.ts'
import { boxd } from './services/boxd.ts'
import { browser } from './services/browser.ts'
import { gitstore } from './services/gitstore.ts'
import { inbox } from './services/inbox.ts'
import { media } from './services/media.ts'
import { sandbox } from './services/sandbox.ts'
import { suggest } from './suggest.ts'

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
  boxc,
  boxd,
  gitstore,
  browser,
  inbox,
  media,
]

export type Entry = {
  readonly service: Service
  /** The name of the action within its service. */
  readonly name: string
  readonly action: Action
}

export type Catalog = {
  readonly services: readonly Service[]
  /** Throws AppError unknown_service or unknown_action with up to three suggestions in `details.suggestions`. */
  readonly findAction: (serviceId: string, actionName: string) => Entry
  /** Every action, in the order of the list; the same array each time. */
  readonly allActions: () => readonly Entry[]
}

export function createCatalog(list: readonly Service[] = services): Catalog {
  const byService = new Map(
    list.map((service) => [service.id, new Map(entriesOf(service).map((entry) => [entry.name, entry]))]),
  )
  const all = [...byService.values()].flatMap((entries) => [...entries.values()])
  return {
    services: list,
    allActions: () => all,
    findAction: (serviceId, actionName) => {
      const entries = byService.get(serviceId)
      if (entries === undefined) throw unknownService(serviceId, [...byService.keys()])
      const entry = entries.get(actionName)
      if (entry === undefined) throw unknownAction(serviceId, actionName, all)
      return entry
    },
  }
}

function entriesOf(service: Service): Entry[] {
  return Object.entries(service.actions).map(([name, action]) => ({ service, name, action }))
}

function unknownService(serviceId: string, known: readonly string[]): AppError {
  return unknown('unknown_service', `There is no service named "${shown(serviceId)}".`, suggest(serviceId, known))
}

/** The nearest actions of the same service, then the same name in other services. */
function unknownAction(serviceId: string, actionName: string, all: readonly Entry[]): AppError {
  const own = all.filter(({ service }) => service.id === serviceId).map(({ name }) => name)
  const elsewhere = all.filter(({ service, name }) => name === actionName && service.id !== serviceId)
  const suggestions = [
    ...suggest(actionName, own).map((name) => `${serviceId}/${name}`),
    ...elsewhere.map(({ service, name }) => `${service.id}/${name}`),
  ]
  return unknown(
    'unknown_action',
    `Service "${serviceId}" has no action named "${shown(actionName)}".`,
    suggestions.slice(0, 3),
  )
}

function unknown(
  code: 'unknown_service' | 'unknown_action',
  message: string,
  suggestions: readonly string[],
): AppError {
  if (suggestions.length === 0) return new AppError(code, message, { details: { suggestions } })
  const named = suggestions.map((suggestion) => `"${suggestion}"`).join(', ')
  return new AppError(code, message, {
    fix: `Did you mean ${named}? GET /api/run lists everything.`,
    details: { suggestions },
  })
}

function shown(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name
}
