import type { GuideSection } from './guide-section.ts'
import { html } from './html.ts'
import { code, codeBlock, table } from './components.ts'

export function modelsSection(publicUrl: string): GuideSection {
  const client = `const client = new OpenAI({ baseURL: '${publicUrl}/api/llm/v1', apiKey: process.env.TOLLGATE_KEY })
const answer = await client.chat.completions.create({
  model: 'core/mid',
  messages: [{ role: 'user', content: 'What is a ledger?' }],
})`
  return {
    id: 'models',
    title: 'Language models',
    body: html`<p>Language models have an address of their own, because clients for them exist already: any client of the chat-completions form works after changing its base address and key, with streams, tools, images and JSON. Every token is metered from the same balance, to a millionth of a dollar, and your ceilings hold here too.</p>
${codeBlock(client, 'js')}
${table(
  'Which model to name',
  ['Name', 'What it leads to'],
  [
    [
      code('core/cheap'),
      'the cheapest models that are still good: well under a tenth of a cent for an ordinary question',
    ],
    [code('core/mid'), 'models for everyday work: up to a cent'],
    [code('core/best'), 'the best there are: one to three cents'],
    [html`a model of ${code('GET /api/llm/v1/pricing')}`, 'that one alone'],
  ],
)}
<p>The three tiers follow the market without a change on your side, and when a model fails before its first word the next of its tier is asked. The answer names the model that served and, in <code>usage.cost</code>, what it cost. A caller that leaves a stream pays for what the model made. With an <code>Idempotency-Key</code> the answer is finished and stored, and the same request returns all of it.</p>`,
  }
}
