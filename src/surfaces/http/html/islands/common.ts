/** Runs on every page: search dialog, theme switch, copy buttons, code tabs, local times, confirmations, double submits. */
import { startCopyButtons } from './parts/copy.ts'
import { startCodeTabs } from './parts/code-tabs.ts'
import { startSearch } from './parts/search/start-search.ts'
import { guardForms } from './parts/send-once.ts'
import { showSession } from './parts/session.ts'
import { fillTestKey } from './parts/test-key.ts'
import { startThemeSwitch } from './parts/theme-switch.ts'
import { startTimes } from './parts/times.ts'
import { fadeToasts } from './parts/toasts.ts'

startSearch()
startThemeSwitch()
startCopyButtons()
startCodeTabs()
fillTestKey()
startTimes()
fadeToasts()
guardForms()
showSession()
