import type { CallerFormat } from '../wires/caller-format.ts'
import { usageBlock } from '../bill/receipt.ts'
import { eventsOfCompletion } from './events-of-completion.ts'
import { END_MARK, errorEvent, usageEvent } from './write-events.ts'

/** Chat completions from an upstream that speaks them. Events pass unchanged. */
export const chatFormat: CallerFormat = {
  createWriter: () => ({
    pass: (events) => events,
    end(reader, { wantsUsage, ...facts }, failure) {
      const sent = reader.usageEvent ?? { ...reader.first, usage: undefined }
      const usage = wantsUsage ? usageEvent({ sent, ...facts }) : ''
      return `${usage}${failure === null ? '' : errorEvent(failure)}${END_MARK}`
    },
    fail: (error) => errorEvent(error) + END_MARK,
  }),
  writeWhole: (json, _text, { bill, modelId, isTest }) =>
    JSON.stringify({
      ...json,
      model: json['model'] ?? modelId,
      usage: usageBlock(json['usage'], bill),
      ...(isTest ? { test: true } : {}),
    }),
  writeEvents(json, { wantsUsage, ...facts }) {
    const usage = wantsUsage ? usageEvent({ sent: json, ...facts }) : ''
    return `${eventsOfCompletion({ ...json, model: json['model'] ?? facts.modelId })}${usage}${END_MARK}`
  },
}
