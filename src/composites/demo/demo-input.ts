/** What `core/produce_demo` and `core/produce_autodemo` take. */
import { Type, type Static } from 'typebox'
import { params } from '../../catalog/vocabulary/define.ts'
import { choice, list, NOT_BLANK, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import {
  webAddressError,
  parseTypedAddress,
  type AddressCheck,
} from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import { wholeCents, type Micros } from '../../lib/money.ts'
import { ASPECT_RATIOS } from '../../reader/video/layout.ts'
import { STEP_ACTIONS, type DemoStep, type StepAction } from '../../reader/video/step.ts'

const MOST_URLS = 10
export const MOST_STEPS = 40
const MOST_SECONDS = 120
const KEYS = [
  'Enter',
  'Tab',
  'Escape',
  'Backspace',
  'Space',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
]

const stepInput = params(
  {
    action: choice(
      'What is done: open an address, click, type, press a key, scroll, hover, or wait.',
      [...STEP_ACTIONS],
    ),
    url: optional(text('open: the address of the page.', 2_048)),
    target: optional(
      text(
        'click, type, hover, scroll: the words on what is meant, such as a link, a button or the label of a field; or a CSS selector after "css=". For scroll also "top" or "bottom"; left out: one screen further.',
        500,
      ),
    ),
    text: optional(text('type: what is typed. wait: words that are to appear.', 500)),
    key: optional(choice('press: the key.', KEYS)),
    seconds: optional(
      Type.Number({
        minimum: 0.2,
        maximum: 20,
        description:
          'How long the picture then stands still. Left out: as long as it takes to read "say".',
      }),
    ),
    say: optional(text('The line of narration that is shown with the step.', 300, NOT_BLANK)),
  },
  { description: 'One step of the demo.' },
)

const film = {
  aspect_ratio: choice('Shape of the picture.', [...ASPECT_RATIOS], { default: '16:9' }),
  max_seconds: whole('The video is never longer, 5 to 120.', 5, MOST_SECONDS, { default: 30 }),
  voice: optional(
    text(
      'The voice that speaks the narration, where this gateway has one; captions are there in any case.',
      100,
    ),
  ),
  // A job holds something, so that it has its place in the books. As long as nothing is spoken nothing is spent, so a caller who asks for no more has the least held.
  budgetCents: whole(
    'Most cents that the narration may cost, 1 to 500; held until the job finishes, and what is not spent comes back.',
    1,
    500,
    { default: 1 },
  ),
}

export const produceDemoInput = params({
  brief: optional(
    text(
      'What the demo is to show, in plain words: what fits it on the pages is shown. Instead of "script".',
      1_000,
      NOT_BLANK,
    ),
  ),
  script: optional(
    list(
      `1 to ${MOST_STEPS} steps, each with its line of narration. Instead of "brief".`,
      stepInput,
      MOST_STEPS,
    ),
  ),
  urls: optional(
    list(
      `Addresses of 1 to ${MOST_URLS} pages in the order in which they are shown. With "script": one, where it begins.`,
      text('Address of a page.', 2_048),
      MOST_URLS,
    ),
  ),
  ...film,
})
export type ProduceDemoInput = Static<typeof produceDemoInput>

export const produceAutodemoInput = params({
  url: text('Address of the product. Only pages of the same site are shown.', 2_048),
  goal: optional(
    text(
      'What the demo should lead to, in plain words: what fits it is shown first.',
      500,
      NOT_BLANK,
    ),
  ),
  ...film,
})
export type ProduceAutodemoInput = Static<typeof produceAutodemoInput>

export function demoBudget({ budgetCents }: Pick<ProduceDemoInput, 'budgetCents'>): Micros {
  return wholeCents(budgetCents)
}

/** Throws AppError bad_request, invalid_params or bad_url that names the field at fault. */
export function checkProduceDemo(input: ProduceDemoInput, checkAddress?: AddressCheck): void {
  const { brief, script, urls } = input
  if ((brief === undefined) === (script === undefined)) {
    throw new AppError(
      'bad_request',
      brief === undefined
        ? 'Either "brief" or "script" is needed.'
        : '"brief" and "script" exclude each other.',
      {
        fix: 'Send "brief" with "urls" to have the demo planned, or "script" to say each step.',
      },
    )
  }
  urls?.forEach((url, place) => addressOf(url, `urls[${place}]`, checkAddress))
  if (script === undefined) {
    if (urls === undefined)
      throw new AppError('invalid_params', 'A brief needs the pages that it speaks of.', {
        param: 'urls',
        fix: 'Add "urls": the addresses of the pages that the demo is to show.',
      })
    return
  }
  if (urls !== undefined && urls.length > 1)
    throw new AppError(
      'invalid_params',
      'A script begins at one page; its "open" steps lead to further ones.',
      {
        param: 'urls',
        fix: 'Leave one address in "urls", and add a step {"action": "open", "url": …} for each further page.',
      },
    )
  if (urls === undefined && script[0]?.action !== 'open')
    throw new AppError(
      'invalid_params',
      'The script has no page to begin with: its first step is not "open", and there are no "urls".',
      {
        param: 'script[0].action',
        fix: 'Begin with {"action": "open", "url": …}, or send the page in "urls".',
      },
    )
  script.forEach((step, place) => checkStep(step, `script[${place}]`, checkAddress))
}

export function checkProduceAutodemo(
  { url }: ProduceAutodemoInput,
  checkAddress?: AddressCheck,
): void {
  addressOf(url, 'url', checkAddress)
}

/** The steps of a checked script, from its first page on, with whole addresses. */
export function stepsOf(script: readonly DemoStep[], urls: readonly string[] = []): DemoStep[] {
  const beginning = urls
    .slice(0, 1)
    .map((url): DemoStep => ({ action: 'open', url: addressOf(url, 'urls[0]') }))
  return [
    ...beginning,
    ...script.map((step) =>
      step.url === undefined ? step : { ...step, url: addressOf(step.url, 'url') },
    ),
  ]
}

/** Whole address of a page; a bare host will do. Throws AppError bad_url, and what `checkAddress` throws. */
export function addressOf(typed: string, param: string, checkAddress?: AddressCheck): string {
  const url = parseTypedAddress(typed.trim())
  if (url === null) throw webAddressError(typed, param)
  checkAddress?.(url.href, param, 'gateway')
  return url.href
}

type Field = 'url' | 'target' | 'text' | 'key'
const FIELDS: Readonly<
  Record<StepAction, { readonly needs: readonly Field[]; readonly takes: readonly Field[] }>
> = {
  open: { needs: ['url'], takes: [] },
  click: { needs: ['target'], takes: [] },
  hover: { needs: ['target'], takes: [] },
  type: { needs: ['target', 'text'], takes: [] },
  press: { needs: ['key'], takes: [] },
  scroll: { needs: [], takes: ['target'] },
  wait: { needs: [], takes: ['text'] },
}

function checkStep(step: DemoStep, place: string, checkAddress?: AddressCheck): void {
  const { needs, takes } = FIELDS[step.action]
  for (const field of ['url', 'target', 'text', 'key'] as const) {
    const isThere = step[field] !== undefined
    if (!isThere && needs.includes(field))
      throw new AppError('invalid_params', `The step "${step.action}" needs "${field}".`, {
        param: `${place}.${field}`,
      })
    if (isThere && !needs.includes(field) && !takes.includes(field))
      throw new AppError('invalid_params', `The step "${step.action}" takes no "${field}".`, {
        param: `${place}.${field}`,
      })
  }
  if (step.action === 'wait' && step.text === undefined && step.seconds === undefined)
    throw new AppError('invalid_params', 'The step "wait" needs "text" or "seconds".', {
      param: `${place}.seconds`,
    })
  if (step.url !== undefined) addressOf(step.url, `${place}.url`, checkAddress)
}
