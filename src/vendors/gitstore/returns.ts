/** From Code Storage's merchant. */
import {
  address,
  answer,
  maybe,
  text,
  time,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const repository = {
  repo_id: text('The id of the repository.'),
  clone_url: address('The URL to clone and push. It contains a token: store it like a password.'),
  id: maybe(text('The same id in the words of the vendor.')),
  default_branch: maybe(text('The branch that a clone checks out.')),
  created_at: maybe(time('When the repository was created.')),
}

export const returns: Returns = {
  'repo-create': answer({
    ...repository,
    repo_id: text('The id of the repository, for gitstore/repo-get.'),
  }),
  'repo-get': answer(repository),
}
