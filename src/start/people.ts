import { openProvider } from '../people/oidc-provider.ts'
import type { PeopleParts } from '../people/parts.ts'
import type { PeopleSettings } from './people-settings.ts'

/** What signing in needs, as it is set up here. */
export function openPeople({ signUp, provider }: PeopleSettings): PeopleParts {
  return { signUp, mailer: null, provider: provider === null ? null : openProvider(provider) }
}
