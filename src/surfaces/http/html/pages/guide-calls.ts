/** The first half of the guide: calls, prices and jobs. */
import { curlExample } from '../../../../catalog/published/curl-example.ts'
import type { GuideSection } from './guide-section.ts'
import { html } from '../html.ts'
import { table } from '../components/table.ts'
import { codeBlock, jsonBlock } from '../components/code-card.ts'
import { code } from '../components/text.ts'

export function firstCallSection(publicUrl: string): GuideSection {
  return {
    id: 'first-call',
    title: 'Your first call',
    body: html`<p>Every call needs an API key. Live keys begin with <code>tg_live_</code> and test keys with <code>tg_test_</code>. <a href="/sign-in">Sign in</a> and create a key under <a href="/keys">Keys</a>. If you run the gateway yourself, it printed both keys once, at its first start. Put a key into your shell so that it stays out of your scripts:</p>
${codeBlock('export TOLLGATE_KEY=tg_live_…', 'sh')}
<p>Now read a web page. The action <code>core/onescrape</code> fetches a URL, extracts the main article without navigation and footer, and returns Markdown. This example reads the page you are looking at:</p>
${codeBlock(curlExample(`${publicUrl}/api/run/core/onescrape`, { urls: [`${publicUrl}/guide`] }), 'sh')}
<p>The response is JSON. Its outer fields are the same for every action, and <code>data</code> depends on the action. A shortened response:</p>
${jsonBlock({
  ok: true,
  data: {
    url_count: 1,
    read_count: 1,
    rows: [
      {
        url: `${publicUrl}/guide`,
        title: 'Getting started with Tollgate',
        format: 'markdown',
        content: 'Tollgate is a gateway for pay-per-call actions …',
      },
    ],
  },
  charged_cents: 2,
  charged_micros: 20_000,
  request_id: 'req_…',
})}
<p>One page costs two cents, as <code>charged_cents</code> reports. If the page is unreadable, the call returns an error and charges nothing.</p>`,
  }
}

export function shapeSection(publicUrl: string): GuideSection {
  return {
    id: 'shape',
    title: 'One API for every action',
    body: html`<p>A call names a service and one of its actions, and is always a POST request:</p>
${codeBlock(`POST ${publicUrl}/api/run/{service}/{action}\nAuthorization: Bearer <API_KEY>\nContent-Type: application/json`, 'http')}
<p>The body has the parameters of the action as a flat JSON object. The gateway rejects misspelled and unknown parameters with a hint, before it holds or charges anything. Three public addresses document every action, without a key:</p>
${table(
  'Catalog addresses',
  ['Information', 'Address'],
  [
    ['all actions', code('GET /api/run')],
    [
      'one action: parameters, price, billing rule and example',
      code('GET /api/run/{service}/{action}'),
    ],
    ['the whole API as an OpenAPI document', code('GET /openapi.json')],
  ],
)}
<p>To find the action for a task, describe the task to <code>core/discover</code>, which is free:</p>
${codeBlock(curlExample(`${publicUrl}/api/run/core/discover`, { query: 'read a web page as markdown' }), 'sh')}
<p>It returns the best matches, each with its price and required parameters. Without a match it returns an empty list, so an agent can stop searching.</p>`,
  }
}

export function chargingSection(): GuideSection {
  return {
    id: 'charging',
    title: 'Charges',
    body: html`<p>Before a call starts, the gateway <strong>holds</strong> its maximum price from your balance. Afterwards it <strong>charges</strong> the price of the result, never more than the hold, and releases the rest. A call that your balance cannot cover is rejected before the gateway contacts a vendor.</p>
${table(
  'Charges by result',
  ['Result', 'Charge'],
  [
    ['The action succeeded.', 'the listed price'],
    [
      'The action delivered some of the requested units.',
      'the delivered units, unless its billing rule differs',
    ],
    ['The action found nothing.', 'nothing for most actions; see on_miss in the descriptor'],
    ['The action failed, timed out or was blocked.', 'nothing'],
    [
      'The request was rejected (invalid parameter, no credit, limit reached).',
      'nothing; no transaction is recorded',
    ],
    ['A request was repeated with the same Idempotency-Key.', 'nothing for the repeat'],
  ],
)}
<p>The billing rule of each action is in the <code>billing</code> block of its descriptor, and in plain words on its page in the <a href="/catalog">catalog</a>. Every response reports its charge:</p>
<ul>
<li><code>charged_micros</code> is the exact charge in micro-dollars. One cent is 10,000 micro-dollars.</li>
<li><code>charged_cents</code> is the same amount rounded up to whole cents. It is 0 only if nothing was charged.</li>
<li>The header <code>X-Credits-Remaining-Cents</code> of a paid call is your remaining credit.</li>
</ul>
<p>To limit the cost of one call, add <code>max_cost_cents</code> to its body. If the minimum price of the call is higher, the gateway answers 402 <code>max_cost_exceeded</code>. If the price follows a count such as <code>limit</code>, the gateway lowers the count to fit and reports it under <code>lowered</code>. It never drops items from a list that you send. If the price depends on the work, the gateway holds <code>max_cost_cents</code>, and the charge stays within it.</p>`,
  }
}

export function jobsSection(publicUrl: string): GuideSection {
  return {
    id: 'jobs',
    title: 'Jobs',
    body: html`<p>Some work takes minutes: reading a whole site, looking up a list of people, recording a video. Such actions are <strong>jobs</strong>, and the catalog marks them. The call holds the budget of the job and immediately returns a <code>job_id</code>:</p>
${codeBlock(curlExample(`${publicUrl}/api/run/core/onescrape-deep`, { urls: [`${publicUrl}/guide`], budgetCents: 10 }), 'sh')}
<p>Poll <code>core/result</code> with the <code>job_id</code> until <code>status</code> is <code>succeeded</code> or <code>failed</code>. Polling is free, and <code>wait_s</code> (up to 60) waits for the end of the job. A job is charged once, for what it delivered, and the rest of its budget is released. A failed job is not charged. <code>core/cancel</code> ends a job early and charges what it had delivered. Results are stored for 30 days.</p>
<p>The gateway stores files of a response, such as a screenshot or a video. The field then has a link that works for an hour. <code>files/get</code> returns a new link for the <code>file_id</code> in the response.</p>`,
  }
}
