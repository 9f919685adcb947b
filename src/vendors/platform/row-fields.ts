/** Fields of the rows of many actors. */
import { address, count, either, maybe, number, text } from '../../catalog/vocabulary/returns.ts'

export const id = maybe(either('The id.', text('A text.'), number('A number.')))
export const many = (unit: string) => maybe(count(`The number of ${unit}.`, unit))
export const name = (thing: string) => maybe(text(`The name of the ${thing}.`))
export const link = (thing: string) => maybe(address(`The URL of the ${thing}.`))
