/** Runs on every page: theme switch, copy buttons, code tabs, local times, confirmations, double submits. */
import { startCopyButtons } from './parts/copy.ts'
import { startCodeTabs } from './parts/code-tabs.ts'
import { guardForms } from './parts/send-once.ts'
import { showSession } from './parts/session.ts'
import { fillTestKey } from './parts/test-key.ts'
import { startThemeSwitch } from './parts/theme-switch.ts'
import { startTimes } from './parts/times.ts'
import { fadeToasts } from './parts/toasts.ts'

startThemeSwitch()
startCopyButtons()
startCodeTabs()
fillTestKey()
startTimes()
fadeToasts()
guardForms()
showSession()
