/** /sdk: the packages of this gateway's clients, with the types of its actions. Anyone may download them. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import { PACKAGE_NAMES } from '../../html/code/install-lines.ts'
import { buildPackage } from '../../packages/build-package.ts'
import { sendDocument, storeDocument, type StoredDocument } from './documents.ts'

type PackageRoute = { Params: { name: string } }

/** Builds each package at its first request, once per process. */
export function packageRoutes(app: FastifyInstance): void {
  // Bounded by PACKAGE_NAMES.
  const packages = new Map<string, Promise<StoredDocument>>()
  app.get<PackageRoute>('/sdk/:name', async (request, reply) => {
    const { name } = request.params
    const building = packages.get(name) ?? startBuild(name)
    packages.set(name, building)
    building.catch(() => packages.delete(name))
    return sendDocument(request, reply, await building)
  })
}

function startBuild(name: string): Promise<StoredDocument> {
  const building = buildPackage(name)
  if (building !== undefined)
    return building.then((content) => storeDocument(content, 'application/octet-stream'))
  const addresses = Object.values(PACKAGE_NAMES).map((one) => `/sdk/${one}`)
  throw new AppError('not_found', 'No package has this name.', {
    fix: `GET one of ${addresses.join(', ')}.`,
  })
}
