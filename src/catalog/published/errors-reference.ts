/** The Markdown of /docs/reference/errors: every code of the error catalog. */
import { errorCatalog, type ErrorSpec } from '../../errors/catalog.ts'

const FAULTS: Record<ErrorSpec['fault'], string> = {
  caller: 'the request',
  vendor: 'the service behind the action',
  operator: "the gateway's operator",
  gateway: 'the gateway',
}

export function errorsReference(): string {
  const byStatus = Map.groupBy(Object.entries<ErrorSpec>(errorCatalog), ([, { status }]) => status)
  const sections = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(
      ([status, entries]) =>
        `## ${status}\n\n${entries.map(([code, spec]) => entry(code, spec)).join('\n\n')}`,
    )
  return `${HEAD}\n\n${sections.join('\n\n')}\n`
}

function entry(code: string, { fault, retryable, title, fix }: ErrorSpec): string {
  return `### \`${code}\`\n\n${title}. Cause: ${FAULTS[fault]}. ${retryable ? 'The same request can succeed later.' : 'Repeating the same request does not help.'}\n\n${fix}`
}

const HEAD = `# Errors

Every error answers with its status and this body:

\`\`\`json
{
  "ok": false,
  "error": {
    "code": "api_key_limit_exceeded",
    "message": "This call may cost $0.03; of the key's $5.00 a day, $4.98 is spent and $0.02 is held by calls in progress.",
    "param": null,
    "fix": "Wait until 2027-03-02T00:00:00.000Z, or raise the ceiling with the primary key (PATCH /api/v1/agents/{id}).",
    "retryable": false,
    "details": { "ceiling_cents": 500, "ceiling_period": "day", "spent_cents": 498, "held_cents": 2 }
  },
  "charged_cents": 0,
  "charged_micros": 0,
  "request_id": "req_…"
}
\`\`\`

No error is ever charged, with one exception: \`payment_unknown\` of \`/api/fetch\`, whose payment was signed; its \`charged_micros\` shows the amount. \`message\` says what happened, \`param\` which field is at fault, \`fix\` what to do, \`retryable\` whether the same request can succeed later. With \`Accept: application/problem+json\` the same facts come as RFC 9457.

- 402 is always money and never worth a retry.
- 409 means the same request, later.
- 422 means change the request.
- 429 is always time: wait \`Retry-After\` seconds.
- 502, 503 and 504 come from what lies behind the gateway, or from its state.`
