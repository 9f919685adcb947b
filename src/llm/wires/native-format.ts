import type { AppError } from '../../errors/app-error.ts'
import type { Fields } from '../../lib/json-fields.ts'
import type { EventReader } from '../stream/event-reader.ts'
import type { CallerFormat } from './caller-format.ts'

type NativeEvents = {
  /** The events of a whole response. */
  readonly eventsOf: (whole: Fields) => string
  /** The end of a stream with an error. `begun` is the first event of the upstream. */
  readonly failureEvent: (error: AppError, begun: Fields | null) => string
}

/** The format for a caller and an upstream that speak the same API: bytes pass unchanged. */
export function nativeFormat({ eventsOf, failureEvent }: NativeEvents): CallerFormat {
  return {
    createWriter: () => {
      let hasBegun = false
      return {
        pass(events) {
          hasBegun = true
          return events
        },
        end: (reader: EventReader, _facts, failure) =>
          failure === null
            ? (reader.lastEvent?.toString('utf8') ?? '')
            : failureEvent(failure, reader.first),
        fail: (error) => failureEvent(error, hasBegun ? {} : null),
      }
    },
    writeWhole: (_json, text) => text,
    writeEvents: eventsOf,
  }
}
