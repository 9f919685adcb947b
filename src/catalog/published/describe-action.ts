import { AppError } from '../../errors/app-error.ts'
import type { Catalog } from '../index.ts'
import type { Published } from './catalog-index.ts'
import { descriptor, endpointDescriptor } from './descriptor.ts'

/** The descriptor of an action or of one of its endpoints. Throws AppError for unknown names. */
export function describeAction(
  published: Published,
  catalog: Catalog,
  serviceId: string,
  name: string,
  endpoint?: string,
) {
  const known = catalog.findAction(serviceId, name).service
  const service = published.services.find(({ id }) => id === serviceId) ?? known
  if (endpoint === undefined) return descriptor(published, service, name)
  const found = endpointDescriptor(published, service, name, endpoint)
  if (found !== undefined) return found
  throw new AppError('not_found', `${serviceId}/${name} has no such endpoint.`, {
    param: 'endpoint',
    fix: `GET /api/run/${serviceId}/${name} lists its endpoints, if it has any.`,
  })
}
