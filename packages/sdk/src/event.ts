import type { OtherText } from './data.ts'
import type { EventType } from './gateway-names.d.ts'

export type TollgateEvent = {
  /** The same in each delivery: ignore an id that you have handled. */
  readonly id: string
  readonly type: EventType | OtherText
  readonly timestamp: string
  /** docs/reference/events.md lists the fields of each type. */
  readonly data: Readonly<Record<string, unknown>> & {
    /** The position among the events of the account in its mode. */
    readonly sequence: number
  }
}
