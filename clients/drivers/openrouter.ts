import { OpenRouter } from '@openrouter/sdk'
import type { ChatRequest } from '@openrouter/sdk/models'
import { ANSWER } from '../bed/script.ts'
import { expect, type Bed, type Driver } from '../driver.ts'
import { moneySteps } from '../shared-steps.ts'
import {
  CITY_QUESTION,
  CITY_SCHEMA,
  ENDLESS_QUESTION,
  QUESTION,
  WEATHER_QUESTION,
} from './questions.ts'

const clientOf = ({ baseUrl, key }: Bed): OpenRouter =>
  new OpenRouter({ apiKey: key, serverURL: baseUrl, retryConfig: { strategy: 'none' } })
const user = (content: string) => [{ role: 'user' as const, content }]

async function ask(
  bed: Bed,
  more: Partial<ChatRequest> = {},
  headers: Record<string, string> = {},
) {
  const result = await clientOf(bed).chat.send(
    {
      chatRequest: {
        model: bed.model,
        messages: user(QUESTION),
        maxCompletionTokens: 4000,
        ...more,
        stream: false,
      },
    },
    { headers },
  )
  expect('choices' in result, 'a whole response', result)
  return result.choices[0]?.message
}

async function* stream(bed: Bed, content: string) {
  const result = await clientOf(bed).chat.send({
    chatRequest: { model: bed.model, messages: user(content), stream: true },
  })
  expect(!('choices' in result), 'a stream', result)
  for await (const { choices } of result) yield choices[0]?.delta.content ?? ''
}

export const openrouterSdk: Driver = {
  name: 'OpenRouter SDK',
  package: '@openrouter/sdk',
  api: 'chat',
  steps: {
    answer: async (bed) => {
      const message = await ask(bed)
      expect(message?.content === ANSWER, 'the answer', message)
      const ids: string[] = []
      for await (const { result } of await clientOf(bed).models.list())
        ids.push(...result.data.map(({ id }) => id))
      expect(ids.includes(bed.model), 'the model in the list', ids)
    },
    stream: async (bed) => {
      let text = ''
      for await (const part of stream(bed, QUESTION)) text += part
      expect(text === ANSWER, 'the answer', text)
    },
    'tool call': async (bed) => {
      const message = await ask(bed, {
        messages: user(WEATHER_QUESTION),
        tools: [
          {
            type: 'function',
            function: { name: 'weather', description: 'The weather.', parameters: CITY_SCHEMA },
          },
        ],
      })
      expect(message?.toolCalls?.[0]?.function.name === 'weather', 'a call of weather', message)
    },
    'structured output': async (bed) => {
      const message = await ask(bed, {
        messages: user(CITY_QUESTION),
        responseFormat: {
          type: 'json_schema',
          jsonSchema: { name: 'city', schema: CITY_SCHEMA, strict: true },
        },
      })
      expect(message?.content === '{"city":"Oslo"}', 'Oslo', message)
    },
    abort: async (bed) => {
      let count = 0
      for await (const _ of stream(bed, ENDLESS_QUESTION)) if (++count === 20) break
      expect(count === 20, '20 parts before the abort', count)
    },
    ...moneySteps((bed, headers) => ask(bed, {}, headers)),
  },
}
