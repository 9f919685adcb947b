import type { GuideSection } from './guide-section.ts'
import { html } from '../html.ts'
import { table } from '../components/table.ts'
import { codeBlock } from '../components/code-card.ts'
import { code } from '../components/text.ts'

export function modelsSection(publicUrl: string): GuideSection {
  const client = `const client = new OpenAI({ baseURL: '${publicUrl}/api/llm/v1', apiKey: process.env.TOLLGATE_KEY })
const answer = await client.chat.completions.create({
  model: 'core/mid',
  messages: [{ role: 'user', content: 'What is a ledger?' }],
})`
  return {
    id: 'models',
    title: 'Language models',
    body: html`<p>Language models have their own base address, because clients for them already exist. Any chat-completions client works after you change its base address and key, including streams, tools, images and JSON. Tokens are charged to the same balance, exact to a millionth of a dollar, and the limits of your keys apply.</p>
${codeBlock(client, 'js')}
${table(
  'Models',
  ['Name', 'Models behind it'],
  [
    [
      code('core/cheap'),
      'the cheapest good models: well under a tenth of a cent for an ordinary question',
    ],
    [code('core/mid'), 'models for everyday work: up to one cent'],
    [code('core/best'), 'the best models: one to three cents'],
    [html`a model from ${code('GET /api/llm/v1/pricing')}`, 'only this model'],
  ],
)}
<p>The three tiers follow the market without a change on your side. If a model fails before its first token, the gateway tries the next model of the tier. The response names the model, and <code>usage.cost</code> has its cost. If you leave a stream, you pay for the tokens that the model generated. With an <code>Idempotency-Key</code>, the gateway completes and stores the response, and the same request returns all of it.</p>`,
  }
}
