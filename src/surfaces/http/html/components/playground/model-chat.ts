import { html, type Html } from '../../html.ts'
import { linkButton } from '../button.ts'
import { field } from '../field.ts'
import { icon } from '../icon.ts'
import { note } from '../note.ts'

/** The islands of a page with a chat. */
export const CHAT_ISLANDS = ['model-chat'] as const

/**
 * `model`: without it, a field names it, which `?model=` of the page fills in. `live`: whether this gateway
 * has an upstream for the model. `path`: the page, to which a sign-in returns.
 */
export type ModelChatView = {
  readonly model?: string
  readonly live: boolean
  readonly path: string
}

const DEFAULT_MODEL = 'core/cheap'

/** A chat with a language model, in test mode or live. Add CHAT_ISLANDS to the page. */
export function modelChat({ model, live, path }: ModelChatView): Html {
  return html`<section class="card chat" aria-label="Chat with ${model ?? 'a model'}" data-chat data-model="${model ?? ''}">
<noscript><p class="play-note">The chat needs JavaScript. Models also answer at <code>/api/llm/v1/chat/completions</code>.</p></noscript>
<div class="chat-log" role="log" aria-label="Messages" tabindex="0" data-chat-log><p class="muted" data-chat-empty>Send a message to try the model.</p></div>
<form class="chat-form needs-script" method="post" novalidate>
${model === undefined && field({ id: 'chat-model', name: 'model', label: 'Model or tier', value: DEFAULT_MODEL, mono: true, required: true, autocomplete: 'off' })}
<details><summary>System prompt and limit</summary><div class="chat-settings">${field({ id: 'chat-system', name: 'system', label: 'System prompt', type: 'area', rows: 2, autocomplete: 'off' })}${field({ id: 'chat-limit', name: 'limit', label: 'Most cents per answer', value: 5, inputMode: 'numeric', hint: 'A live answer never costs more. It ends early instead.' })}</div></details>
${field({ id: 'chat-message', name: 'message', label: 'Message', type: 'area', rows: 3, required: true, autocomplete: 'off', placeholder: 'What is a ledger?' })}
<div class="play-run">
<fieldset class="play-mode"><legend class="visually-hidden">Mode</legend><label><input type="radio" name="mode" value="test" checked><span>Test</span></label><label><input type="radio" name="mode" value="live"${!live && html` disabled`}><span>Live</span></label></fieldset>
<button class="button" type="submit" data-chat-send data-signed-in>${icon('play')}<span data-play-label>Send in test mode</span></button>
<span data-signed-out hidden>${linkButton(`/sign-in?${new URLSearchParams({ next: path }).toString()}`, 'Sign in to chat', { icon: 'play' })}</span>
<button class="button quiet" type="button" data-chat-stop hidden>Stop</button>
<button class="button quiet" type="button" data-chat-clear hidden>New chat</button>
<p class="play-hint">Test answers are simulated and free. Live answers are charged by the token.</p>
<div data-play-status role="status"></div>
<template data-play-error>${note('bad', '', { isQuiet: true })}</template>
</div>
</form>
</section>
`
}
