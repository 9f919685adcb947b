import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { StartError } from '../../errors/start-error.ts'
import { createSelfSignedCertificate, type Certificate } from './self-signed-certificate.ts'

/** Reads fullchain.pem and privkey.pem, as ACME clients write them. Throws StartError. */
export async function readCertificate(folder: string): Promise<Certificate> {
  try {
    const [cert, key] = await Promise.all(
      ['fullchain.pem', 'privkey.pem'].map((name) => readFile(join(folder, name), 'utf8')),
    )
    const found = { cert: cert ?? '', key: key ?? '' }
    createSecureContext(found)
    return found
  } catch (cause) {
    throw new StartError(
      `MAIL_TLS_FOLDER=${folder} has no usable certificate (${(cause as NodeJS.ErrnoException).code ?? 'invalid'}). Put fullchain.pem and privkey.pem there, readable by this user.`,
      { cause },
    )
  }
}

/** The certificate that the gateway creates at its first start. All processes of one data folder use the same. */
export async function ownCertificate(
  folder: string,
  name: string,
  nowMs: number,
): Promise<Certificate> {
  const path = join(folder, `${name}.pem`)
  const known = await readFile(path, 'utf8').catch(() => null)
  if (known !== null) return split(known)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { cert, key } = createSelfSignedCertificate(name, nowMs)
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, cert + key, { mode: 0o600 })
  // Of several processes, the first one decides.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return split(await readFile(path, 'utf8'))
}

function split(pem: string): Certificate {
  const start = pem.indexOf('-----BEGIN PRIVATE KEY-----')
  return { cert: pem.slice(0, start), key: pem.slice(start) }
}
