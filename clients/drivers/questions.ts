/** The prompts of the scenarios. */
import { answerJson, callTool, ENDLESS } from '../bed/script.ts'

export const QUESTION = 'What is two and two?'
export const WEATHER_QUESTION = `What is the weather in Oslo? ${callTool('weather', { city: 'Oslo' })}`
export const CITY_QUESTION = `Name a city. ${answerJson({ city: 'Oslo' })}`
export const ENDLESS_QUESTION = `Count forever. ${ENDLESS}`

export const CITY_SCHEMA = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
  additionalProperties: false as const,
}
