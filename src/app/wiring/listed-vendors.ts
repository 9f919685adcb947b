import type { Service } from '../../catalog/vocabulary/define.ts'
import { credentialsOf, type Vendor } from '../../catalog/vocabulary/wire.ts'

/** A vendor with settings of its own: that of a service, or one that only some actions of a service use. */
export type ListedVendor = {
  /** The service, or the label of a vendor of single actions. */
  readonly id: string
  readonly title: string
  /** The name in UPSTREAM_<LABEL>_KEY. */
  readonly label: string
  readonly vendor: Vendor
  /** Null for a vendor of single actions. */
  readonly service: Service | null
  readonly actions: number
}

/** The vendors of services, then those of single actions that take a key. */
export function listVendors(services: readonly Service[]): readonly ListedVendor[] {
  const own = services.flatMap((service) => {
    const { id, title, vendor, actions } = service
    const label = vendor?.label ?? id
    const count = Object.keys(actions).length
    return vendor === undefined ? [] : [{ id, title, label, vendor, service, actions: count }]
  })
  const listed = new Map<string, ListedVendor>(own.map((one) => [one.label, one]))
  const uses = services.flatMap((service) =>
    vendorsOfActions(service).map((vendor) => ({ service, vendor })),
  )
  for (const { service, vendor } of uses) {
    const { label } = vendor
    if (label === undefined || listed.has(label) || credentialsOf(vendor).length === 0) continue
    listed.set(label, {
      id: label,
      title: `${service.title}: ${label}`,
      label,
      vendor,
      service: null,
      actions: uses.filter((use) => use.vendor === vendor).length,
    })
  }
  return [...listed.values()]
}

/** One item for each action or path that has another vendor than its service. */
function vendorsOfActions({ actions }: Service): readonly Vendor[] {
  return Object.values(actions)
    .flatMap((action) =>
      action.kind === 'endpoint'
        ? action.endpoints.flatMap((entry) => [entry.vendor, entry.openSource?.vendor])
        : action.kind === 'call'
          ? [action.openSource?.vendor]
          : [],
    )
    .filter((vendor) => vendor !== undefined)
}
