/** Runs the call of a playground, and shows its response. The form and the code tabs work together. */
import { PlayCode } from './parts/play/play-code.ts'
import { PlayForm } from './parts/play/play-form.ts'
import { PlayPrice } from './parts/play/play-price.ts'
import { newOnce, sendCall, type CallName, type Mode, type Sent } from './parts/play/send-call.ts'
import { showAnswer } from './parts/play/show-answer.ts'
import { showFailure, showSignIn } from './parts/play/show-failure.ts'
import { jobOf, watchJob } from './parts/play/watch-job.ts'

function start(root: HTMLElement): void {
  const formElement = root.querySelector<HTMLFormElement>('form[data-fields]')
  const answer = root.querySelector<HTMLElement>('[data-play-answer]')
  const status = root.querySelector<HTMLElement>('[data-play-status]')
  const button = root.querySelector<HTMLButtonElement>('[data-play-run]')
  if (formElement === null || answer === null || status === null || button === null) return
  const call: CallName = {
    service: root.dataset['service'] ?? '',
    action: root.dataset['action'] ?? '',
  }
  const form = new PlayForm(formElement)
  const code = new PlayCode(root, call)
  const price = new PlayPrice(root, call)
  // One key per attempt: a repeated click, or a retry after a lost connection, is charged once.
  let once = newOnce()
  let running = false

  const { unknown, rejected } = form.prefill(location.search)
  const changed = (): void => {
    const { input, errors } = form.read()
    once = newOnce()
    code.show(input)
    price.update(Object.keys(errors).length === 0 ? input : null)
  }
  changed()
  const notes = [
    ...(unknown.length === 0
      ? []
      : [`This form has no field for ${unknown.join(', ')}, so the call leaves it out.`]),
    ...(rejected.length === 0
      ? []
      : [`The link has a value for ${rejected.join(', ')} that its field cannot hold. Check it.`]),
  ]
  if (notes.length > 0) showFailure(root, notes.join(' '))
  formElement.addEventListener('input', changed)
  for (const choice of root.querySelectorAll<HTMLInputElement>('[name="play-mode"]'))
    choice.addEventListener('change', changed)

  formElement.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!running) void run()
  })
  formElement.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    formElement.requestSubmit(button)
  })

  async function run(): Promise<void> {
    const { input, errors } = form.read()
    showFailure(root, '')
    const fault = form.showErrors(errors)
    if (fault !== null) return fault.focus()
    const { mode, priceId } = price
    // The request for the price failed or is in progress: ask again.
    if (mode === 'live' && priceId === null) return changed()
    running = true
    price.setRunning(true)
    try {
      const body = mode === 'live' ? { ...input, price_id: priceId } : input
      await finish(mode, await sendCall(mode, call, body, { once }))
      once = newOnce()
    } catch {
      showFailure(
        root,
        'The gateway could not be reached. Check your connection, then run it again: a call that arrived is not charged twice.',
      )
    }
    running = false
    price.setRunning(false)
  }

  async function finish(mode: Mode, sent: Sent): Promise<void> {
    if (status === null || answer === null) return
    if (sent.status === 401) return showSignIn(root)
    showAnswer(answer, mode, sent)
    const error = sent.body?.error
    if (error !== undefined) {
      const name = form.fieldOf(error.param)
      const text = `${error.message} ${error.fix}`
      if (name === null) showFailure(root, text)
      else form.showErrors({ [name]: text })?.focus()
      // The amounts may have changed.
      if (error.code === 'price_changed') changed()
    }
    const jobId = jobOf(sent.body?.data)
    if (jobId === null) return
    const end = await watchJob(status, mode, jobId)
    showAnswer(answer, mode, end)
    showFailure(root, end.failure)
  }
}

for (const root of document.querySelectorAll<HTMLElement>('[data-play]')) start(root)
