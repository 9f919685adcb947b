import type { Hop } from '../../../../catalog/vocabulary/handlers.ts'
import type { CallRecord } from '../../../../history/calls/call-record.ts'
import { time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { moneyText } from '../account/account-components.ts'
import { durationText, SURFACE_LABELS } from './call-cells.ts'

type Step = {
  readonly look: 'ok' | 'pending' | 'failed' | 'free'
  readonly title: Html | string
  readonly text: Html | string
  /** At the right: when, or how long. */
  readonly at?: Html | string
}

/** The steps of a call, from its request to its charge. */
export function callTimeline(call: CallRecord): Html {
  const steps = [
    received(call),
    ...held(call),
    ...call.hops.map((hop) => asked(hop as Hop)),
    ended(call),
  ]
  return html`<ol class="timeline">${steps.map(
    ({
      look,
      title,
      text,
      at,
    }) => html`<li class="${look}"><strong>${title}</strong>${at !== undefined && html`<span class="at">${at}</span>`}<p>${text}</p></li>
`,
  )}</ol>`
}

function received({ created_at: createdAt, surface }: CallRecord): Step {
  return {
    look: 'free',
    title: 'Received',
    text: `Over the ${SURFACE_LABELS[surface]}.`,
    at: time(createdAt),
  }
}

function held({ held_micros: micros }: CallRecord): readonly Step[] {
  if (micros === 0) return []
  return [
    {
      look: 'pending',
      title: `Held ${moneyText(micros)}`,
      text: 'The most that this call could cost.',
    },
  ]
}

const SKIPS = {
  not_configured: 'Skipped: it needs operator setup.',
  over_budget: 'Skipped: the budget of the call did not cover it.',
  cancelled: 'Skipped: the call was cancelled.',
  deadline: 'Skipped: the time of the call was over.',
} as const satisfies Record<NonNullable<Hop['skipped']>, string>

function asked({
  provider,
  action,
  ok,
  skipped,
  latency_ms: ms,
  charged_micros: micros,
}: Hop): Step {
  const title = html`Called <code>${provider}/${action}</code>`
  if (skipped !== undefined) return { look: 'free', title, text: SKIPS[skipped] }
  return {
    look: ok ? 'ok' : 'failed',
    title,
    text: ok
      ? `Answered${micros > 0 ? `, ${moneyText(micros)}` : ', at no charge'}.`
      : 'Failed. You pay nothing for this step.',
    at: `took ${durationText(ms)}`,
  }
}

function ended(call: CallRecord): Step {
  const { charge, charged_micros: charged, held_micros: most, error, duration_ms: ms } = call
  const at = ms === null ? {} : { at: `after ${durationText(ms)}` }
  if (charge === 'pending')
    return {
      look: 'pending',
      title: 'In progress',
      text: 'The charge follows when the call ends, at most the sum held.',
    }
  if (charge === 'charged')
    return {
      look: 'ok',
      title: charged === 0 ? 'Charged' : `Charged ${moneyText(charged)}`,
      text:
        most > charged
          ? `The other ${moneyText(most - charged)} were returned.`
          : 'The whole sum held.',
      ...at,
    }
  if (error !== null && most === 0)
    return {
      look: 'failed',
      title: html`Rejected with <code>${error.code}</code>`,
      text: 'Nothing was held, and no vendor was called. Not charged.',
      ...at,
    }
  return {
    look: error === null ? 'free' : 'failed',
    title: error === null ? 'Not charged' : html`Failed with <code>${error.code}</code>`,
    text: call.replayed
      ? 'The answer was stored by an earlier request with the same Idempotency-Key.'
      : most > 0
        ? `Not charged. The ${moneyText(most)} held were returned.`
        : 'This call is free.',
    ...at,
  }
}
