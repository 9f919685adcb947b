import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { DeliveryWithEvent } from '../../../../events/delivery/list-deliveries.ts'
import { describeEvent, jsonBody } from '../../../../events/delivery/message.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { jsonBlock } from '../../html/components/code-card.ts'
import { code, time } from '../../html/components/text.ts'
import { accountUrl } from '../account/account-url.ts'
import { receiverOf, resultBadge, WEBHOOKS_PATH, webhooksBreadcrumb } from './webhook-parts.ts'

export type DeliveryView = {
  readonly visitor: Visitor
  readonly delivery: DeliveryWithEvent
  readonly done?: string
  readonly problem?: string
}

export function deliveryPage(
  site: Site,
  { visitor, delivery, done, problem }: DeliveryView,
): string {
  const { event } = delivery
  return layout(site, {
    path: `${WEBHOOKS_PATH}/deliveries/${delivery.id}`,
    title: 'Delivery',
    description: 'A delivery of an event.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    main: html`${webhooksBreadcrumb(visitor)}
<h1>${code(event.type)}</h1>
<p class="lead">${describeEvent(event)}</p>
${problem !== undefined && html`<p class="notice" role="alert">${problem}</p>`}
${done !== undefined && html`<p class="notice" role="status">${done}</p>`}
<dl class="facts"><div><dt>Result</dt><dd>${resultBadge(delivery)}</dd></div>
<div><dt>Receiver</dt><dd>${receiver(delivery, visitor)}</dd></div>
<div><dt>Event</dt><dd>${code(event.id)} · the same id on every try</dd></div>
<div><dt>Delivery</dt><dd>${code(delivery.id)}</dd></div></dl>
<form class="calls-to-action" action="${accountUrl(`${WEBHOOKS_PATH}/deliveries/${delivery.id}/redeliver`, visitor)}" method="post"><button class="button quiet" type="submit">Send again</button></form>
<h2 id="tries">Tries</h2>
${tries(delivery)}
<h2 id="body">Body</h2>
${jsonBlock(JSON.parse(jsonBody(event)))}`,
  })
}

function receiver({ webhook_id: id, url }: DeliveryWithEvent, visitor: Visitor): Html {
  return id === null
    ? html`${receiverOf(url)} <span class="muted">(webhook_url of the job)</span>`
    : html`<a href="${accountUrl(`${WEBHOOKS_PATH}/${id}`, visitor)}">${receiverOf(url)}</a>`
}

function tries({ tries: made, next_try_at: next, status }: DeliveryWithEvent): Html {
  return html`<ol class="tries">${made.map(({ at, took_ms: took, status: answer, note }, place) => {
    const isGood = status === 'delivered' && place === made.length - 1
    return html`<li class="${isGood ? 'good' : 'failed'}"><p><strong>Try ${place + 1}</strong> ${answer !== null && code(String(answer))} <span class="muted">${time(at)} · ${(took / 1000).toFixed(1)} s</span></p>${note !== null && html`<p class="muted"><bdi>${note}</bdi></p>`}</li>`
  })}${status === 'waiting' && next !== null && html`<li class="next"><p><strong>${made.length === 0 ? 'First try' : `Try ${made.length + 1}`}</strong> <span class="muted">${made.length === 0 ? 'now' : html`at ${time(next)}`}</span></p></li>`}</ol>`
}
