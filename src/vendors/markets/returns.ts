/** From AskSurf's and Predexon's envelopes, and the references of the public sources. */
import { anything, type Returns } from '../../catalog/vocabulary/returns.ts'
import { coins } from './answers/coins.ts'
import { marketAnswer } from './answers/common.ts'
import { predictions } from './answers/predictions.ts'

export const returns: Returns = {
  fetch: marketAnswer(anything('The rows or the object of the path.')),
  ...coins,
  ...predictions,
}
