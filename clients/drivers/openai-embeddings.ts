import OpenAI from 'openai'
import { expect, type Bed, type Driver } from '../driver.ts'
import { moneySteps } from '../shared-steps.ts'

const NONE = 'embeddings have none'

export const openaiEmbeddings: Driver = {
  name: 'openai, embeddings',
  package: 'openai',
  api: 'embeddings',
  steps: {
    answer: async (bed) => {
      const { data } = await ask(bed)
      const sizes = data.map(({ embedding }) => embedding.length)
      expect(sizes.length === 2 && sizes.every((size) => size > 1), 'two vectors', sizes)
    },
    stream: NONE,
    'tool call': NONE,
    'structured output': NONE,
    abort: NONE,
    ...moneySteps(ask),
  },
}

function ask({ baseUrl, key, model }: Bed, headers: Record<string, string> = {}) {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0 })
  return client.embeddings.create({ model, input: ['one', 'two'] }, { headers })
}
