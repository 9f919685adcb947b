import type { Action } from '../../../../../catalog/vocabulary/define.ts'
import { callSnippets } from '../../code/snippets.ts'
import type { PlayField } from '../../code/play-input.ts'
import { html, type Html } from '../../html.ts'
import { linkButton } from '../button.ts'
import { codePanel } from '../code-card.ts'
import { field, selectField } from '../field.ts'
import { icon } from '../icon.ts'
import { note } from '../note.ts'
import { isFirst, playFields } from './play-fields.ts'

/** The islands of a page with a playground. */
export const PLAYGROUND_ISLANDS = ['playground'] as const

/** `live`: whether this gateway can perform the action with a live key. */
export type PlaygroundView = {
  readonly publicUrl: string
  readonly service: string
  readonly name: string
  readonly action: Action
  /** The values of a new form; default: the example of the action. `endpoint` chooses one of a passthrough. */
  readonly example?: Readonly<Record<string, unknown>>
  readonly live: boolean
  /** The page with this playground, to which a sign-in returns. */
  readonly path: string
  /** An example answer, shown until the first call. */
  readonly answer?: unknown
}

/**
 * A form that runs the action, and the call as code with the entered values. Add PLAYGROUND_ISLANDS to the
 * page. The markup is the same for every reader, because caches share public pages.
 */
export function playground(view: PlaygroundView): Html {
  const { publicUrl, service, name, action, example = action.example } = view
  const fields = playFields(action, example)
  const snippets = callSnippets({ publicUrl, service, action: name, input: example })
  const tabs = [{ id: 'try', label: 'Try it' }, ...snippets]
  return html`<div class="code-card play" role="group" aria-label="Try it" data-play data-service="${service}" data-action="${name}" data-url="${publicUrl}">${tabs.map((tab, at) => html`<input type="radio" name="play-tab" id="play-tab-${tab.id}" value="${tab.id}"${at === 0 && html` checked`}>`)}<div class="code-head">${tabs.map((tab) => html`<label class="code-tab" for="play-tab-${tab.id}">${tab.label}</label>`)}</div>
<div class="code-panel"><noscript><p class="play-note">Running a call here needs JavaScript. Copy it as code from the other tabs.</p></noscript><form class="play-fields needs-script" id="play-form" method="post" novalidate data-fields="${JSON.stringify(fields)}">
${fields.filter(isFirst).map(control)}
${more(fields.filter((one) => !isFirst(one)))}</form></div>
${snippets.map((snippet) => html`<div class="code-panel" data-snippet="${snippet.id}">${codePanel(snippet.text, snippet.language)}</div>`)}
${runRow(view)}
<div class="play-answer" data-play-answer${view.answer === undefined && html` hidden`}>${view.answer !== undefined && html`<div class="code-foot"><span>Example response, shortened</span></div>${codePanel(JSON.stringify(view.answer, null, 2), 'json')}`}</div></div>`
}

/** The mode, the button and the price. Scripts show the part for signed-out readers. */
function runRow({ live, path }: PlaygroundView): Html {
  return html`<div class="play-run needs-script">
<fieldset class="play-mode"><legend class="visually-hidden">Mode</legend><label><input type="radio" name="play-mode" value="test" checked><span>Test</span></label><label><input type="radio" name="play-mode" value="live"${!live && html` disabled`}><span>Live</span></label></fieldset>
<button class="button" type="submit" form="play-form" data-play-run data-signed-in>${icon('play')}<span data-play-label>Run in test mode</span></button>
<span data-signed-out hidden>${linkButton(`/sign-in?${new URLSearchParams({ next: path }).toString()}`, 'Sign in to run', { icon: 'play' })}</span>
<button class="button quiet" type="button" data-play-copy>${icon('copy')}<span class="copy-label">Copy as code</span></button>
<p class="play-hint">${live ? 'Test calls are simulated and free. A live call names its price on the button.' : 'Test calls are simulated and free. Live calls need operator setup on this gateway.'}</p>
<div data-play-status role="status"></div>
<template data-play-error>${note('bad', '', { isQuiet: true })}</template>
</div>`
}

function more(fields: readonly PlayField[]): Html | false {
  return (
    fields.length > 0 &&
    html`<details class="play-more"><summary>${fields.length === 1 ? '1 more parameter' : `${fields.length} more parameters`}</summary><div class="play-fields">${fields.map(control)}</div></details>`
  )
}

function control(one: PlayField): Html {
  const { name, kind, required, value, values = [], placeholder, maxLength } = one
  const id = `play-input-${name}`
  const common = {
    id,
    name,
    label: name,
    ...(required ? { required, aside: html`<span class="required">required</span>` } : {}),
  }
  if (kind === 'fixed')
    return html`<div class="field play-wide"><span class="label">${name}</span><code>${String(values[0])}</code></div>`
  if (kind === 'choice')
    return selectField({
      ...common,
      chosen: value,
      options: [
        ...(required
          ? []
          : [
              [
                '',
                placeholder === undefined ? 'not set' : `${shown(placeholder)} (default)`,
              ] as const,
            ]),
        ...values.map((choice) => [JSON.stringify(choice), String(choice)] as const),
      ],
    })
  const isArea = kind === 'lines' || kind === 'json' || kind === 'area'
  const input = field({
    ...common,
    value,
    mono: true,
    ...(isArea ? { type: 'area', rows: rowsOf(value) } : {}),
    ...(kind === 'number' ? { inputMode: one.isInteger === true ? 'numeric' : 'decimal' } : {}),
    ...(kind === 'lines' ? { hint: 'One per line' } : {}),
    ...(kind === 'json' ? { hint: one.acceptsText === true ? 'JSON or text' : 'JSON' } : {}),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(maxLength === undefined ? {} : { maxLength }),
    autocomplete: 'off',
  })
  return isArea || kind === 'text' ? html`<div class="play-wide">${input}</div>` : input
}

function shown(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : json
}

const MOST_ROWS = 8

function rowsOf(value: string): number {
  return Math.min(MOST_ROWS, Math.max(2, value.split('\n').length))
}
