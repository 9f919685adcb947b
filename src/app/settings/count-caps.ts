import { invalidSetting } from './settings-reader.ts'

/** The operator's maximum for a count of an action, such as the results of `semantic/search`. */
export type CountCap = {
  /** As "service/action". */
  readonly action: string
  readonly field: string
  readonly most: number
}

const CAP = /^([a-z0-9-]+\/[\w-]+)\.(\w+)=(\d{1,9})$/

/** Reads COUNT_CAPS, such as "semantic/search.numResults=25,render/crawl.limit=20". Throws StartError. */
export function readCountCaps(text: string): readonly CountCap[] {
  const parts = text.split(',').map((part) => part.trim())
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const [, action, field, most] = CAP.exec(part) ?? []
      if (action === undefined || field === undefined)
        throw invalidSetting(
          'COUNT_CAPS',
          part,
          'a list of <service>/<action>.<parameter>=<count>, such as semantic/search.numResults=25',
        )
      return { action, field, most: Number(most) }
    })
}
