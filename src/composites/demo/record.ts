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

// Recording takes about the length of the video, plus the loading of pages.
const TIMEOUT_MS = 900_000

const briefOrScript: typeof produceDemoInput = {
  ...produceDemoInput,
  ...exactlyOneByCheck(['brief', 'urls'], ['script']),
}

const common = {
  price: budgeted(demoBudget, cents('1'), dollars('5')),
  // A video without a voice has no paid step.
  leastCharge: 0n,
  priceSource: 'Free except its sub-steps, 2026-11.',
  timeoutMs: TIMEOUT_MS,
  untrustedContent: true,
  running: 'deep',
} as const

export const actions = {
  produce_demo: localJob({
    ...common,
    title: 'Demo video from a script',
    summary:
      'Make a narrated demo video of a web product from a script, or planned from a brief. Runs as a job.',
    description:
      'A browser opens the pages and clicks, types and scrolls by the script. The recording is an MP4 (H.264) among your files, with a smooth pointer and a caption for each line of narration. With a "brief" the gateway plans the steps from the headings and links of the pages. The video itself is free, up to half an hour of recording within an hour for each account. Only spoken narration costs; without a voice on the gateway there are only captions, and the whole hold is released. Failed steps are not in the video; their scenes give the reason. Returns a `job_id`: poll core/result until the status is `succeeded` or `failed`.',
    keywords: KEYWORDS,
    input: briefOrScript,
    example: {
      script: [
        { action: 'open', url: 'https://example.com/', say: 'This is the first page' },
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
    title: 'Demo video from a URL',
    summary:
      'Make a demo video of a web product from its URL alone: surveys its pages, plans a script and records it. Runs as a job.',
    description:
      'Introduces the product and shows its most informative pages; "goal" sets what comes first. Opens only pages of the same site. Sends no form, and clicks nothing that pays, deletes, sends or logs out. Returns a `job_id`: poll core/result until the status is `succeeded` or `failed`. The result contains the planned script: change it and send it to core/produce_demo for another take.',
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
