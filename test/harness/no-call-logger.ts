import type { CallLogger } from '../../src/surfaces/http/log-calls.ts'

/** For beds whose tests read no call log. */
export const NO_CALL_LOGGER: CallLogger = { answered: () => {}, failed: () => {} }
