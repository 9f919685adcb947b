/** The order and the audience of the documentation. Files that are not listed here are not served. */

/** `members` call a gateway, `operators` run it, `contributors` change it. */
export type Audience = 'members' | 'operators' | 'contributors'

export type DocumentationSection = {
  readonly title: string
  readonly audience: Audience
  readonly entries: readonly DocumentationEntry[]
}

export type DocumentationEntry = {
  /** The Markdown file, from the root of the repository. */
  readonly file: string
  /** The page is /docs/{slug}. */
  readonly slug: string
  /** The words of the navigation. */
  readonly label: string
  /** A folder whose files are pages below this one. */
  readonly folder?: string
}

/** A file of docs, whose slug is its path there. */
function page(
  slug: string,
  label: string,
  more: { readonly folder?: string } = {},
): DocumentationEntry {
  return { file: `docs/${slug}.md`, slug, label, ...more }
}

export const DOCUMENTATION_SECTIONS: readonly DocumentationSection[] = [
  {
    title: 'Start',
    audience: 'members',
    entries: [
      page('getting-started', 'Getting started'),
      page('calls', 'How a call works'),
      page('test-mode', 'Test mode'),
      page('tutorial-budget', 'Give an agent a budget'),
    ],
  },
  {
    title: 'Keys and money',
    audience: 'members',
    entries: [
      page('keys', 'Keys and limits'),
      page('price-lock', 'Lock prices'),
      page('events', 'Events and webhooks'),
      page('cassettes', 'Record and replay calls'),
    ],
  },
  {
    title: 'Build',
    audience: 'members',
    entries: [
      page('searching', 'Search and advice'),
      page('composites', 'People, pages, demo videos'),
      page('documents', 'Read documents'),
      page('router', 'Language models'),
      page('create-media', 'Images, video, speech, music'),
    ],
  },
  {
    title: 'Connect',
    audience: 'members',
    entries: [
      page('mcp', 'MCP clients'),
      page('connect-clients', 'claude.ai, ChatGPT, hosted clients'),
      page('clients', 'SDKs and coding agents', { folder: 'docs/clients' }),
      page('sdk', 'TypeScript SDK'),
      page('sdk-python', 'Python SDK'),
      page('command-line', 'Command line'),
    ],
  },
  {
    title: 'Reference',
    audience: 'members',
    entries: [
      page('reference/catalog', 'Actions', { folder: 'docs/reference/actions' }),
      page('reference/errors', 'Errors'),
      page('reference/events', 'Events'),
      page('reference/commands', 'Commands'),
      { file: 'CHANGELOG.md', slug: 'changelog', label: 'Changelog' },
    ],
  },
  {
    title: 'Operate',
    audience: 'operators',
    entries: [
      page('install', 'Install a gateway'),
      page('operating', 'Run it'),
      page('reference/settings', 'Settings'),
      page('reference/operator-commands', 'Commands'),
      page('public-sources', 'Actions without a vendor'),
      page('media', 'Media models'),
      page('in-house', 'Parts on your machine'),
      page('people', 'Accounts and sign-in'),
      page('own-actions', 'Add your own API'),
      page('prices', 'Set your prices'),
      page('payments', 'Payments'),
      page('scale', 'Scale'),
      page('high-availability', 'High availability'),
      { file: 'SECURITY.md', slug: 'security', label: 'Report a vulnerability' },
    ],
  },
  {
    title: 'Contribute',
    audience: 'contributors',
    entries: [
      { file: 'CONTRIBUTING.md', slug: 'contributing', label: 'Contribute' },
      { file: 'ARCHITECTURE.md', slug: 'architecture', label: 'Architecture' },
      page('benchmarks', 'Benchmarks'),
      page('reading', 'Quality of page reading'),
      page('faults', 'Behavior under faults'),
      page('dependencies', 'Dependencies'),
      page('style', 'Writing style'),
      page('releasing', 'Release'),
      {
        file: 'docs/decisions/README.md',
        slug: 'decisions',
        label: 'Decisions',
        folder: 'docs/decisions',
      },
    ],
  },
]
