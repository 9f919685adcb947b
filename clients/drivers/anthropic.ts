import Anthropic from '@anthropic-ai/sdk'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
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

const clientOf = ({ anthropicUrl, key }: Bed): Anthropic =>
  new Anthropic({ baseURL: anthropicUrl, apiKey: key, maxRetries: 0 })
const user = (content: string) => [{ role: 'user' as const, content }]
const textOf = ({ content }: Anthropic.Message): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('')

export const anthropicSdk: Driver = {
  name: 'Anthropic SDK',
  package: '@anthropic-ai/sdk',
  api: 'messages',
  steps: {
    answer: async (bed) => {
      const message = await ask(bed)
      expect(textOf(message) === ANSWER, 'the answer', message)
    },
    stream: async (bed) => {
      const stream = clientOf(bed).messages.stream({
        model: bed.model,
        max_tokens: 1000,
        messages: user(QUESTION),
      })
      const message = await stream.finalMessage()
      expect(textOf(message) === ANSWER, 'the answer', message)
    },
    'tool call': callTool,
    'structured output': async (bed) => {
      const { parsed_output } = await clientOf(bed).messages.parse({
        model: bed.model,
        max_tokens: 1000,
        messages: user(CITY_QUESTION),
        output_config: { format: zodOutputFormat(z.object({ city: z.string() })) },
      })
      expect(parsed_output?.city === 'Oslo', 'Oslo', parsed_output)
    },
    abort: async (bed) => {
      const events = await clientOf(bed).messages.create({
        model: bed.model,
        max_tokens: 4000,
        messages: user(ENDLESS_QUESTION),
        stream: true,
      })
      await abortWhileReading(events, () => events.controller.abort())
    },
    ...moneySteps(ask),
  },
}

function ask(bed: Bed, headers: Record<string, string> = {}): Promise<Anthropic.Message> {
  return clientOf(bed).messages.create(
    { model: bed.model, max_tokens: 4000, messages: user(QUESTION) },
    { headers },
  )
}

async function callTool(bed: Bed): Promise<void> {
  const asked = {
    model: bed.model,
    max_tokens: 1000,
    tools: [{ name: 'weather', description: 'The weather of a city.', input_schema: CITY_SCHEMA }],
  }
  const client = clientOf(bed)
  const first = await client.messages.create({ ...asked, messages: user(WEATHER_QUESTION) })
  const call = first.content.find((block) => block.type === 'tool_use')
  expect(call?.name === 'weather' && first.stop_reason === 'tool_use', 'a call of weather', first)
  const second = await client.messages.create({
    ...asked,
    messages: [
      ...user(WEATHER_QUESTION),
      { role: 'assistant', content: first.content },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: call.id, content: 'Rain' }],
      },
    ],
  })
  expect(textOf(second) === AFTER_TOOL, 'the second answer', second)
}
