import { EVENT_TYPE_NAMES, EVENT_TYPES } from './event-types.ts'

/** The Markdown of /docs/reference/events: every type of event. */
export function eventsReference(): string {
  const sections = EVENT_TYPE_NAMES.map((name) => {
    const { cause, fields } = EVENT_TYPES[name]
    const rows = Object.entries<string>(fields).map(([field, text]) => `| \`${field}\` | ${text} |`)
    return `## \`${name}\`\n\n${cause}\n\n| Field of \`data\` | Content |\n|---|---|\n${rows.join('\n')}`
  })
  return `${HEAD}\n\n${sections.join('\n\n')}\n`
}

const HEAD = `# Events

[Events and webhooks](../events.md) describes how to receive them.

Every event has an id (\`evt_…\`), a type, a timestamp and \`data\`. The \`data\` of every type also has \`sequence\`: the position among the events of the account in its mode.`
