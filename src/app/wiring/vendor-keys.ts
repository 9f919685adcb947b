/**
 * Vendor keys in effect: those of the settings, and those that an operator stored in their place or without a
 * setting. Everything that sends a vendor request reads the same `credentials` objects, which change in place.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import type { UpstreamSettings } from '../../calls/lanes/endpoints.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { listenTo } from '../../db/listen.ts'
import { recordChange } from '../../db/record-change.ts'
import { AppError } from '../../errors/app-error.ts'
import { openSealed, sealText } from '../../lib/seal.ts'
import {
  deleteStoredKey,
  readStoredKeys,
  writeStoredKey,
  type StoredKey,
} from '../../operate/vendors/stored-keys.ts'
import { hideFormer } from '../../upstream/credentials.ts'
import type { Config } from '../settings/config.ts'
import { createSealingSecret, readSealingSecret } from './sealing-secret.ts'

export type VendorKeys = {
  /** Read by every request to a vendor. */
  readonly upstreams: ReadonlyMap<string, UpstreamSettings>
  /** Whether keys can be stored here. */
  readonly canStore: boolean
  isStored(label: string, credential: string): boolean
  /** Stores a key in place of a setting, or without one, in all processes. Throws AppError invalid_params. */
  store(label: string, credential: string, key: string): Promise<void>
  /** Returns to the setting, or removes the key, in all processes. */
  restore(label: string, credential: string): Promise<void>
  /** Reads the stored keys again. */
  reload(): Promise<void>
  /** Calls `renew` after keys were added or removed, which changes the lanes of actions. */
  onChangedLanes(renew: () => void): void
  close(): Promise<void>
}

type KeyPlace = {
  readonly url: string | null
  readonly credentials: Record<string, string>
  readonly settings: Readonly<Record<string, string>>
}

type VendorKeyDeps = {
  readonly config: Pick<Config, 'upstreams' | 'vendorKeysSecret' | 'databaseUrl' | 'dataDir'>
  readonly database: Database
  readonly logger: Pick<Logger, 'warn'>
  /** Whether changes of other processes matter. */
  readonly listens: boolean
}

const CHANNEL = 'vendor_keys'
const SEALING_KEY_BYTES = 32
/** In place of the setting that a key without one replaces: a setting, once there is one, is newer. */
const NO_SETTING = ''
const ROUTER_LABEL = /^llm(-[a-d])?$/

export async function openVendorKeys(deps: VendorKeyDeps): Promise<VendorKeys> {
  const { config, database, logger } = deps
  const places = new Map<string, KeyPlace>(
    [...config.upstreams].map(([label, { url, credentials }]) => [
      label,
      { url, credentials: { ...credentials }, settings: credentials },
    ]),
  )
  /** Of the lanes, which open after the keys. */
  let isLate = false
  let renew = (): void => void (isLate = true)
  const stored = new Set<string>()
  const unreadable = new Set<string>()
  const canStore = config.vendorKeysSecret !== null || config.databaseUrl === null

  async function reload(): Promise<void> {
    const rows = await readStoredKeys(database)
    const master = rows.length === 0 ? null : await findMaster()
    const found = new Map(rows.map((row) => [nameOf(row), row]))
    for (const [label, { credentials, settings }] of places)
      for (const [credential, setting] of Object.entries(settings)) {
        const name = `${label} ${credential}`
        const key = keyOf(found.get(name), master, setting)
        replaceIn(credentials, credential, key ?? setting)
        if (key === null) stored.delete(name)
        else stored.add(name)
      }
    const added = rows.flatMap((row) => {
      const isReplacement = places.get(row.service)?.settings[row.credential] !== undefined
      const key = isReplacement || isOfRouter(row.service) ? null : keyOf(row, master, NO_SETTING)
      return key === null ? [] : [{ ...row, key }]
    })
    if (useAdded(added)) renew()
  }

  /** Returns whether keys without a setting came or went. */
  function useAdded(added: readonly (StoredKey & { readonly key: string })[]): boolean {
    const isKept = (name: string) => added.some((row) => nameOf(row) === name)
    let hasChanged = false
    for (const [label, place] of places) {
      const gone = Object.keys(place.credentials).filter(
        (name) => place.settings[name] === undefined && !isKept(`${label} ${name}`),
      )
      if (gone.length === 0) continue
      hasChanged = true
      for (const name of gone) {
        stored.delete(`${label} ${name}`)
        hideFormer(place.credentials[name] ?? '')
      }
      const rest = Object.entries(place.credentials).filter(([name]) => !gone.includes(name))
      // A call in progress keeps the object with the key that it has sent.
      if (rest.length > 0 || config.upstreams.has(label))
        places.set(label, { ...place, credentials: Object.fromEntries(rest) })
      else places.delete(label)
    }
    for (const { service, credential, key } of added) {
      const place = places.get(service) ?? { url: null, credentials: {}, settings: {} }
      hasChanged ||= place.credentials[credential] === undefined
      replaceIn(place.credentials, credential, key)
      places.set(service, place)
      stored.add(`${service} ${credential}`)
    }
    return hasChanged
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
    const name = nameOf(row)
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
    if (isOfRouter(label) || !canStore)
      throw new AppError('invalid_params', 'This key cannot be replaced here.', {
        param: 'key',
        fix: 'Change the setting and restart the gateway.',
      })
    return places.get(label)?.settings[credential] ?? NO_SETTING
  }

  let reading: Promise<void> = reload()
  await reading
  isLate = false
  /** One after the other: a later reading has the later keys. */
  function readAgain(): Promise<void> {
    reading = reading.catch(() => {}).then(reload)
    return reading
  }
  const readInBackground = (): void =>
    void readAgain().catch((error: unknown) =>
      logger.warn(
        { err: error },
        'changed vendor keys could not be read: the former ones are used',
      ),
    )
  const listener = deps.listens
    ? listenTo({
        database,
        purpose: 'vendor keys',
        channel: CHANNEL,
        onMessage: readInBackground,
        onGap: readInBackground,
      })
    : null
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
        await notify(tx)
      })
      unreadable.delete(`${label} ${credential}`)
      await readAgain()
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
        await notify(tx)
      })
      await readAgain()
    },
    reload: readAgain,
    onChangedLanes(work) {
      renew = work
      if (isLate) work()
    },
    async close() {
      await listener?.close()
    },
  }
}

/** A call in progress may still receive an answer with the former key. */
function replaceIn(credentials: Record<string, string>, name: string, key: string): void {
  const former = credentials[name]
  if (former !== undefined && former !== key) hideFormer(former)
  credentials[name] = key
}

/** Delivered with the commit. */
async function notify({ query }: Transaction): Promise<void> {
  await query(`notify ${CHANNEL}`)
}

function nameOf({ service, credential }: StoredKey): string {
  return `${service} ${credential}`
}

/** The upstreams of the router read their keys once, at the start. */
function isOfRouter(label: string): boolean {
  return ROUTER_LABEL.test(label)
}

function sealingKey(master: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, name, 'tollgate vendor key', SEALING_KEY_BYTES))
}

function digestOf(master: Buffer, setting: string): Buffer {
  return createHmac('sha256', master).update(`tollgate setting ${setting}`).digest()
}
