/** The gateway's own shape of Bright Data's answer. */
import { answer, type Returns } from '../../catalog/vocabulary/returns.ts'
import { unblockedPage } from '../shared/page-returns.ts'

export const returns: Returns = { unblock: answer(unblockedPage) }
