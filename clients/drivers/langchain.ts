import { ChatAnthropic } from '@langchain/anthropic'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'
import { AFTER_TOOL, ANSWER } from '../bed/script.ts'
import { expect, type Bed, type Driver } from '../driver.ts'
import { abortWhileReading, moneySteps } from '../shared-steps.ts'
import { CITY_QUESTION, ENDLESS_QUESTION, QUESTION, WEATHER_QUESTION } from './questions.ts'

type Settings = { readonly headers?: Record<string, string> }
type ModelOf = (bed: Bed, settings?: Settings) => BaseChatModel

export const langchainOpenai = driver(
  'LangChain, ChatOpenAI',
  '@langchain/openai',
  'chat',
  ({ baseUrl, key, model }, { headers = {} } = {}) =>
    new ChatOpenAI({
      model,
      apiKey: key,
      maxRetries: 0,
      maxTokens: 4000,
      configuration: { baseURL: baseUrl, defaultHeaders: headers },
    }),
)
export const langchainAnthropic = driver(
  'LangChain, ChatAnthropic',
  '@langchain/anthropic',
  'messages',
  ({ anthropicUrl, key, model }, { headers = {} } = {}) =>
    new ChatAnthropic({
      model,
      apiKey: key,
      maxRetries: 0,
      maxTokens: 4000,
      anthropicApiUrl: anthropicUrl,
      clientOptions: { defaultHeaders: headers },
    }),
)

function driver(name: string, packageName: string, api: Driver['api'], modelOf: ModelOf): Driver {
  return {
    name,
    package: packageName,
    api,
    steps: {
      answer: async (bed) => {
        const { text } = await modelOf(bed).invoke(QUESTION)
        expect(text === ANSWER, 'the answer', text)
      },
      stream: async (bed) => {
        let text = ''
        for await (const chunk of await modelOf(bed).stream(QUESTION)) text += chunk.text
        expect(text === ANSWER, 'the answer', text)
      },
      'tool call': (bed) => callTool(modelOf(bed)),
      'structured output': async (bed) => {
        const model = modelOf(bed).withStructuredOutput(z.object({ city: z.string() }))
        const { city } = await model.invoke(CITY_QUESTION)
        expect(city === 'Oslo', 'Oslo', city)
      },
      abort: async (bed) => {
        const controller = new AbortController()
        const signal = controller.signal
        const chunks = await modelOf(bed).stream(ENDLESS_QUESTION, { signal })
        await abortWhileReading(chunks, () => controller.abort())
      },
      ...moneySteps(
        async (bed, headers = {}) => (await modelOf(bed, { headers }).invoke(QUESTION)).text,
      ),
    },
  }
}

async function callTool(model: BaseChatModel): Promise<void> {
  const weather = tool(({ city }) => `Rain in ${city}`, {
    name: 'weather',
    description: 'The weather of a city.',
    schema: z.object({ city: z.string() }),
  })
  const bound = model.bindTools?.([weather])
  expect(bound !== undefined, 'a model that takes tools', model)
  const question = new HumanMessage(WEATHER_QUESTION)
  const first = await bound.invoke([question])
  const [call] = first.tool_calls ?? []
  expect(call?.name === 'weather' && call.args['city'] === 'Oslo', 'a call of weather', first)
  const result = new ToolMessage({ content: 'Rain', tool_call_id: call.id ?? '' })
  const second = await bound.invoke([question, first, result])
  expect(second.text === AFTER_TOOL, 'the second answer', second)
}
