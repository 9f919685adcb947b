import type { PeopleParts } from '../../../../auth/parts.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import type { SignInMethods } from './sign-in-page.ts'

export type SignInDeps = {
  readonly pages: PageDeps
  readonly people: PeopleParts
  readonly methods: SignInMethods
}
