import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { localUrl, type Config } from '../settings/config.ts'

const FILE = 'address'

/** Writes the address of the running gateway to its data folder, for commands on this machine. Returns a function that removes it. */
export async function writeAddressFile({
  dataDir,
  publicUrl,
}: Pick<Config, 'dataDir' | 'publicUrl'>): Promise<() => Promise<void>> {
  const path = join(dataDir, FILE)
  // The gateway runs without it; commands then use their own settings.
  await writeFile(path, `${publicUrl}\n`, { mode: 0o600 }).catch(() => undefined)
  return async () => {
    // Another gateway with the same data folder may have written its own since.
    if ((await readAddress(dataDir)) === publicUrl) await rm(path, { force: true })
  }
}

/** The address of the gateway with this data folder: PUBLIC_URL when set, otherwise the one that the running gateway wrote. */
export async function addressOfGateway(
  config: Pick<Config, 'dataDir' | 'publicUrl' | 'host' | 'port'>,
): Promise<string> {
  if (config.publicUrl !== localUrl(config)) return config.publicUrl
  return (await readAddress(config.dataDir)) ?? config.publicUrl
}

async function readAddress(dataDir: string): Promise<string | null> {
  const address = await readFile(join(dataDir, FILE), 'utf8').then(
    (text) => text.trim(),
    () => '',
  )
  return /^https?:$/.test(URL.parse(address)?.protocol ?? '') ? address : null
}
