import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { DeliveryWithEvent } from '../../../../events/delivery/list-deliveries.ts'
import { describeEvent, jsonBody } from '../../../../events/delivery/message.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { actionForm } from '../../html/components/button.ts'
import { card, facts } from '../../html/components/card.ts'
import { jsonBlock } from '../../html/components/code-card.ts'
import { note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { code, time } from '../../html/components/text.ts'
import { accountUrl } from '../account/account-url.ts'
import {
  mayChangeWebhooks,
  receiverOf,
  resultBadge,
  webhookCrumbs,
  WEBHOOKS_PATH,
} from './webhook-parts.ts'

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
    crumbs: webhookCrumbs(visitor, 'Delivery'),
    ...(done === undefined ? {} : { confirmation: done }),
    main: html`${pageHeader({
      title: code(event.type),
      crumbs: webhookCrumbs(visitor, 'Delivery'),
      lead: describeEvent(event),
      meta: resultBadge(delivery),
      ...(mayChangeWebhooks(visitor)
        ? {
            actions: actionForm(
              accountUrl(`${WEBHOOKS_PATH}/deliveries/${delivery.id}/redeliver`, visitor),
              'Send again',
              { kind: 'quiet', icon: 'rotate' },
            ),
          }
        : {}),
    })}
${problem !== undefined && note('bad', problem)}
<div class="split">
<div class="stack">${card({ title: 'Tries', id: 'tries', content: tries(delivery) })}
${card({ title: 'Body', id: 'body', content: jsonBlock(JSON.parse(jsonBody(event))) })}</div>
<div class="stack">${card({
      title: 'Details',
      content: facts([
        ['Receiver', receiver(delivery, visitor)],
        ['Event', html`${code(event.id)}<br><span class="muted">the same id on every try</span>`],
        ['Delivery', code(delivery.id)],
        ['Created', time(delivery.created_at)],
      ]),
    })}</div>
</div>`,
  })
}

function receiver({ webhook_id: id, url }: DeliveryWithEvent, visitor: Visitor): Html {
  return id === null
    ? html`${receiverOf(url)} <span class="muted">(webhook_url of the job)</span>`
    : html`<a href="${accountUrl(`${WEBHOOKS_PATH}/${id}`, visitor)}">${receiverOf(url)}</a>`
}

function tries({ tries: made, next_try_at: next, status }: DeliveryWithEvent): Html {
  return html`<ol class="tries">${made.map(
    ({ at, took_ms: took, status: answer, note: reason }, place) => {
      const isGood = status === 'delivered' && place === made.length - 1
      return html`<li class="${isGood ? 'good' : 'failed'}"><p><strong>Try ${place + 1}</strong> ${answer !== null && code(String(answer))} <span class="muted">${time(at)} · ${(took / 1000).toFixed(1)} s</span></p>${reason !== null && html`<p class="muted"><bdi>${reason}</bdi></p>`}</li>`
    },
  )}${status === 'waiting' && next !== null && html`<li class="next"><p><strong>${made.length === 0 ? 'First try' : `Try ${made.length + 1}`}</strong> <span class="muted">${made.length === 0 ? 'now' : html`at ${time(next)}`}</span></p></li>`}</ol>`
}
