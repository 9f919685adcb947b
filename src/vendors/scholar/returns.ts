import type { Returns } from '../../catalog/vocabulary/returns.ts'
import { authors, oneWork, works } from '../shared/scholarly-returns.ts'

export const returns: Returns = { works, work: oneWork, authors }
