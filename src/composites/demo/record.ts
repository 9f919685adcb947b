/** The records of `core/produce_demo` and `core/produce_autodemo`. */
import {
  checkProduceAutodemo,
  checkProduceDemo,
  demoBudget,
  produceAutodemoInput,
  produceDemoInput,
} from './demo-input.ts'
import { cents, dollars } from '../../lib/money.ts'
import { localJob } from '../../catalog/vocabulary/define.ts'
import { exactlyOneByCheck } from '../../catalog/vocabulary/fields.ts'
import { budgeted } from '../../catalog/vocabulary/tariff.ts'

const KEYWORDS = [
  'demo video',
  'product demo',
  'screen recording',
  'record a website',
  'product tour',
  'walkthrough',
  'screencast',
  'explainer video',
  'narrated video',
  'mp4',
]

// A browser films about as fast as the film runs, and waits for pages besides.
const TIMEOUT_MS = 900_000

const briefOrScript: typeof produceDemoInput = {
  ...produceDemoInput,
  ...exactlyOneByCheck(['brief', 'urls'], ['script']),
}

const common = {
  price: budgeted(demoBudget, cents('1'), dollars('5')),
  // A video without a voice has no paid step.
  leastCharge: 0n,
  priceSource: 'Free but for its sub-steps, 2026-11.',
  timeoutMs: TIMEOUT_MS,
  untrustedContent: true,
  running: 'deep',
} as const

export const actions = {
  produce_demo: localJob({
    ...common,
    summary:
      'Make a narrated demo video of a web product, by a script or planned from a brief. Runs as a job.',
    description:
      'A browser opens the pages, clicks, types and scrolls as the script says, and is filmed with a smooth pointer and a caption for each line of narration: an MP4 (H.264), kept among your files. With a "brief" the steps are planned from the headings and links of the pages. The film itself is free; only spoken narration costs, where the gateway has a voice, and without one there are captions only and all that is held comes back. Steps that could not be done are left out, and their scenes say why. Answers with a `job_id`; ask core/result until the status is `succeeded` or `failed`.',
    keywords: KEYWORDS,
    input: briefOrScript,
    example: {
      script: [
        { action: 'open', url: 'https://example.com/', say: 'This is the page where it begins' },
        { action: 'click', target: 'More information', say: 'One click leads to the details' },
      ],
      max_seconds: 20,
      budgetCents: 1,
    },
    check: checkProduceDemo,
    handler: 'core.produce_demo',
  }),
  produce_autodemo: localJob({
    ...common,
    summary:
      'Make a demo video of a web product from its address alone: looks at its pages, plans the script and films it. Runs as a job.',
    description:
      'Shows what the product is and its most telling pages; "goal" says what is to be shown first. Only pages of the same site are opened. No form is sent, and nothing that pays, deletes, sends or logs out is clicked. Answers with a `job_id`; ask core/result until the status is `succeeded` or `failed`. The result has the script that was planned: change it and send it to core/produce_demo for another take.',
    keywords: [...KEYWORDS, 'automatic demo', 'demo from url'],
    input: produceAutodemoInput,
    example: {
      url: 'https://example.com/',
      goal: 'what it costs',
      max_seconds: 30,
      budgetCents: 1,
    },
    check: checkProduceAutodemo,
    handler: 'core.produce_autodemo',
  }),
}
