import { CHAT_ISLANDS, modelChat } from '../components/playground/model-chat.ts'
import { pageHeader } from '../components/page-header.ts'
import { html } from '../html.ts'
import { layout, type Site } from '../layout/layout.ts'

/** A chat with any model of the router. */
export function chatPage(site: Site): string {
  return layout(site, {
    path: '/playground',
    title: 'Model playground',
    description: 'Chat with any language model of this gateway, in test mode or live.',
    islands: CHAT_ISLANDS,
    main: html`${pageHeader({
      title: 'Model playground',
      lead: html`Chat with any language model of this gateway. A tier such as <code>core/cheap</code> falls back to its next model if one fails.`,
    })}
${modelChat({ live: true, path: '/playground' })}`,
  })
}
