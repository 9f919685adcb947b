import OpenAI from 'openai'
import { zodTextFormat } from 'openai/helpers/zod'
import { z } from 'zod'
import { AFTER_TOOL, ANSWER } from '../bed/script.ts'
import { expect, type Bed, type Driver } from '../driver.ts'
import { abortWhileReading, moneySteps } from '../shared-steps.ts'
import {
  CITY_QUESTION,
  CITY_SCHEMA,
  ENDLESS_QUESTION,
  QUESTION,
  WEATHER_QUESTION,
} from './questions.ts'

const clientOf = ({ baseUrl, key }: Bed): OpenAI =>
  new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0 })

export const openaiResponses: Driver = {
  name: 'openai, responses',
  package: 'openai',
  api: 'responses',
  steps: {
    answer: async (bed) => {
      const { output_text } = await ask(bed)
      expect(output_text === ANSWER, 'the answer', output_text)
    },
    stream: async (bed) => {
      const stream = clientOf(bed).responses.stream({
        model: bed.model,
        input: QUESTION,
        store: false,
      })
      const { output_text } = await stream.finalResponse()
      expect(output_text === ANSWER, 'the answer', output_text)
    },
    'tool call': callTool,
    'structured output': async (bed) => {
      const { output_parsed } = await clientOf(bed).responses.parse({
        model: bed.model,
        input: CITY_QUESTION,
        store: false,
        text: { format: zodTextFormat(z.object({ city: z.string() }), 'city') },
      })
      expect(output_parsed?.city === 'Oslo', 'Oslo', output_parsed)
    },
    abort: async (bed) => {
      const events = await clientOf(bed).responses.create({
        model: bed.model,
        input: ENDLESS_QUESTION,
        store: false,
        stream: true,
      })
      await abortWhileReading(events, () => events.controller.abort())
    },
    ...moneySteps(ask),
  },
}

function ask(bed: Bed, headers: Record<string, string> = {}) {
  return clientOf(bed).responses.create(
    { model: bed.model, input: QUESTION, store: false },
    { headers },
  )
}

async function callTool(bed: Bed): Promise<void> {
  const client = clientOf(bed)
  const tools = [
    {
      type: 'function' as const,
      name: 'weather',
      description: 'The weather of a city.',
      parameters: CITY_SCHEMA,
      strict: true,
    },
  ]
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: WEATHER_QUESTION }]
  const first = await client.responses.create({ model: bed.model, input, tools, store: false })
  const [call] = first.output
  expect(call?.type === 'function_call' && call.name === 'weather', 'a call of weather', first)
  input.push(call, { type: 'function_call_output', call_id: call.call_id, output: 'Rain' })
  const second = await client.responses.create({ model: bed.model, input, tools, store: false })
  expect(second.output_text === AFTER_TOOL, 'the second answer', second)
}
