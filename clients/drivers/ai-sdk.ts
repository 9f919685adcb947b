/** The AI SDK with four providers. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createOpenRouter } from '@openrouter/ai-sdk-provider'
import { generateText, Output, stepCountIs, streamText, tool, type LanguageModel } from 'ai'
import { z } from 'zod'
import { AFTER_TOOL, ANSWER } from '../bed/script.ts'
import { expect, type Bed, type Driver } from '../driver.ts'
import { abortWhileReading, moneySteps } from '../shared-steps.ts'
import { CITY_QUESTION, ENDLESS_QUESTION, QUESTION, WEATHER_QUESTION } from './questions.ts'

type ModelOf = (bed: Bed) => LanguageModel

export const aiSdkOpenai = driver('@ai-sdk/openai', 'responses', ({ baseUrl, key, model }) =>
  createOpenAI({ baseURL: baseUrl, apiKey: key })(model),
)
export const aiSdkAnthropic = driver('@ai-sdk/anthropic', 'messages', ({ baseUrl, key, model }) =>
  createAnthropic({ baseURL: baseUrl, apiKey: key })(model),
)
export const aiSdkCompatible = driver(
  '@ai-sdk/openai-compatible',
  'chat',
  ({ baseUrl, key, model }) =>
    createOpenAICompatible({
      name: 'tollgate',
      baseURL: baseUrl,
      apiKey: key,
      supportsStructuredOutputs: true,
    })(model),
)
export const aiSdkOpenrouter = driver(
  '@openrouter/ai-sdk-provider',
  'chat',
  ({ baseUrl, key, model }) => createOpenRouter({ baseURL: baseUrl, apiKey: key })(model),
)

function driver(name: string, api: Driver['api'], modelOf: ModelOf): Driver {
  const ask = (bed: Bed, headers: Record<string, string> = {}) =>
    generateText({
      model: modelOf(bed),
      prompt: QUESTION,
      maxRetries: 0,
      maxOutputTokens: 4000,
      headers,
    })
  return {
    name: `AI SDK, ${name}`,
    package: name,
    api,
    steps: {
      answer: async (bed) => {
        const { text } = await ask(bed)
        expect(text === ANSWER, 'the answer', text)
      },
      stream: async (bed) => {
        const { textStream } = streamText({ model: modelOf(bed), prompt: QUESTION, maxRetries: 0 })
        let text = ''
        for await (const part of textStream) text += part
        expect(text === ANSWER, 'the answer', text)
      },
      'tool call': async (bed) => {
        const { text } = await generateText({
          model: modelOf(bed),
          prompt: WEATHER_QUESTION,
          maxRetries: 0,
          stopWhen: stepCountIs(3),
          tools: {
            weather: tool({
              description: 'The weather of a city.',
              inputSchema: z.object({ city: z.string() }),
              execute: ({ city }) => `Rain in ${city}`,
            }),
          },
        })
        expect(text === AFTER_TOOL, 'the second answer', text)
      },
      'structured output': async (bed) => {
        const { output } = await generateText({
          model: modelOf(bed),
          prompt: CITY_QUESTION,
          maxRetries: 0,
          output: Output.object({ schema: z.object({ city: z.string() }) }),
        })
        expect(output.city === 'Oslo', 'Oslo', output)
      },
      abort: async (bed) => {
        const controller = new AbortController()
        const { fullStream } = streamText({
          model: modelOf(bed),
          prompt: ENDLESS_QUESTION,
          maxRetries: 0,
          maxOutputTokens: 4000,
          abortSignal: controller.signal,
        })
        await abortWhileReading(fullStream, () => controller.abort())
      },
      ...moneySteps(async (bed, headers) => (await ask(bed, headers)).text),
    },
  }
}
