import OpenAI from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
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
const user = (content: string) => [{ role: 'user' as const, content }]

export const openaiChat: Driver = {
  name: 'openai, chat completions',
  package: 'openai',
  api: 'chat',
  steps: {
    answer: async (bed) => {
      const { choices } = await ask(bed)
      expect(choices[0]?.message.content === ANSWER, 'the answer', choices)
    },
    stream: async (bed) => {
      let text = ''
      const events = await clientOf(bed).chat.completions.create({
        model: bed.model,
        messages: user(QUESTION),
        stream: true,
      })
      for await (const event of events) text += event.choices[0]?.delta.content ?? ''
      expect(text === ANSWER, 'the answer', text)
    },
    'tool call': async (bed) => {
      const runner = clientOf(bed).chat.completions.runTools({
        model: bed.model,
        messages: user(WEATHER_QUESTION),
        tools: [
          {
            type: 'function',
            function: {
              name: 'weather',
              description: 'The weather of a city.',
              parameters: CITY_SCHEMA,
              parse: JSON.parse,
              function: ({ city }: { city: string }) => `Rain in ${city}`,
            },
          },
        ],
      })
      expect((await runner.finalContent()) === AFTER_TOOL, 'the second answer', runner.messages)
    },
    'structured output': async (bed) => {
      const { choices } = await clientOf(bed).chat.completions.parse({
        model: bed.model,
        messages: user(CITY_QUESTION),
        response_format: zodResponseFormat(z.object({ city: z.string() }), 'city'),
      })
      expect(choices[0]?.message.parsed?.city === 'Oslo', 'Oslo', choices)
    },
    abort: async (bed) => {
      const events = await clientOf(bed).chat.completions.create({
        model: bed.model,
        messages: user(ENDLESS_QUESTION),
        stream: true,
      })
      await abortWhileReading(events, () => events.controller.abort())
    },
    ...moneySteps(ask),
  },
}

function ask(bed: Bed, headers: Record<string, string> = {}) {
  return clientOf(bed).chat.completions.create(
    { model: bed.model, messages: user(QUESTION) },
    { headers },
  )
}
