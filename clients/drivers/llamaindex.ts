import { OpenAI } from '@llamaindex/openai'
import { tool } from 'llamaindex'
import { z } from 'zod'
import { ANSWER } from '../bed/script.ts'
import { expect, type Bed, type Driver } from '../driver.ts'
import { moneySteps } from '../shared-steps.ts'
import { CITY_QUESTION, QUESTION, WEATHER_QUESTION } from './questions.ts'

function modelOf({ baseUrl, key, model }: Bed, headers: Record<string, string> = {}): OpenAI {
  return new OpenAI({
    model,
    apiKey: key,
    maxRetries: 0,
    maxTokens: 4000,
    additionalSessionOptions: { baseURL: baseUrl, defaultHeaders: headers },
  })
}
const user = (content: string) => ({ messages: [{ role: 'user' as const, content }] })

export const llamaindex: Driver = {
  name: 'LlamaIndex',
  package: '@llamaindex/openai',
  api: 'chat',
  steps: {
    answer: async (bed) => {
      const { message } = await modelOf(bed).chat(user(QUESTION))
      expect(message.content === ANSWER, 'the answer', message)
    },
    stream: async (bed) => {
      let text = ''
      const chunks = await modelOf(bed).chat({ ...user(QUESTION), stream: true })
      for await (const { delta } of chunks) text += delta
      expect(text === ANSWER, 'the answer', text)
    },
    'tool call': async (bed) => {
      const weather = tool({
        name: 'weather',
        description: 'The weather of a city.',
        parameters: z.object({ city: z.string() }),
        execute: ({ city }: { city: string }) => `Rain in ${city}`,
      })
      const { message } = await modelOf(bed).chat({ ...user(WEATHER_QUESTION), tools: [weather] })
      const calls = (message.options as { toolCall?: { name: string }[] } | undefined)?.toolCall
      expect(calls?.[0]?.name === 'weather', 'a call of weather', message)
    },
    'structured output': async (bed) => {
      const { message } = await modelOf(bed).chat({
        ...user(CITY_QUESTION),
        responseFormat: z.object({ city: z.string() }),
      })
      expect(String(message.content).includes('"Oslo"'), 'Oslo', message)
    },
    abort: 'it does not cancel its request',
    ...moneySteps(async (bed, headers) => {
      const { message } = await modelOf(bed, headers).chat(user(QUESTION))
      return message.content
    }),
  },
}
