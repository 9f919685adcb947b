/** The gateway's own shape of Scrape.do's answer, which is the page itself. */
import { answer, type Returns } from '../../catalog/vocabulary/returns.ts'
import { unblockedPage } from '../shared/page-returns.ts'

export const returns: Returns = { scrape: answer(unblockedPage) }
