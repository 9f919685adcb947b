import OpenAI from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
import { z } from 'zod'
import { AFTER_TOOL, ANSWER } from '../bed/script.ts'
import { expect, expectStatus, type Bed, type Driver } from '../driver.ts'
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
      let count = 0
      for await (const _ of events) if (++count === 20) events.controller.abort()
      expect(count >= 20, '20 events before the abort', count)
    },
    '402': (bed) => expectStatus(402, () => ask(bed)),
    '429': (bed) => expectStatus(429, () => ask(bed)),
    replay: async (bed) => {
      const options = { headers: { 'Idempotency-Key': 'openai-chat' } }
      const first = await ask(bed, options)
      const second = await ask(bed, options)
      expect(JSON.stringify(first) === JSON.stringify(second), 'the same answer', second)
    },
  },
}

function ask(bed: Bed, options: OpenAI.RequestOptions = {}) {
  return clientOf(bed).chat.completions.create(
    { model: bed.model, messages: user(QUESTION) },
    options,
  )
}
