import { createHash } from 'node:crypto'
import { KEY_SETTINGS, type KeySetting } from './key-input.ts'
import type { KeyRecord } from './key-record.ts'

export type KeySettings = Pick<KeyRecord, KeySetting>

/**
 * A tag of the settings in a form. A form sent with an outdated tag is rejected, so that unseen
 * changes are not overwritten.
 */
export function settingsTag(settings: KeySettings): string {
  return createHash('sha256')
    .update(JSON.stringify(KEY_SETTINGS.map((name) => settings[name])))
    .digest('base64url')
}
