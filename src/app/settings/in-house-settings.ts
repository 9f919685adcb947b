import { invalidSetting, type SettingsReader } from './settings-reader.ts'

/** Parts of the gateway that replace a vendor by means of this machine. */
export const IN_HOUSE_PARTS = ['git'] as const
export type InHousePart = (typeof IN_HOUSE_PARTS)[number]

export type InHouseSettings = {
  /** Null when IN_HOUSE is not set: `npm start` then enables all that work here. */
  readonly parts: readonly InHousePart[] | null
  /** The most that a Git repository may contain, in megabytes. */
  readonly repositoryMegabytes: number
}

/** IN_HOUSE (a list such as "git", or "none") and GIT_REPOSITORY_MB. Throws StartError. */
export function readInHouseSettings(read: SettingsReader): InHouseSettings {
  return {
    parts: partsOf(read.text('IN_HOUSE', '')),
    repositoryMegabytes: read.integer('GIT_REPOSITORY_MB', 500, 1, 1_000_000),
  }
}

function partsOf(text: string): readonly InHousePart[] | null {
  if (text === '') return null
  if (text === 'none') return []
  return text.split(',').map((word) => {
    const part = IN_HOUSE_PARTS.find((candidate) => candidate === word.trim())
    if (part === undefined)
      throw invalidSetting('IN_HOUSE', text, `"none", or a list of ${IN_HOUSE_PARTS.join(', ')}`)
    return part
  })
}
