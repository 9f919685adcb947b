/** The credit page: the sum on the button for another amount, and printing of receipts. */
for (const form of document.querySelectorAll<HTMLFormElement>('[data-buy]')) {
  const amount = form.querySelector<HTMLInputElement>('[name=amount]')
  const sum = form.querySelector<HTMLElement>('[data-sum]')
  const show = (): void => {
    if (amount === null || sum === null) return
    const dollars = Number(amount.value.replaceAll(/[$,\s]/g, ''))
    sum.textContent =
      amount.value.trim() === '' || !Number.isFinite(dollars) || dollars <= 0
        ? 'this amount'
        : `$${dollars.toFixed(2)}`
  }
  amount?.addEventListener('input', show)
  form.addEventListener('change', () => {
    if (form.querySelector<HTMLInputElement>('[name=pack]:checked')?.value === 'other')
      amount?.focus()
  })
  show()
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-print]'))
  button.addEventListener('click', () => window.print())
