/** The documentation: results while people type, and the current heading in the contents. */
import { startDocsSearch } from './parts/docs-search.ts'
import { followHeadings } from './parts/follow-headings.ts'

startDocsSearch()
followHeadings()
