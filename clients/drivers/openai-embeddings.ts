import OpenAI from 'openai'
import { expect, expectStatus, type Bed, type Driver } from '../driver.ts'

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
    '402': (bed) => expectStatus(402, () => ask(bed)),
    '429': (bed) => expectStatus(429, () => ask(bed)),
    replay: async (bed) => {
      const options = { headers: { 'Idempotency-Key': 'openai-embeddings' } }
      const first = await ask(bed, options)
      const second = await ask(bed, options)
      expect(JSON.stringify(first) === JSON.stringify(second), 'the same answer', second)
    },
  },
}

function ask({ baseUrl, key, model }: Bed, options: OpenAI.RequestOptions = {}) {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0 })
  return client.embeddings.create({ model, input: ['one', 'two'] }, options)
}
