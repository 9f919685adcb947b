import type { AuthServices } from '../../../../auth/auth-services.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import type { SignInMethods } from './sign-in-page.ts'

export type SignInDeps = {
  readonly pages: PageDeps
  readonly people: AuthServices
  readonly methods: SignInMethods
}
