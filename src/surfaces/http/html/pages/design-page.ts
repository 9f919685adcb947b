import { badge, chip } from '../components/badge.ts'
import { linkButton, submitButton } from '../components/button.ts'
import { card, fieldRows, stats } from '../components/card.ts'
import { checkField, field, selectField } from '../components/field.ts'
import { icon, ICON_NAMES } from '../components/icon.ts'
import { emptyState, note, type NoteKind } from '../components/note.ts'
import { breadcrumb, pageHeader } from '../components/page-header.ts'
import { table } from '../components/table.ts'
import { segments, tabs } from '../components/tabs.ts'
import { codeCard } from '../components/code-card.ts'
import { code } from '../components/text.ts'
import { callSnippets } from '../code/snippets.ts'
import { html, type Html } from '../html.ts'
import { layout, type Site } from '../layout/layout.ts'

/** Every component in both themes. `theme` makes ids unique. */
type Sample = (theme: string) => Html

export function designPage(site: Site): string {
  return layout(site, {
    path: '/docs/design',
    title: 'Design system',
    description: 'The tokens and components of the pages of this gateway, in light and dark.',
    unlisted: true,
    main: html`${pageHeader({
      title: 'Design system',
      crumbs: [{ label: 'Docs', href: '/docs' }, { label: 'Design system' }],
      lead: html`Every component in both themes. Import them from ${code('src/surfaces/http/html/components')}; the tokens are in ${code('styles/foundation/tokens.css')}.`,
    })}
${SAMPLES.map(
  ([name, sample]) => html`<section><h2>${name}</h2>
<div class="themes">${['light', 'dark'].map((theme) => html`<div data-theme="${theme}">${sample(theme)}</div>`)}</div></section>
`,
)}`,
  })
}

const COLORS = [
  'bg',
  'surface',
  'sunken',
  'line',
  'line-strong',
  'control',
  'ink',
  'ink-2',
  'ink-3',
  'brand',
  'brand-soft',
  'ok',
  'ok-soft',
  'pending',
  'pending-soft',
  'free',
  'free-soft',
  'error',
  'error-soft',
  'test',
  'test-soft',
  'info',
  'info-soft',
  'c1',
  'c2',
  'c3',
  'c4',
  'c5',
  'c6',
] as const

const NOTES: readonly (readonly [NoteKind, string])[] = [
  ['info', 'The list is updated every minute.'],
  ['ok', 'Payment received: $100.00 added.'],
  ['warn', 'crawler reached its limit of $8.00 a month.'],
  ['bad', 'The payment failed. Try another card.'],
  ['test', 'Test mode: calls are simulated.'],
]

