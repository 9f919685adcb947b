import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { optional, text } from '../../catalog/vocabulary/fields.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { done, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { anyObject, merchant } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { textField } from '../../catalog/answers/vendor-failure.ts'
import { get, post, type Reply } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const codeStorage = merchant('https://codestorage.mpp.tempo.xyz', 'https://code.storage/docs', {
  statuses: [409],
  code: 'upstream_rejected',
  fix: 'Choose another name, or omit the name.',
})
const paid = { at: tempoMerchant(codeStorage.baseUrl) }

/** The merchant's field names for id and URL are not documented. */
function repoIdOf({ body }: Reply): string | undefined {
  return ['id', 'repo_id'].map((name) => textField(body, name)).find((id) => id !== '')
}

function cloneUrlOf({ body }: Reply): string | undefined {
  return ['clone_url', 'url', 'http_url', 'remote_url']
    .map((name) => textField(body, name))
    .find((url) => url !== '')
}

function repoFound(
  answer: Reply<Record<string, unknown>>,
  repoId: string | undefined,
  code: ErrorCode = 'upstream_error',
): Outcome {
  const cloneUrl = cloneUrlOf(answer)
  if (repoId === undefined || cloneUrl === undefined)
    return failed(code, "The vendor returned neither the repository's id nor its clone URL.")
  return done({ ...answer.body, repo_id: repoId, clone_url: cloneUrl })
}

export const service = defineService({
  id: 'gitstore',
  title: 'Git repositories',
  category: 'compute',
  vendor: codeStorage,
  returns,
  actions: {
    'repo-create': call({
      title: 'Create a Git repository',
      summary:
        'Create a private Git repository with a URL to clone and push, for a single payment of 1 USD.',
      description:
        'clone_url contains a token that grants read and write access. gitstore/repo-get returns it again by repo_id.',
      keywords: ['git hosting', 'new repository', 'version control', 'store code', 'push code'],
      input: params({
        name: optional(
          text('Name of the repository.', 100, {
            pattern: '^[A-Za-z0-9]([A-Za-z0-9._/-]*[A-Za-z0-9])?$',
          }),
        ),
      }),
      example: { name: 'notes' },
      price: flat(cents('100')),
      priceSource: "Specification, 2026-11; the merchant's price is the same.",
      timeoutMs: 60_000,
      request: (input) => post('/repos', input),
      merchant: paid,
      inHouse: 'gitstore.create',
      inHousePart: 'git',
      reply: anyObject,
      outcome: (answer) => repoFound(answer, repoIdOf(answer), 'order_unknown'),
      ownership: {
        createdId: repoIdOf,
        isPermanent: true,
        chosenName: ({ name }) => name?.toLowerCase(),
      },
    }),
    'repo-get': call({
      title: 'Git repository URL',
      summary: 'Get the clone URL of a repository of this account.',
      keywords: ['clone url', 'git remote', 'find repository'],
      input: params({ repo_id: text('The repo_id that gitstore/repo-create returned.', 200) }),
      example: { repo_id: 'repo-simulated' },
      price: flat(cents('1')),
      priceSource: "Specification, 2026-11; the merchant's price is the same.",
      timeoutMs: 30_000,
      request: ({ repo_id }) => get(`/repos/${encodeURIComponent(repo_id)}`),
      merchant: paid,
      inHouse: 'gitstore.get',
      inHousePart: 'git',
      reply: anyObject,
      outcome: (answer, { repo_id }) => repoFound(answer, repo_id),
      ownership: { targetId: ({ repo_id }) => repo_id, unknownCode: 'unknown_repo' },
    }),
  },
})
