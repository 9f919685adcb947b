import type { Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'

/** The layout of the sign-in and account pages. `island`: a file in html/islands. */
export function signInLayout(site: Site, title: string, main: Html, island?: string): string {
  return layout(site, {
    path: '/account',
    title,
    description: 'Sign in to see your balance and calls, and to manage keys.',
    unlisted: true,
    main,
    ...(island === undefined ? {} : { islands: [island] }),
  })
}
