// Streams the answer of a language model, then prints its cost. With a test key the model is simulated.
const gateway = process.env.TOLLGATE_URL ?? 'http://127.0.0.1:4020'
const key = process.env.TOLLGATE_KEY
const question = process.argv[2] ?? 'What is a ledger?'
if (key === undefined) throw new Error('Set TOLLGATE_KEY to a key of your account.')

const response = await fetch(`${gateway}/api/llm/v1/chat/completions`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({
    model: 'core/cheap',
    messages: [{ role: 'user', content: question }],
    stream: true,
    stream_options: { include_usage: true },
    // The gateway shortens the answer to stay within this limit.
    max_cost_cents: 1,
  }),
})
if (!response.ok) {
  const { error } = await response.json()
  console.error(`${error.code}: ${error.message} ${error.fix}`)
  process.exit(1)
}

let rest = ''
for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  const events = (rest + text).split('\n\n')
  rest = events.pop()
  for (const event of events) {
    if (!event.startsWith('data: ') || event === 'data: [DONE]') continue
    const { choices, usage, error } = JSON.parse(event.slice(6))
    // The text before an error is charged.
    if (error !== undefined) throw new Error(error.message)
    process.stdout.write(choices[0]?.delta.content ?? '')
    if (usage) console.log(`\n\n${response.headers.get('x-model')}: ${usage.prompt_tokens} + ${usage.completion_tokens} tokens, $${usage.cost.toFixed(6)}`)
  }
}
