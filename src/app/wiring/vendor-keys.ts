/**
 * Vendor keys in effect: those of the settings, and those that an operator stored in their place. Everything
 * that sends a vendor request reads the same `credentials` objects, which change in place.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import type { UpstreamSettings } from '../../calls/lanes/endpoints.ts'
import type { Database } from '../../db/database.ts'
import { recordChange } from '../../db/record-change.ts'
import { AppError } from '../../errors/app-error.ts'
import { openSealed, sealText } from '../../lib/seal.ts'
import {
  deleteStoredKey,
  readStoredKeys,
  writeStoredKey,
  type StoredKey,
} from '../../operate/vendors/stored-keys.ts'
import type { Config } from '../settings/config.ts'
import { createSealingSecret, readSealingSecret } from './sealing-secret.ts'

export type VendorKeys = {
  /** Read by every request to a vendor. */
  readonly upstreams: ReadonlyMap<string, UpstreamSettings>
  /** Whether keys can be stored here. */
  readonly canStore: boolean
  isStored(label: string, credential: string): boolean
  /** Stores a key in place of a setting, in all processes. Throws AppError invalid_params. */
  store(label: string, credential: string, key: string): Promise<void>
  /** Returns to the setting, in all processes. */
  restore(label: string, credential: string): Promise<void>
  /** Reads the stored keys again. */
  reload(): Promise<void>
  close(): void
}

type VendorKeyDeps = {
  readonly config: Pick<Config, 'upstreams' | 'vendorKeysSecret' | 'databaseUrl' | 'dataDir'>
  readonly database: Database
  readonly logger: Pick<Logger, 'warn'>
}

/** How soon other processes use a replaced key. */
const READ_EVERY_MS = 5_000
const SEALING_KEY_BYTES = 32
/** The upstreams of the router, whose keys are read once at the start. */
const ROUTER_LABEL = /^llm(-[a-d])?$/

export async function openVendorKeys(deps: VendorKeyDeps): Promise<VendorKeys> {
  const { config, database, logger } = deps
  const places = new Map(
    [...config.upstreams].map(([label, { url, credentials }]) => [
      label,
      { url, credentials: { ...credentials }, settings: credentials },
    ]),
  )
  const stored = new Set<string>()
  const unreadable = new Set<string>()
  const canStore = config.vendorKeysSecret !== null || config.databaseUrl === null

  async function reload(): Promise<void> {
    const rows = await readStoredKeys(database)
    const master = rows.length === 0 ? null : await findMaster()
    const found = new Map(rows.map((row) => [`${row.service} ${row.credential}`, row]))
    for (const [label, { credentials, settings }] of places)
      for (const [credential, setting] of Object.entries(settings)) {
        const name = `${label} ${credential}`
        const key = keyOf(found.get(name), master, setting)
        credentials[credential] = key ?? setting
        if (key === null) stored.delete(name)
        else stored.add(name)
      }
  }

  let isDamageLogged = false
  /** The gateway starts with the settings when the file of the secret is damaged. */
  async function findMaster(): Promise<Buffer | null> {
    try {
      return await readSealingSecret(config)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (!isDamageLogged)
        logger.warn({ fix: error.fix }, `${error.message} The keys of the settings are used.`)
      isDamageLogged = true
      return null
    }
  }

  function keyOf(
    row: StoredKey | undefined,
    master: Buffer | null,
    setting: string,
  ): string | null {
    if (row === undefined) return null
    const name = `${row.service} ${row.credential}`
    try {
      if (master === null) throw new RangeError('the sealing key is missing')
      // A changed setting is newer than the stored key, so it wins.
      if (!timingSafeEqual(row.replaces, digestOf(master, setting))) return null
      return openSealed(sealingKey(master, name), row.sealed)
    } catch {
      if (!unreadable.has(name))
        logger.warn(
          { service: row.service },
          'the stored vendor key cannot be opened, so the key of the settings is used: restore VENDOR_KEYS_SECRET or replace the key again',
        )
      unreadable.add(name)
      return null
    }
  }

  function settingOf(label: string, credential: string): string {
    const setting = ROUTER_LABEL.test(label) ? undefined : places.get(label)?.settings[credential]
    if (setting === undefined || !canStore)
      throw new AppError('invalid_params', 'This key cannot be replaced here.', {
        param: 'key',
        fix: 'Change the setting and restart the gateway.',
      })
    return setting
  }

  await reload()
  const timer = setInterval(() => void reload().catch(() => {}), READ_EVERY_MS)
  timer.unref()
  return {
    upstreams: places,
    canStore,
    isStored: (label, credential) => stored.has(`${label} ${credential}`),
    async store(label, credential, key) {
      const setting = settingOf(label, credential)
      const master = (await readSealingSecret(config)) ?? (await createSealingSecret(config))
      await database.transaction(async (tx) => {
        await writeStoredKey(tx, {
          service: label,
          credential,
          sealed: sealText(sealingKey(master, `${label} ${credential}`), key),
          replaces: digestOf(master, setting),
        })
        await recordChange(tx, {
          accountId: null,
          subject: 'vendor_key',
          subjectId: label,
          what: 'changed',
          fields: { [credential.toLowerCase()]: 'hidden' },
        })
      })
      unreadable.delete(`${label} ${credential}`)
      await reload()
    },
    async restore(label, credential) {
      await database.transaction(async (tx) => {
        if (!(await deleteStoredKey(tx, { service: label, credential }))) return
        await recordChange(tx, {
          accountId: null,
          subject: 'vendor_key',
          subjectId: label,
          what: 'changed',
          fields: { source: ['console', 'settings'] },
        })
      })
      await reload()
    },
    reload,
    close: () => clearInterval(timer),
  }
}

function sealingKey(master: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, name, 'tollgate vendor key', SEALING_KEY_BYTES))
}

function digestOf(master: Buffer, setting: string): Buffer {
  return createHmac('sha256', master).update(`tollgate setting ${setting}`).digest()
}
