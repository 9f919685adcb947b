/** Writes countries in the form that a field takes: a code of two or three letters, or a name. */
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import type { Country } from '../../discover/places.ts'
import type { Entities } from '../reading/entities.ts'
import { choicesOf } from './slots.ts'

/** All countries for a list, otherwise the first. */
export function countryTexts(
  { countries }: Entities,
  schema: JsonSchema,
  name: string,
): readonly string[] {
  return countries.map((country) => countryText(country, schema, name))
}

function countryText(
  country: Country,
  {
    description = '',
    enum: values,
    pattern,
    items,
  }: JsonSchema & { pattern?: string; items?: JsonSchema & { pattern?: string } },
  name: string,
): string {
  if (name === 'geo') return country.alpha2
  const choices = choicesOf({
    ...(values === undefined ? {} : { enum: values }),
    ...(items === undefined ? {} : { items }),
  })
  if (choices !== undefined)
    return (
      [country.alpha2, country.alpha2 === 'GB' ? 'UK' : '', country.alpha3, country.name].find(
        (one) => choices.includes(one),
      ) ?? ''
    )
  const rule = `${/code$/i.test(name) ? 'iso' : ''} ${pattern ?? ''} ${items?.pattern ?? ''} ${description} ${items?.description ?? ''}`
  if (/alpha-?3|three[- ]letter|3[- ]letter|\{3\}/i.test(rule)) return country.alpha3
  return /alpha-?2|two[- ]letter|2[- ]letter|\{2\}|iso/i.test(rule) ? country.alpha2 : country.name
}
