import type { SmtpReply } from '../../lib/mailbox-probe.ts'

/**
 * - `accepted`: the server accepts email for the address.
 * - `rejected`: the address does not exist.
 * - `deferred`: try again later, such as greylisting.
 * - `blocked`: the server rejects this gateway, for any address, also temporarily.
 * - `unclear`: anything else, such as a full mailbox.
 */
export type ReplyClass = 'accepted' | 'rejected' | 'deferred' | 'blocked' | 'unclear'

/** RFC 3463: 5.1.x is a bad address, 5.2.1 a disabled mailbox, 5.7.x a rule of the server. */
const ENHANCED = /(?:^|\s)([245])\.(\d{1,3})\.(\d{1,3})(?=\s|$)/
const POLICY =
  /\b(?:abuse|access denied|authenticat\w*|banned|blacklist\w*|blocked?|blocklist\w*|denied|dnsbl|dynamic|listed|policy|ptr|rbl|relay\w*|reputation|reverse (?:dns|host\w*)|spam\w*|spamhaus|spf|tls|starttls|unauthorized)\b/i
const GREYLISTED = /gr[ae]y-?list/i
const FULL = /\b(?:full|quota|storage)\b/i
/** Servers repeat the address, whose words are the caller's. */
const ADDRESSES = /(?<![^\s<>:])[^\s<>:]*@[^\s<>:]*/g
/** Exchange Online rejects unknown recipients as "5.4.1 Recipient address rejected: Access denied". */
const UNKNOWN_AT_EXCHANGE = /\b5\.4\.1 recipient address rejected: access denied\b/i

/** The meaning of a reply to a recipient. */
export function classifyReply({ code, text: words }: SmtpReply): ReplyClass {
  const text = words.replaceAll(ADDRESSES, '')
  // 252: accepted without a check.
  if (code === 250 || code === 251) return 'accepted'
  if (code < 400) return 'unclear'
  const [, , subject, detail] = ENHANCED.exec(text) ?? []
  if (code < 500) {
    if (GREYLISTED.test(text)) return 'deferred'
    if (code === 421 || POLICY.test(text)) return 'blocked'
    return FULL.test(text) ? 'unclear' : 'deferred'
  }
  if (subject === '1' || (subject === '2' && detail === '1')) return 'rejected'
  if (UNKNOWN_AT_EXCHANGE.test(text)) return 'rejected'
  if (subject === '7') return 'blocked'
  if (subject === '2' || FULL.test(text)) return 'unclear'
  if (POLICY.test(text)) return 'blocked'
  return code === 550 || code === 551 || code === 553 ? 'rejected' : 'unclear'
}
