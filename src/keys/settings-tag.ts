import { createHash } from 'node:crypto'
import { KEY_SETTINGS, type KeySetting } from './key-input.ts'
import type { KeyRecord } from './key-record.ts'

export type KeySettings = Pick<KeyRecord, KeySetting>

/** Stands for what a form about a key is filled from: whoever sends it with the form changes nothing that they have not seen. */
export function settingsTag(settings: KeySettings): string {
  return createHash('sha256')
    .update(JSON.stringify(KEY_SETTINGS.map((name) => settings[name])))
    .digest('base64url')
}
