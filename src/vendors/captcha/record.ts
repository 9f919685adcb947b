import { Type, type Static } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { done, type Failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { flat, free } from '../../catalog/vocabulary/tariff.ts'
import { post, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { choice, text } from '../../catalog/vocabulary/fields.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { returns } from './returns.ts'

const twoCaptcha: Vendor = {
  baseUrl: 'https://api.2captcha.com',
  auth: { in: 'body', name: 'clientKey', credential: 'KEY' },
  docsUrl: 'https://2captcha.com/api-docs',
  readFailure: (reply) => {
    const vendorCode = field(reply.body, 'errorCode')
    return vendorFailure(reply, {
      code: typeof vendorCode === 'string' ? mapVendorCode(vendorCode) : undefined,
      vendorCode,
      message: field(reply.body, 'errorDescription'),
    })
  },
}

/** The vendor reports errors with status 200 and a code. */
function mapVendorCode(errorCode: string): ErrorCode {
  if (/KEY_DOES_NOT_EXIST|WRONG_USER_KEY|IP_NOT_ALLOWED|IP_BLOCKED|SUSPENDED/.test(errorCode))
    return 'upstream_not_configured'
  if (/ZERO_BALANCE/.test(errorCode)) return 'upstream_payment'
  if (/NO_SLOT_AVAILABLE|TOO_MANY/.test(errorCode)) return 'upstream_busy'
  if (/CAPTCHA_ID|CAPCHA_ID/.test(errorCode)) return 'upstream_not_found'
  return /UNSOLVABLE/.test(errorCode) ? 'no_results' : 'upstream_rejected'
}

/**
 * Task types that cost at most the listed price, with their required fields. Funcaptcha can cost
 * many times as much.
 */
const PROXY = ['proxyType', 'proxyAddress', 'proxyPort']
const TASKS: Readonly<Record<string, readonly string[]>> = {
  RecaptchaV2TaskProxyless: ['websiteURL', 'websiteKey'],
  RecaptchaV2Task: ['websiteURL', 'websiteKey', ...PROXY],
  RecaptchaV3TaskProxyless: ['websiteURL', 'websiteKey', 'minScore'],
  TurnstileTaskProxyless: ['websiteURL', 'websiteKey'],
  TurnstileTask: ['websiteURL', 'websiteKey', ...PROXY],
  HCaptchaTaskProxyless: ['websiteURL', 'websiteKey'],
  GeeTestTaskProxyless: ['websiteURL', 'gt', 'challenge'],
  AmazonTaskProxyless: ['websiteURL', 'websiteKey', 'iv', 'context'],
  DataDomeSliderTask: ['websiteURL', 'captchaUrl', 'userAgent', ...PROXY],
  ImageToTextTask: ['body'],
}

const taskFields = { type: choice("Type of captcha, in the vendor's names.", Object.keys(TASKS)) }
const task = Type.Unsafe<{ readonly type: string; readonly [field: string]: unknown }>(
  Type.Object(taskFields, {
    additionalProperties: true,
    description:
      'The captcha: `type` and the fields of that type, such as `websiteURL` and `websiteKey`, or `body` (base64) for an image.',
  }),
)
const solveInput = params({ task })

function checkTask({ task: sent }: Static<typeof solveInput>): void {
  const missing = TASKS[sent.type]?.find((name) => field(sent, name) === undefined)
  if (missing !== undefined)
    throw new AppError('invalid_params', `A task of type "${sent.type}" needs "${missing}".`, {
      param: `task.${missing}`,
      fix: `Add "${missing}" to the task.`,
    })
}

const reply = Type.Object({
  errorId: Type.Integer(),
  errorCode: Type.Optional(Type.String()),
  errorDescription: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
  taskId: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
})
type CaptchaReply = Reply<Static<typeof reply>>

function failureOf({
  body: { errorId, errorCode = 'ERROR_UNKNOWN', errorDescription = errorCode },
}: CaptchaReply): Failed | undefined {
  if (errorId === 0) return undefined
  const code = mapVendorCode(errorCode)
  const details = { upstream: { service: 'captcha', status: 200, code: errorCode, message: null } }
  return {
    kind: 'failed',
    code,
    message: errorDescription.slice(0, 500),
    details,
    ...(code === 'upstream_busy' ? { retryAfterSeconds: 5 } : {}),
  }
}

/** Vendors with this API return numbers or texts as task ids. Here every id is text. */
function taskIdOf(body: unknown): string | undefined {
  const id = field(body, 'taskId')
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

function solveOutcome(answer: CaptchaReply): Outcome {
  const taskId = taskIdOf(answer.body)
  return (
    failureOf(answer) ??
    (taskId === undefined
      ? {
          kind: 'failed',
          code: 'order_unknown',
          message: 'The vendor accepted the task without returning its id. Nothing was charged.',
        }
      : done({ taskId }))
  )
}

function resultOutcome(answer: CaptchaReply): Outcome {
  return failureOf(answer) ?? done(answer.body)
}

/** Takes the same bodies without a key. Polling is free there. */
const paid = { at: tempoMerchant('https://twocaptcha.mpp.tempo.xyz') }

export const service = defineService({
  id: 'captcha',
  title: 'Solve captchas',
  category: 'scraping',
  vendor: twoCaptcha,
  returns,
  actions: {
    solve: call({
      title: 'Solve a captcha',
      summary: 'Submit a captcha to be solved: reCAPTCHA, Turnstile, GeeTest, an image and others.',
      description:
        'Returns a `taskId`. Poll captcha/result with it every five seconds (free) until the status is `ready`. Charged when the vendor accepts the task.',
      keywords: [
        'recaptcha',
        'turnstile',
        'hcaptcha',
        'captcha solver',
        'cloudflare challenge',
        'image to text',
      ],
      input: solveInput,
      example: {
        task: {
          type: 'TurnstileTaskProxyless',
          websiteURL: 'https://example.com/',
          websiteKey: '0x4AAAAAAADnPIDROrmt1Wwj',
        },
      },
      price: flat(cents('0.3')),
      priceSource:
        'Flat $0.003 per task with the vendor’s pay-per-call merchant, the maximum of these types under the operator’s own key, 2026-08.',
      timeoutMs: 30_000,
      check: checkTask,
      request: (input) => post('/createTask', input),
      merchant: paid,
      reply,
      outcome: solveOutcome,
      ownership: { createdId: ({ body }) => taskIdOf(body) },
    }),
    result: call({
      title: 'Captcha solution',
      summary: 'Get the status of a captcha, and its solution once it is solved.',
      description:
        'Free. The status is `processing` until it is `ready`; then `solution` contains the token or text.',
      keywords: ['captcha solution', 'poll', 'captcha token'],
      input: params({
        taskId: text('The taskId that captcha/solve returned.', 100, {
          pattern: '^[A-Za-z0-9-]+$',
        }),
      }),
      example: { taskId: '17000000000000' },
      price: free,
      timeoutMs: 30_000,
      request: ({ taskId }) =>
        post('/getTaskResult', { taskId: /^\d{1,15}$/.test(taskId) ? Number(taskId) : taskId }),
      merchant: paid,
      reply,
      outcome: resultOutcome,
      ownership: { targetId: ({ taskId }) => taskId },
    }),
  },
})
