/** Requests to a language model in each API, for clients that the documentation lists as tested. */
import type { Snippet } from '../../code/snippets.ts'

const QUESTION = 'What is a ledger?'

type Ask = { readonly publicUrl: string; readonly model: string }

export function chatSnippets({ publicUrl, model }: Ask): readonly Snippet[] {
  const base = `${publicUrl}/api/llm/v1`
  return [
    curl(`${base}/chat/completions`, { model, messages: [{ role: 'user', content: QUESTION }] }),
    python(`# pip install openai
import os
from openai import OpenAI

client = OpenAI(base_url="${base}", api_key=os.environ["TOLLGATE_KEY"])
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "${QUESTION}"}],
)
print(answer.choices[0].message.content)`),
    typescript(`// npm install openai
import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${base}', apiKey: process.env.TOLLGATE_KEY })
const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: '${QUESTION}' }],
})
console.log(answer.choices[0].message.content)`),
    aiSdk(`// npm install ai @ai-sdk/openai-compatible
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'

const tollgate = createOpenAICompatible({
  name: 'tollgate',
  baseURL: '${base}',
  apiKey: process.env.TOLLGATE_KEY,
  includeUsage: true,
  supportsStructuredOutputs: true,
})
const { text } = await generateText({ model: tollgate('${model}'), prompt: '${QUESTION}' })`),
    {
      id: 'client',
      label: 'LangChain',
      language: 'js',
      text: `// npm install @langchain/openai
import { ChatOpenAI } from '@langchain/openai'

const model = new ChatOpenAI({
  model: '${model}',
  apiKey: process.env.TOLLGATE_KEY,
  configuration: { baseURL: '${base}' },
})
const { text } = await model.invoke('${QUESTION}')`,
    },
  ]
}

export function messagesSnippets({ publicUrl, model }: Ask): readonly Snippet[] {
  const base = `${publicUrl}/api/llm`
  return [
    curl(`${base}/v1/messages`, {
      model,
      max_tokens: 1024,
      messages: [{ role: 'user', content: QUESTION }],
    }),
    python(`# pip install anthropic
import os
from anthropic import Anthropic

client = Anthropic(base_url="${base}", api_key=os.environ["TOLLGATE_KEY"])
message = client.messages.create(
    model="${model}",
    max_tokens=1024,
    messages=[{"role": "user", "content": "${QUESTION}"}],
)
print(message.content)`),
    typescript(`// npm install @anthropic-ai/sdk
import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: '${base}', apiKey: process.env.TOLLGATE_KEY })
const message = await client.messages.create({
  model: '${model}',
  max_tokens: 1024,
  messages: [{ role: 'user', content: '${QUESTION}' }],
})
console.log(message.content)`),
    aiSdk(`// npm install ai @ai-sdk/anthropic
import { createAnthropic } from '@ai-sdk/anthropic'
import { generateText } from 'ai'

const tollgate = createAnthropic({ baseURL: '${base}/v1', apiKey: process.env.TOLLGATE_KEY })
const { text } = await generateText({ model: tollgate('${model}'), prompt: '${QUESTION}' })`),
    {
      id: 'client',
      label: 'Claude Code',
      language: 'sh',
      text: `export ANTHROPIC_BASE_URL=${base}
export ANTHROPIC_AUTH_TOKEN=$TOLLGATE_KEY
claude --model ${model} -p "${QUESTION}"`,
    },
  ]
}

export function responsesSnippets({ publicUrl, model }: Ask): readonly Snippet[] {
  const base = `${publicUrl}/api/llm/v1`
  return [
    curl(`${base}/responses`, { model, input: QUESTION }),
    python(`# pip install openai
import os
from openai import OpenAI

client = OpenAI(base_url="${base}", api_key=os.environ["TOLLGATE_KEY"])
response = client.responses.create(model="${model}", input="${QUESTION}", store=False)
print(response.output_text)`),
    typescript(`// npm install openai
import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${base}', apiKey: process.env.TOLLGATE_KEY })
const response = await client.responses.create({
  model: '${model}',
  input: '${QUESTION}',
  store: false,
})
console.log(response.output_text)`),
    aiSdk(`// npm install ai @ai-sdk/openai
import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'

const tollgate = createOpenAI({ baseURL: '${base}', apiKey: process.env.TOLLGATE_KEY })
const { text } = await generateText({
  model: tollgate('${model}'),
  prompt: '${QUESTION}',
  providerOptions: { openai: { store: false } },
})`),
    {
      id: 'client',
      label: 'Codex',
      language: 'text',
      text: `# ~/.codex/config.toml
model = "${model}"
model_provider = "tollgate"
web_search = "disabled"

[model_providers.tollgate]
name = "Tollgate"
base_url = "${base}"
env_key = "TOLLGATE_KEY"
wire_api = "responses"`,
    },
  ]
}

function curl(url: string, body: object): Snippet {
  const text = `curl ${url} \\
  -H "Authorization: Bearer $TOLLGATE_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body, null, 2)}'`
  return { id: 'curl', label: 'curl', language: 'sh', text }
}

function python(text: string): Snippet {
  return { id: 'python', label: 'Python', language: 'python', text }
}

function typescript(text: string): Snippet {
  return { id: 'typescript', label: 'TypeScript', language: 'js', text }
}

function aiSdk(text: string): Snippet {
  return { id: 'ai-sdk', label: 'AI SDK', language: 'js', text }
}
