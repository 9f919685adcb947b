/** Requests and upstream answers for tests of callers who disconnect. */
import { countTokens } from '../../../src/llm/tokens/count-tokens.ts'
import type { Asked } from '../vendors/model-upstream.ts'

const MESSAGES = [{ role: 'user', content: 'Tell me of ledgers.' }]
export const PROMPT_TOKENS = countTokens('Tell me of ledgers.') + 7
// In micro-dollars per token.
const PER_PROMPT = 4n
const PER_COMPLETION = 20n
const PRICE = { pricing: { prompt: '0.000004', completion: '0.00002' } }
/** Models whose list denies reasoning (the first two reason anyway), one that can reason, and one without that field. */
export const LIST = {
  data: [
    { id: 'plain/one', ...PRICE, supported_parameters: ['max_tokens'] },
    { id: 'plain/two', ...PRICE, supported_parameters: ['max_tokens'] },
    { id: 'plain/three', ...PRICE, supported_parameters: ['max_tokens'] },
    { id: 'thinking/one', ...PRICE, supported_parameters: ['max_tokens', 'reasoning'] },
    { id: 'unknown/one', ...PRICE },
  ],
}
export const HIDDEN = {
  prompt_tokens: 11,
  completion_tokens: 505,
  completion_tokens_details: { reasoning_tokens: 500 },
}
// Each word is one token.
export const WORDS = ['The', ' ledger', ' keeps', ' every', ' charge']

export const priceOf = (prompt: number, completionTokens: number): bigint =>
  BigInt(prompt) * PER_PROMPT + BigInt(completionTokens) * PER_COMPLETION
export const ask = (model: string, more: object = {}) => ({
  model,
  messages: MESSAGES,
  stream: true,
  max_tokens: 1_000,
  ...more,
})
export const start = ({ response }: Asked, events: readonly string[]): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events.join(''))
