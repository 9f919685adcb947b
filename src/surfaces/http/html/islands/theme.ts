/**
 * Sets the theme before the first paint, so it never flashes. Loaded as a classic script in the head, so
 * it has no imports or exports.
 */
;(() => {
  const root = document.documentElement
  root.dataset['script'] = ''
  try {
    const theme = localStorage.getItem('tollgate.theme')
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
    root.dataset['theme'] = theme === 'light' || theme === 'dark' ? theme : system
  } catch {
    // The browser blocks storage: the theme follows the system.
  }
})()
