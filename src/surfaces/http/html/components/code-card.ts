import { highlight, type CodeLanguage } from '../code/highlight.ts'
import type { Snippet } from '../code/snippets.ts'
import { html, type Html } from '../html.ts'

/** One piece of code with its colors. A script adds a copy button. */
export function codeBlock(text: string, language: CodeLanguage, title?: string): Html {
  return html`<div class="code-card" data-code>${title !== undefined && html`<div class="code-head"><span class="code-title">${title}</span></div>`}<div class="code-panel">${codePanel(text, language)}</div></div>`
}

export function jsonBlock(value: unknown, title?: string): Html {
  return codeBlock(JSON.stringify(value, null, 2), 'json', title)
}

/**
 * The same call in several languages, as tabs that work without a script; a script remembers the choice.
 * `id` is unique in the page. `answer` is shown below all of them, and `foot` below the answer.
 */
export function codeCard(view: {
  readonly id: string
  readonly label: string
  readonly snippets: readonly Snippet[]
  readonly answer?: unknown
  readonly foot?: Html
  readonly look?: 'raised'
}): Html {
  const { id, snippets, answer, foot } = view
  return html`<div class="code-card${view.look === 'raised' && ' raised'}" role="group" aria-label="${view.label}" data-code>${snippets.map((snippet, at) => html`<input type="radio" name="${id}" id="${id}-${snippet.id}" value="${snippet.id}"${at === 0 && html` checked`}>`)}<div class="code-head">${snippets.map((snippet) => html`<label class="code-tab" for="${id}-${snippet.id}">${snippet.label}</label>`)}</div>
${snippets.map((snippet) => html`<div class="code-panel">${codePanel(snippet.text, snippet.language)}</div>`)}
${answer !== undefined && html`<div class="code-answer">${codePanel(JSON.stringify(answer, null, 2), 'json')}</div>`}${foot !== undefined && html`<div class="code-foot">${foot}</div>`}</div>`
}

/** Colored code without a card. */
export function codePanel(text: string, language: CodeLanguage): Html {
  return html`<pre tabindex="0"><code class="language-${language}">${highlight(text, language)}</code></pre>`
}
