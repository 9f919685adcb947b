import type { Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout.ts'

/** A page about signing in. `script`: a file of /assets that it runs. */
export function signInLayout(site: Site, title: string, main: Html, script?: string): string {
  return layout(site, {
    path: '/account',
    title,
    description: 'Sign in to see the balance and every call, and to manage keys.',
    unlisted: true,
    main,
    ...(script === undefined ? {} : { script }),
  })
}
