import { existsSync, globSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

type GoldenFolder = 'golden' | 'golden-open'

const source = join(import.meta.dirname, '../..')

/** A composite's record exports a service of its own, or actions of the service `core`. */
type CompositeRecord = { readonly service?: unknown; readonly actions?: Record<string, unknown> }

const composites = await Promise.all(
  globSync('composites/*/record.ts', { cwd: source }).map(async (name) => {
    const file = join(source, name)
    const record = (await import(pathToFileURL(file).href)) as CompositeRecord
    return { folder: dirname(file), record }
  }),
)

/** Folders in `src/composites` whose record defines a service. */
export const compositeServices: readonly string[] = composites
  .filter(({ record }) => record.service !== undefined)
  .map(({ folder }) => basename(folder))

/** The folders that hold a service's golden files and promises. Only `core` has more than one. */
export function serviceFolders(serviceId: string): readonly string[] {
  if (serviceId === 'core') return coreFolders().map(({ folder }) => folder)
  const parent = compositeServices.includes(serviceId) ? 'composites' : 'vendors'
  return [join(source, parent, serviceId)]
}

function coreFolders(): typeof composites {
  return composites.filter(({ record }) => record.actions !== undefined)
}

/** `folder` is `golden` for the vendor's own answers and `golden-open` for those of public sources. */
export function goldenFile(folder: GoldenFolder, id: string): string {
  const [serviceId = '', action = ''] = id.split('/')
  const [only] = serviceFolders(serviceId)
  const composite = coreFolders().find(({ record }) => Object.hasOwn(record.actions ?? {}, action))
  const parent = serviceId === 'core' ? composite?.folder : only
  return join(parent ?? source, folder, `${action}.json`)
}

/** The ids of a service's actions that have a golden file, such as `core/onefind`. */
export function goldenActions(folder: GoldenFolder, serviceId: string): readonly string[] {
  return serviceFolders(serviceId)
    .map((parent) => join(parent, folder))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path))
    .map((name) => `${serviceId}/${basename(name, '.json')}`)
}
