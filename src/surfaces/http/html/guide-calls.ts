/** The first half of the guide: making calls and paying for them. */
import { curlExample } from '../../../catalog/published/curl-example.ts'
import type { GuideSection } from './guide-section.ts'
import { html } from './html.ts'
import { code, codeBlock, jsonBlock, table } from './components.ts'

export function firstCallSection(publicUrl: string): GuideSection {
  return {
    id: 'first-call',
    title: 'Your first call',
    body: html`<p>When the gateway starts for the first time it prints a primary key, which begins with <code>tg_live_</code>, and a test key, which begins with <code>tg_test_</code>. Each is shown once. Put one into your shell, so that it stays out of your scripts:</p>
${codeBlock('export TOLLGATE_KEY=tg_live_…', 'sh')}
<p>Now read a web page. The action <code>core/onescrape</code> fetches an address, keeps the main article, leaves the navigation and the footer out, and returns Markdown. The page you are looking at will do:</p>
${codeBlock(curlExample(`${publicUrl}/api/run/core/onescrape`, { urls: [`${publicUrl}/guide`] }), 'sh')}
<p>The answer is JSON. Its outer fields are the same for every action; <code>data</code> belongs to the action. Shortened, it looks like this:</p>
${jsonBlock({
  ok: true,
  data: {
    url_count: 1,
    read_count: 1,
    rows: [
      {
        url: `${publicUrl}/guide`,
        title: 'Getting started · Tollgate',
        format: 'markdown',
        content: '# Getting started with Tollgate …',
      },
    ],
  },
  charged_cents: 2,
  charged_micros: 20_000,
  request_id: 'req_…',
})}
<p>One page costs two cents, and that is what <code>charged_cents</code> reports. Had the page not been readable, the call would have answered with an error and charged nothing.</p>`,
  }
}

export function shapeSection(publicUrl: string): GuideSection {
  return {
    id: 'shape',
    title: 'Every call has one shape',
    body: html`<p>An action is named by a service and an action within it. You call it with one POST request:</p>
${codeBlock(`POST ${publicUrl}/api/run/{service}/{action}\nAuthorization: Bearer <API_KEY>\nContent-Type: application/json`, 'http')}
<p>The body holds the action's parameters as a flat JSON object. Parameters are checked strictly: one that is misspelt or unknown is refused with a hint instead of being ignored, before anything is held or charged. You need not guess what an action takes, because three public addresses tell you, without a key:</p>
${table(
  'Where to look things up',
  ['You want', 'Ask'],
  [
    ['a list of everything', code('GET /api/run')],
    [
      'one action: parameters, price, billing rule, example',
      code('GET /api/run/{service}/{action}'),
    ],
    ['all of it as a schema for tools', code('GET /openapi.json')],
  ],
)}
<p>When you know what you want to do but not what it is called, describe it to <code>core/discover</code>, which is free:</p>
${codeBlock(curlExample(`${publicUrl}/api/run/core/discover`, { query: 'read a web page as markdown' }), 'sh')}
<p>It returns the best matches, each with its price and the parameters that it requires. When nothing fits, it says so and returns an empty list, so an agent can stop looking.</p>`,
  }
}

export function chargingSection(): GuideSection {
  return {
    id: 'charging',
    title: 'What is charged, and when',
    body: html`<p>Before a call goes out, the most that it can cost is <strong>held</strong> from your balance. When the answer is there, what was really delivered is <strong>settled</strong>, never more than the hold, and the rest is released. The order matters: a call that your balance cannot cover is refused before any vendor hears of it.</p>
${table(
  'What is charged',
  ['What happened', 'What you pay'],
  [
    ['The action delivered', 'the listed price'],
    [
      'It delivered a part, and the price counts units',
      'the delivered units, unless the action says otherwise',
    ],
    [
      'It worked but found nothing',
      'nothing, for most actions; the descriptor tells under on_miss',
    ],
    ['It failed, timed out or was blocked', 'nothing'],
    [
      'The request was refused (wrong parameter, no credit, a ceiling)',
      'nothing, and nothing is recorded',
    ],
    ['A request repeated with the same Idempotency-Key', 'nothing again'],
  ],
)}
<p>The rule of each action is published in the <code>billing</code> block of its descriptor and in plain words on its page in the <a href="/catalog">catalog</a>. An answer reports what it cost:</p>
<ul>
<li><code>charged_micros</code> is exact, in micro-dollars. A cent has 10,000 of them, so a tenth of a cent is 1,000.</li>
<li><code>charged_cents</code> is the same amount rounded up to whole cents for reading. It is 0 exactly when nothing was charged.</li>
<li>The header <code>X-Credits-Remaining-Cents</code> of a call that has a price tells what is left to spend.</li>
</ul>
<p>To cap a single call, add <code>max_cost_cents</code> to its body. If the call must cost more, it is refused with 402 <code>max_cost_exceeded</code>. If a parameter such as <code>limit</code> counts what is charged, it is lowered to what the cap pays for, and the answer names the number under <code>lowered</code>; lists are never cut. If the price depends on the work, the cap becomes the hold, and the charge stays within it.</p>`,
  }
}

export function jobsSection(publicUrl: string): GuideSection {
  return {
    id: 'jobs',
    title: 'Work that takes minutes',
    body: html`<p>Reading a whole site, looking up a list of people or making a film takes longer than an answer should be waited for. Such actions are <strong>jobs</strong>; the catalog says of each whether it is one. The call holds the job's budget and answers at once with a <code>job_id</code>:</p>
${codeBlock(curlExample(`${publicUrl}/api/run/core/onescrape-deep`, { urls: [`${publicUrl}/guide`], budgetCents: 10 }), 'sh')}
<p>Ask <code>core/result</code> with that <code>job_id</code> until <code>status</code> is <code>succeeded</code> or <code>failed</code>. Asking is free, and with <code>wait_s</code>, up to 60, the answer waits for the end. A job is charged once, for what it delivered, and the rest of its budget is given back; one that failed costs nothing. <code>core/cancel</code> ends it early, for what it had delivered by then. Results are kept for 30 days.</p>
<p>Where an answer has a file, such as a screenshot or a film, the file is kept for you: its field is a link that works for an hour, and <code>files/get</code> gives a fresh one for the <code>file_id</code> in the answer.</p>`,
  }
}