const SAMPLES: readonly (readonly [string, Sample])[] = [
  [
    'Colors',
    () =>
      html`<ul class="swatches">${COLORS.map((name) => html`<li><svg viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="var(--${name})"/></svg>${name}</li>`)}</ul>`,
  ],
  [
    'Type',
    () =>
      html`<p class="sample-title">Page title, 28</p><p class="sample-section">Section, 18</p><p class="sample-card">Card title, 15</p><p>Body, 14: a well-run toll road, calm, exact and quick. <a href="#main">A link</a> and ${code('core/onescrape')}.</p><p class="small">Labels and rows, 13</p><p class="muted">Captions</p>`,
  ],
  ['Icons', () => html`<div class="row">${ICON_NAMES.map((name) => icon(name))}</div>`],
  [
    'Buttons',
    () =>
      html`<div class="row">${submitButton('Add credit', { icon: 'plus' })}${submitButton('Try a call', { kind: 'quiet', icon: 'play' })}${submitButton('Cancel', { kind: 'plain' })}${submitButton('Revoke', { kind: 'danger' })}${submitButton('Run in test mode', { kind: 'test', icon: 'play' })}${submitButton('Small', { size: 'small' })}${linkButton('#main', 'Large link', { size: 'large' })}</div>`,
  ],
  [
    'Fields',
    (theme) =>
      html`<div class="stack">${field({ label: 'Label', name: 'label', id: `label-${theme}`, placeholder: 'research-agent', hint: 'Shown in the history.' })}${field({ label: 'Limit', name: 'limit', id: `limit-${theme}`, unit: '$', value: '-5', inputMode: 'decimal', error: 'Enter an amount such as 5.00.', focus: false })}${selectField(
        {
          label: 'Resets',
          name: 'period',
          id: `period-${theme}`,
          options: [
            ['day', 'Daily'],
            ['week', 'Weekly'],
          ],
        },
      )}${field({ label: 'Allowed actions', name: 'allow', id: `allow-${theme}`, type: 'area', mono: true, rows: 2, value: 'core/*' })}${checkField({ label: 'Email me when credit runs low', name: 'mail', checked: true })}${checkField({ label: 'Live mode', name: 'mode', look: 'switch', hint: 'Calls are charged.' })}</div>`,
  ],
  [
    'Badges and chips',
    () =>
      html`<div class="row">${badge('charged', 'Charged')}${badge('pending', 'Pending')}${badge('free', 'Not charged')}${badge('error', 'Failed')}${badge('live', 'Live')}${badge('test', 'Test')}${badge('setup', 'Needs operator setup')}${badge('info', 'Beta')}</div><p></p><div class="row">${chip('#main', 'Social platforms', { selected: true })}${chip('#main', 'Up to 1¢')}</div>`,
  ],
  [
    'Navigation',
    (theme) =>
      html`${breadcrumb([{ label: 'Catalog', href: '#main' }, { label: `Read web pages (${theme})` }], `Breadcrumb (${theme})`)}${tabs(
        `Parts, ${theme}`,
        [
          { href: '#inputs', label: 'Inputs' },
          { href: '#response', label: 'Response' },
          { href: '#billing', label: 'Billing' },
        ].map((tab) => ({ ...tab, href: '#main', label: tab.label })),
      )}${segments(
        `Days, ${theme}`,
        [
          { href: '/docs/design', label: '7 days' },
          { href: '/docs/design#main', label: '30 days' },
        ],
        '/docs/design',
      )}`,
  ],
  ['Notes', () => html`${NOTES.map(([kind, text]) => note(kind, text, { isQuiet: true }))}`],
  ['Confirmation', () => html`<div class="toast static">${icon('done')}Key paused</div>`],
  ['Empty state', () => emptyState('calls', 'No calls yet.', linkButton('#main', 'Try a call'))],
  [
    'Figures',
    () =>
      stats([
        {
          label: 'Available balance',
          value: '$182.42',
          note: '$0.04 pending',
          aside: badge('charged', 'Auto top-up on'),
        },
        { label: 'Calls today', value: '412', note: '31 not charged' },
      ]),
  ],
  [
    'Card',
    (theme) =>
      card({
        title: 'Spend',
        level: 3,
        aside: segments(`Group, ${theme}`, [{ href: '#main', label: 'By action' }], '#main'),
        content: html`<p>One subject with a hairline and a small shadow.</p>`,
        foot: html`Failed calls are never charged. <a href="#main">See all calls</a>`,
      }),
  ],
  [
    'Table',
    (theme) =>
      table(
        `Calls, ${theme}`,
        ['Action', 'HTTP', 'Status', { figures: 'Charge' }],
        [
          [code('core/onescrape'), '200', badge('charged', 'Charged'), '2¢'],
          [code('render/scrape'), '504', badge('free', 'Not charged'), 'free'],
        ],
      ),
  ],
  [
    'Field rows',
    () =>
      fieldRows([
        {
          name: 'urls',
          type: 'array of strings',
          required: true,
          text: 'Addresses of the pages.',
          detail: '1 to 5 entries',
        },
        { name: 'format', type: 'string', text: 'What to return.', detail: 'Default "markdown"' },
      ]),
  ],
  [
    'Code',
    (theme) =>
      codeCard({
        id: `code-${theme}`,
        label: `Example call, ${theme}`,
        snippets: callSnippets({
          publicUrl: 'https://gateway.example',
          service: 'core',
          action: 'onescrape',
          input: { urls: ['https://example.com'], max_cost_cents: 2 },
        }),
        answer: { ok: true, data: { read_count: 1, rows: [] }, charged_cents: 2 },
        foot: html`<span class="ok">200</span> <span>412 ms</span> <span>charged 2¢</span>`,
      }),
  ],
]
