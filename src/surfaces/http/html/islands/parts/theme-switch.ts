import { recall, remember } from './stored.ts'

/** The switch in the header. A choice that equals the system's theme is forgotten, so the page follows it again. */
export function startThemeSwitch(): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const systemTheme = (): string => (system.matches ? 'dark' : 'light')
  const show = (theme: string): void => void (document.documentElement.dataset['theme'] = theme)
  for (const button of document.querySelectorAll('[data-theme-switch]'))
    button.addEventListener('click', () => {
      const theme = document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark'
      remember('theme', theme === systemTheme() ? null : theme)
      show(theme)
    })
  system.addEventListener('change', () => {
    if (recall('theme') === null) show(systemTheme())
  })
}
