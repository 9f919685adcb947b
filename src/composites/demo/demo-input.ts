/** The input of `core/produce_demo` and `core/produce_autodemo`. */
import { Type, type Static } from '../../lib/schema.ts'
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
      'The kind of step: open a page, click, type, press a key, scroll, hover, or wait.',
      [...STEP_ACTIONS],
    ),
    url: optional(text('open: the URL of the page.', 2_048)),
    target: optional(
      text(
        'click, type, hover, scroll: the text of a link, a button or a heading, the label of a field, or a CSS selector after "css=". scroll also takes "top" or "bottom", and without a target scrolls one screen.',
        500,
      ),
    ),
    text: optional(text('type: the text to type. wait: the text to wait for.', 500)),
    key: optional(choice('press: the key to press.', KEYS)),
    seconds: optional(
      Type.Number({
        minimum: 0.2,
        maximum: 20,
        description:
          'How long the image then stands still. Default: the reading time of the caption.',
      }),
    ),
    say: optional(text('The line of narration shown with the step.', 300, NOT_BLANK)),
  },
  { description: 'One step of the demo.' },
)

const videoFields = {
  aspect_ratio: choice('Aspect ratio of the video.', [...ASPECT_RATIOS], { default: '16:9' }),
  max_seconds: whole('Maximum length of the video in seconds, 5 to 120.', 5, MOST_SECONDS, {
    default: 30,
  }),
  voice: optional(
    text('The voice of the narration, if this gateway has one. Captions are always shown.', 100),
  ),
  // Every job has a hold. Without narration nothing is spent, so the default is the smallest hold.
  budgetCents: whole(
    'Maximum number of cents that the narration may cost, 1 to 500. Held until the job finishes; the rest is released.',
    1,
    500,
    { default: 1 },
  ),
}

export const produceDemoInput = params({
  brief: optional(
    text(
      'The contents of the demo, in plain words. The demo shows matching parts of the pages. Use instead of "script".',
      1_000,
      NOT_BLANK,
    ),
  ),
  script: optional(
    list(
      `1 to ${MOST_STEPS} steps, each with its line of narration. Use instead of "brief".`,
      stepInput,
      MOST_STEPS,
    ),
  ),
  urls: optional(
    list(
      `URLs of 1 to ${MOST_URLS} pages in the order of the demo. With "script": only its first page.`,
      text('URL of a page.', 2_048),
      MOST_URLS,
    ),
  ),
  ...videoFields,
})
export type ProduceDemoInput = Static<typeof produceDemoInput>

export const produceAutodemoInput = params({
  url: text('URL of the product. The demo shows only pages of the same site.', 2_048),
  goal: optional(
    text('The focus of the demo, in plain words. Matching parts are shown first.', 500, NOT_BLANK),
  ),
  ...videoFields,
})
export type ProduceAutodemoInput = Static<typeof produceAutodemoInput>

export function demoBudget({ budgetCents }: Pick<ProduceDemoInput, 'budgetCents'>): Micros {
  return wholeCents(budgetCents)
}

/** Throws AppError bad_request, invalid_params or bad_url with the name of the invalid field. */
export function checkProduceDemo(input: ProduceDemoInput, checkAddress?: AddressCheck): void {
  const { brief, script, urls } = input
  if ((brief === undefined) === (script === undefined)) {
    throw new AppError(
      'bad_request',
      brief === undefined
        ? 'Neither "brief" nor "script" is given.'
        : '"brief" and "script" cannot be combined.',
      {
        fix: 'Send "brief" with "urls" to let the gateway plan the demo, or "script" to specify each step.',
      },
    )
  }
  urls?.forEach((url, place) => readPageUrl(url, `urls[${place}]`, checkAddress))
  if (script === undefined) {
    if (urls === undefined)
      throw new AppError('invalid_params', 'A brief needs the pages to show.', {
        param: 'urls',
        fix: 'Add "urls" with the pages that the demo should show.',
      })
    return
  }
  if (urls !== undefined && urls.length > 1)
    throw new AppError(
      'invalid_params',
      'A script starts at one page. Its "open" steps open further ones.',
      {
        param: 'urls',
        fix: 'Send one URL in "urls", and add a step {"action": "open", "url": …} for each further page.',
      },
    )
  if (urls === undefined && script[0]?.action !== 'open')
    throw new AppError(
      'invalid_params',
      'The script has no first page: its first step is not "open", and there are no "urls".',
      {
        param: 'script[0].action',
        fix: 'Start with {"action": "open", "url": …}, or send the page in "urls".',
      },
    )
  script.forEach((step, place) => checkStep(step, `script[${place}]`, checkAddress))
}

export function checkProduceAutodemo(
  { url }: ProduceAutodemoInput,
  checkAddress?: AddressCheck,
): void {
  readPageUrl(url, 'url', checkAddress)
}

/** The steps of a valid script, starting with its first page, with absolute URLs. */
export function stepsOf(script: readonly DemoStep[], urls: readonly string[] = []): DemoStep[] {
  const opening = urls
    .slice(0, 1)
    .map((url): DemoStep => ({ action: 'open', url: readPageUrl(url, 'urls[0]') }))
  return [
    ...opening,
    ...script.map((step) =>
      step.url === undefined ? step : { ...step, url: readPageUrl(step.url, 'url') },
    ),
  ]
}

/** Returns an absolute URL. Accepts a bare host. Throws AppError bad_url and the errors of `checkAddress`. */
export function readPageUrl(typed: string, param: string, checkAddress?: AddressCheck): string {
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
      throw new AppError(
        'invalid_params',
        `The step "${step.action}" does not accept "${field}".`,
        {
          param: `${place}.${field}`,
        },
      )
  }
  if (step.action === 'wait' && step.text === undefined && step.seconds === undefined)
    throw new AppError('invalid_params', 'The step "wait" needs "text" or "seconds".', {
      param: `${place}.seconds`,
    })
  if (step.url !== undefined) readPageUrl(step.url, `${place}.url`, checkAddress)
}
