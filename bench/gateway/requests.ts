/** The paid call and the router call that benchmarks repeat. */
export const SEARCH = {
  path: '/api/run/semantic/search',
  body: '{"query":"how do group commits make a ledger faster"}',
}
export const COMPLETION_PATH = '/api/llm/v1/chat/completions'
export const QUESTION = {
  model: 'bench/model',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'How do group commits make a ledger faster?' }],
}
