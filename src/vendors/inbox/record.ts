import { Type } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import {
  domainName,
  emailAddress,
  list,
  optional,
  text,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { done } from '../../catalog/vocabulary/outcome.ts'
import { anyObject } from '../shared/records.ts'
import { flat, free } from '../../catalog/vocabulary/tariff.ts'
import { field, textField, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { bearer, get, post, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const agentMail: Vendor = {
  baseUrl: 'https://api.agentmail.to',
  auth: bearer(),
  docsUrl: 'https://docs.agentmail.to',
  readFailure: (reply) => {
    const name = textField(reply.body, 'name')
    // A forbidden message or recipient has the same status as a wrong key.
    const code =
      reply.status === 403 && /reject|block|taken/i.test(`${name} ${textField(reply.body, 'code')}`)
        ? 'upstream_rejected'
        : undefined
    return vendorFailure(reply, {
      code,
      vendorCode: name === '' ? undefined : name,
      message: field(reply.body, 'message'),
    })
  },
}

const paid = { at: tempoMerchant('https://mpp.api.agentmail.to') }
const ownership = {
  targetId: ({ inbox_id }: { readonly inbox_id: string }) => inbox_id,
  unknownCode: 'unknown_inbox',
} as const

const inboxId = emailAddress('The inbox_id (address) that inbox/create_inbox returned.')
const body = {
  text: optional(text('The message as plain text.', 500_000)),
  html: optional(text('The message as HTML.', 500_000)),
}
const messages = (inbox: string) => `/v0/inboxes/${encodeURIComponent(inbox)}/messages`

function inboxOf({ body: inbox }: Reply): string | undefined {
  const id = textField(inbox, 'inbox_id')
  return id === '' ? undefined : id
}

/**
 * Certificate authorities confirm domain ownership at these addresses (RFC 2142 and the rules of
 * the authorities).
 */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'abuse',
  'admin',
  'administrator',
  'hostmaster',
  'mailer-daemon',
  'noc',
  'postmaster',
  'root',
  'security',
  'webmaster',
])

function checkUsername({
  username,
  domain,
}: {
  readonly username?: string
  readonly domain?: string
}): void {
  if (username === undefined || domain === undefined || !RESERVED_NAMES.has(username.toLowerCase()))
    return
  throw new AppError('invalid_params', `"${username}" of a domain is reserved for its owner.`, {
    param: 'username',
    fix: 'Choose another name, or remove "domain".',
  })
}

const sent = Type.Object({ message_id: Type.String() })
const shared = {
  timeoutMs: 30_000,
  priceSource: "Specification, 2026-11; the merchant's price is the same.",
}

export const service = defineService({
  id: 'inbox',
  title: 'Email inboxes for agents',
  category: 'inboxes',
  vendor: agentMail,
  returns,
  actions: {
    create_inbox: call({
      ...shared,
      title: 'Create an email inbox',
      summary: 'Create an inbox with its own email address, for a single payment of 2 USD.',
      description: 'inbox_id is the address. It belongs to the account permanently.',
      keywords: [
        'email inbox',
        'mailbox',
        'email address for an agent',
        'receive mail',
        'sign-up codes',
      ],
      input: params({
        username: optional(
          text('The part before the @; random if omitted.', 64, {
            pattern: '^[A-Za-z0-9]([A-Za-z0-9._+-]*[A-Za-z0-9])?$',
          }),
        ),
        domain: optional(
          domainName(
            "The part after the @: a domain that the operator has verified; the vendor's own if omitted.",
          ),
        ),
        display_name: optional(
          text('Sender name that recipients see.', 200, { pattern: String.raw`^\P{Cc}*$` }),
        ),
      }),
      example: { username: 'ana', display_name: 'Ana Example' },
      price: flat(cents('200')),
      check: checkUsername,
      request: (input) => post('/v0/inboxes', input),
      merchant: paid,
      inHouse: 'inbox.create',
      inHousePart: 'inboxes',
      reply: Type.Object({ inbox_id: Type.String({ minLength: 1 }) }),
      outcome: ({ body: inbox }) => done(inbox),
      ownership: {
        createdId: inboxOf,
        isPermanent: true,
        inHouseChecksNames: true,
        chosenName: ({ username, domain = '' }) =>
          username === undefined ? undefined : `${username}@${domain}`.toLowerCase(),
      },
    }),
    send: call({
      ...shared,
      isOrder: true,
      title: 'Send an email',
      summary: 'Send an email from an inbox.',
      keywords: ['send email', 'write mail', 'outgoing message'],
      input: params({
        inbox_id: inboxId,
        to: Type.Union(
          [
            emailAddress('One recipient.'),
            list('Several recipients.', emailAddress('A recipient.'), 50),
          ],
          { description: 'Recipients: an address, or a list of up to 50.' },
        ),
        subject: text('Subject of the message.', 998, { pattern: String.raw`^\P{Cc}*$` }),
        ...body,
      }),
      example: {
        inbox_id: 'ana@agentmail.to',
        to: 'bo@example.com',
        subject: 'Hello',
        text: 'Hello Bo.',
      },
      price: flat(cents('1')),
      request: ({ inbox_id, ...message }) => post(`${messages(inbox_id)}/send`, message),
      merchant: paid,
      inHouse: 'inbox.send',
      inHousePart: 'inboxes',
      reply: sent,
      outcome: ({ body: answer }) => done(answer),
      ownership,
    }),
    'list-messages': call({
      title: 'Read the messages of an inbox',
      summary: 'List the messages of an inbox, newest first, or read one of them.',
      description:
        'Each row has message_id, from, to, subject and a preview. With message_id, the list contains only that message, with its text.',
      keywords: [
        'read email',
        'check mail',
        'received messages',
        'mailbox',
        'replies',
        'one-time code',
        'incoming mail',
        'verification code',
      ],
      input: params({
        inbox_id: inboxId,
        message_id: optional(text('Returns only this message, with its text.', 998)),
        limit: whole('Messages per page.', 1, 100, { default: 50 }),
        page_token: optional(text('next_page_token of the previous page.', 1_000)),
      }),
      example: { inbox_id: 'ana@agentmail.to' },
      price: free,
      timeoutMs: 30_000,
      untrustedContent: true,
      request: ({ inbox_id, message_id, limit, page_token }) =>
        message_id === undefined
          ? get(messages(inbox_id), { limit, page_token })
          : get(`${messages(inbox_id)}/${encodeURIComponent(message_id)}`),
      merchant: paid,
      inHouse: 'inbox.list',
      inHousePart: 'inboxes',
      reply: anyObject,
      outcome: ({ body: answer }, { message_id }) =>
        done(message_id === undefined ? answer : { count: 1, messages: [answer] }),
      ownership,
    }),
    reply: call({
      ...shared,
      isOrder: true,
      title: 'Reply to an email',
      summary: 'Reply to a message that an inbox received.',
      keywords: ['answer email', 'respond to mail'],
      input: params({
        inbox_id: inboxId,
        message_id: text('The message_id from a row of inbox/list-messages.', 998),
        ...body,
      }),
      example: {
        inbox_id: 'ana@agentmail.to',
        message_id: '<1@mail.example.com>',
        text: 'Thank you.',
      },
      exampleNeeds: ['message_id'],
      price: flat(cents('1')),
      request: ({ inbox_id, message_id, ...message }) =>
        post(`${messages(inbox_id)}/${encodeURIComponent(message_id)}/reply`, message),
      merchant: paid,
      inHouse: 'inbox.reply',
      inHousePart: 'inboxes',
      reply: sent,
      outcome: ({ body: answer }) => done(answer),
      ownership,
    }),
  },
})
