import { recall, remember } from './stored.ts'

/** Remembers the language of the code cards, and shows it in all cards of the page. */
export function startCodeTabs(): void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('[data-code] > input')]
  const choose = (language: string): void => {
    for (const input of inputs) if (input.value === language) input.checked = true
  }
  const chosen = recall('language')
  if (chosen !== null) choose(chosen)
  for (const input of inputs)
    input.addEventListener('change', () => {
      remember('language', input.value)
      choose(input.value)
    })
}
