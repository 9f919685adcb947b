import type { Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout.ts'

/** The layout of the sign-in and account pages. `script`: a file in /assets. */
export function signInLayout(site: Site, title: string, main: Html, script?: string): string {
  return layout(site, {
    path: '/account',
    title,
    description: 'Sign in to see your balance and calls, and to manage keys.',
    unlisted: true,
    main,
    ...(script === undefined ? {} : { script }),
  })
}
