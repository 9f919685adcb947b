import { Agent, OpenAIProvider, Runner, tool, type AgentOutputType } from '@openai/agents'
import OpenAI from 'openai'
import { z } from 'zod'
import { AFTER_TOOL, ANSWER } from '../bed/script.ts'
import { expect, type Bed, type Driver } from '../driver.ts'
import { abortWhileReading, moneySteps } from '../shared-steps.ts'
import { CITY_QUESTION, ENDLESS_QUESTION, QUESTION, WEATHER_QUESTION } from './questions.ts'

function runnerOf({ baseUrl, key }: Bed, headers: Record<string, string> = {}): Runner {
  const openAIClient = new OpenAI({
    baseURL: baseUrl,
    apiKey: key,
    maxRetries: 0,
    defaultHeaders: headers,
  })
  return new Runner({
    modelProvider: new OpenAIProvider({ openAIClient }),
    tracingDisabled: true,
    modelSettings: { store: false },
  })
}
const agentOf = ({ model }: Bed) => new Agent({ name: 'helper', instructions: 'Be brief.', model })

export const openaiAgents: Driver = {
  name: 'OpenAI Agents SDK',
  package: '@openai/agents',
  api: 'responses',
  steps: {
    answer: async (bed) => {
      const { finalOutput } = await runnerOf(bed).run(agentOf(bed), QUESTION)
      expect(finalOutput === ANSWER, 'the answer', finalOutput)
    },
    stream: async (bed) => {
      const result = await runnerOf(bed).run(agentOf(bed), QUESTION, { stream: true })
      let text = ''
      for await (const part of result.toTextStream()) text += part
      await result.completed
      expect(text === ANSWER, 'the answer', text)
    },
    'tool call': async (bed) => {
      const weather = tool({
        name: 'weather',
        description: 'The weather of a city.',
        parameters: z.object({ city: z.string() }),
        execute: ({ city }) => `Rain in ${city}`,
      })
      const agent = new Agent({ name: 'helper', model: bed.model, tools: [weather] })
      const { finalOutput } = await runnerOf(bed).run(agent, WEATHER_QUESTION)
      expect(finalOutput === AFTER_TOOL, 'the second answer', finalOutput)
    },
    'structured output': async (bed) => {
      const outputType: AgentOutputType = z.object({ city: z.string() })
      const agent = new Agent({ name: 'helper', model: bed.model, outputType })
      const { finalOutput } = await runnerOf(bed).run(agent, CITY_QUESTION)
      expect((finalOutput as { city?: string }).city === 'Oslo', 'Oslo', finalOutput)
    },
    abort: async (bed) => {
      const controller = new AbortController()
      const result = await runnerOf(bed).run(agentOf(bed), ENDLESS_QUESTION, {
        stream: true,
        signal: controller.signal,
      })
      await abortWhileReading(result, () => controller.abort())
    },
    ...moneySteps(async (bed, headers) => {
      const { finalOutput } = await runnerOf(bed, headers).run(agentOf(bed), QUESTION)
      return finalOutput
    }),
  },
}
