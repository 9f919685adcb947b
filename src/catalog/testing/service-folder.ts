import { existsSync } from 'node:fs'
import { join } from 'node:path'

const source = join(import.meta.dirname, '../..')

/** The folder that holds a service's golden files and promises. */
export function serviceFolder(serviceId: string): string {
  const folders = [`vendors/${serviceId}`, `composites/${serviceId}`].map((name) =>
    join(source, name),
  )
  const own = folders.find((folder) => existsSync(join(folder, 'record.ts')))
  return own ?? join(source, 'composites')
}

/** `folder` is `golden` for the vendor's own answers and `golden-open` for those of public sources. */
export function goldenFile(folder: 'golden' | 'golden-open', id: string): string {
  const [serviceId = '', action = ''] = id.split('/')
  return join(serviceFolder(serviceId), folder, `${action}.json`)
}
