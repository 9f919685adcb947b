/** The secret that seals stored vendor keys. It is never in the database or its backups. */
import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, invariant } from '../../errors/app-error.ts'
import type { Config } from '../settings/config.ts'

type Place = Pick<Config, 'vendorKeysSecret' | 'dataDir'>

const SECRET_FILE = 'vendor-keys.secret'
const SECRET_BYTES = 32
const SECRET_TEXT = new RegExp(`^[0-9a-f]{${SECRET_BYTES * 2}}$`)

/** Null before the first one. Throws AppError bad_request for a damaged file. */
export async function readSealingSecret({
  vendorKeysSecret,
  dataDir,
}: Place): Promise<Buffer | null> {
  if (vendorKeysSecret !== null) return Buffer.from(vendorKeysSecret)
  const path = join(dataDir, SECRET_FILE)
  let text: string
  try {
    text = (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  // A shorter secret, such as that of an empty file, would be easy to guess.
  if (!SECRET_TEXT.test(text))
    throw new AppError('bad_request', `The sealing key in ${path} is damaged.`, {
      fix: `Restore ${path} from a copy. Without a copy, delete it and replace the keys again.`,
    })
  return Buffer.from(text, 'hex')
}

/** Creates the secret unless another process does. Throws AppError bad_request for a damaged file. */
export async function createSealingSecret(place: Place): Promise<Buffer> {
  const secret = randomBytes(SECRET_BYTES).toString('hex')
  const path = join(place.dataDir, SECRET_FILE)
  const temporary = `${path}.${randomBytes(8).toString('hex')}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${secret}\n`)
      // A sealed key is in the database before the file reaches the disk by itself.
      await file.sync()
    } finally {
      await file.close()
    }
    // The name appears with its content, and an existing file stays.
    await link(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(temporary, { force: true })
  }
  const created = await readSealingSecret(place)
  invariant(created !== null, 'the file exists after it was created')
  return created
}
