import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { AppError } from '../../errors/app-error.ts'
import { StartError } from '../../errors/start-error.ts'
import { systemClock } from '../../lib/clock.ts'
import { createGuard } from '../../upstream/guard.ts'
import { ensureBrowserFiles, type BrowserFiles } from './browser-files.ts'
import { describeConfinement, startBrowserProcess } from './browser-process.ts'
import { BROWSER_USER_ID } from './browser-user-id.ts'
import { createBrowser, PageCrashed, type BrowserSettings, type PageBrowser } from './browser.ts'

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/tollgate')
const SEARCH_PATH = process.env['PATH'] ?? ''

describe('browser', () => {
  const guard = createGuard({ allowPrivateNetworks: [] })
  const opened: PageBrowser[] = []
  const visitor = { accountId: 'a', signal: new AbortController().signal }
  const browserWith = (settings: Partial<BrowserSettings> = {}): PageBrowser => {
    const browser = createBrowser({
      guard,
      userAgent: 'Tollgate-Test/1.0',
      concurrency: 2,
      cacheFolder: CACHE,
      searchPath: SEARCH_PATH,
      now: systemClock,
      ...settings,
    })
    opened.push(browser)
    return browser
  }
  const title = (browser: PageBrowser, text: string) =>
    browser.withPage(
      visitor,
      async (page) => (await page.setContent(`<title>${text}</title>`), page.title()),
    )

  after(async () => {
    await Promise.all(opened.map((browser) => browser.close()))
    await guard.close()
  })

  it('starts no process before the first page, and leaves none after closing', async () => {
    const browser = browserWith()
    assert.equal(browser.status().status, 'not started')
    assert.equal(await title(browser, 'one'), 'one')
    assert.equal(browser.status().status, 'ready')
    const leader = processOf(browser)
    assert.ok((await groupOf(leader)).length > 2)
    const stuck = assert.rejects(
      browser.withPage(visitor, async (page) => page.evaluate('for (;;) {}')),
      AppError,
    )
    await browser.close()
    await stuck
    await until(async () => (await groupOf(leader)).length === 0)
    await assert.rejects(
      title(browser, 'two'),
      (error: unknown) => error instanceof AppError && error.code === 'shutting_down',
    )
  })

  it('crashes only the page that exceeds its memory, also outside the script heap', async () => {
    const browser = browserWith({ pageMemoryBytes: 500e6 })
    const fill = (count: number) =>
      browser.withPage(visitor, async (page) =>
        page.evaluate((many) => {
          const kept = Array.from({ length: many }, () => new Uint8Array(1e8).fill(1))
          return new Promise((resolve) => setTimeout(() => resolve(kept.length), many * 1_000))
        }, count),
      )
    const [small] = await Promise.all([fill(1), assert.rejects(fill(10), PageCrashed)])
    assert.equal(small, 1)
  })

  it('fails only the open pages when the browser crashes, and opens the next page', async () => {
    const browser = browserWith()
    await title(browser, 'before')
    const leader = processOf(browser)
    const failing = assert.rejects(
      browser.withPage(visitor, async (page) => {
        process.kill(leader, 'SIGKILL')
        await page.waitForSelector('never')
      }),
      /closed/,
    )
    await failing
    assert.equal(await title(browser, 'after'), 'after')
    assert.notEqual(processOf(browser), leader)
    await until(async () => (await groupOf(leader)).length === 0)
  })

  it('fails only the page that crashes', async () => {
    const browser = browserWith()
    const crashing = browser.withPage(visitor, async (page) => {
      const session = await page.context().newCDPSession(page)
      session.send('Page.crash').catch(() => undefined)
      await new Promise(() => undefined)
    })
    await assert.rejects(crashing, { name: 'PageCrashed' })
    assert.equal(await title(browser, 'after'), 'after')
  })

  it('limits the open pages, each in its own context; others wait or are rejected', async () => {
    const browser = browserWith({ concurrency: 1, maxWaiting: 1 })
    const events: string[] = []
    const first = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const one = browser.withPage(visitor, async (page) => {
      events.push('first in')
      started.resolve()
      await page.context().addCookies([{ name: 'a', value: 'b', url: 'http://example.com' }])
      await first.promise
      events.push('first out')
    })
    await started.promise
    const two = browser.withPage(visitor, async (page) => {
      events.push('second in')
      return page.context().cookies()
    })
    await assert.rejects(
      title(browser, 'third'),
      (error: unknown) => error instanceof AppError && error.code === 'overloaded',
    )
    first.resolve()
    assert.deepEqual(
      [await one, await two, events],
      [undefined, [], ['first in', 'first out', 'second in']],
    )
  })

  it('rejects immediately when the caller aborts, and closes its page', async () => {
    const browser = browserWith({ concurrency: 1 })
    const leaving = new AbortController()
    let isClosed = false
    const left = browser.withPage({ ...visitor, signal: leaving.signal }, async (page) => {
      page.once('close', () => (isClosed = true))
      queueMicrotask(() => leaving.abort())
      await page.waitForSelector('never')
    })
    await assert.rejects(left, { name: 'AbortError' })
    assert.ok(isClosed)
  })

  it('replaces a process after a number of pages, and ends the old one', async () => {
    const browser = browserWith({ pagesPerProcess: 2 })
    await title(browser, 'one')
    const first = processOf(browser)
    await title(browser, 'two')
    await title(browser, 'three')
    await until(async () => (await groupOf(first)).length === 0)
    assert.notEqual(processOf(browser), first)
  })

  it('ends the browser when the gateway is killed', async () => {
    const script = `
      const { createBrowser } = await import('${pathToFileURL(join(import.meta.dirname, 'browser.ts')).href}')
      const { createGuard } = await import('${pathToFileURL(join(import.meta.dirname, '../../upstream/guard.ts')).href}')
      const browser = createBrowser({ guard: createGuard({ allowPrivateNetworks: [] }), userAgent: 'x', concurrency: 1, cacheFolder: ${JSON.stringify(CACHE)}, searchPath: ${JSON.stringify(SEARCH_PATH)}, now: () => Date.now() })
      await browser.withPage({ accountId: 'a', signal: new AbortController().signal }, async () => { console.log(browser.status().detail); await new Promise(() => {}) })`
    const gateway = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(gateway.stdout, 'data')) as [Buffer]
    const leader = leaderIn(String(line))
    assert.ok((await groupOf(leader)).length > 2)
    gateway.kill('SIGKILL')
    await until(async () => (await groupOf(leader)).length === 0)
  })

  it("hides the gateway's environment from the browser", async () => {
    process.env['UPSTREAM_TEST_KEY'] = 'secret'
    const browser = browserWith()
    await title(browser, 'x')
    delete process.env['UPSTREAM_TEST_KEY']
    const names = (await readFile(`/proc/${processOf(browser)}/environ`, 'utf8'))
      .split('\0')
      .map((pair) => pair.split('=')[0])
    assert.deepEqual(
      names.filter((name) => /KEY|DATABASE|TOLLGATE/.test(name ?? '')),
      [],
    )
  })

  /** A shell script in place of the browser that any user may run; \`browser\` is the real one. */
  async function withStandIn(
    script: (browser: string, folder: string) => string,
    use: (files: BrowserFiles, folder: string) => Promise<void>,
  ): Promise<void> {
    const files = await ensureBrowserFiles(CACHE, SEARCH_PATH)
    const folder = await mkdtemp(join(tmpdir(), 'tollgate-stand-in-'))
    try {
      await chmod(folder, 0o777)
      await writeFile(
        join(folder, 'browser'),
        `#!/bin/sh\n${script(files.executablePath, folder)}\n`,
      )
      await chmod(join(folder, 'browser'), 0o755)
      await use({ ...files, executablePath: join(folder, 'browser') }, folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  const sandboxed = { proxyUrl: 'http://127.0.0.1:9', allowUnsandboxed: false }
  const withoutSandbox = (real: string) =>
    `case " $* " in *" --no-sandbox "*) exec '${real}' "$@";; esac\necho 'No usable sandbox!' >&2\nexit 1`

  it('starts the browser again after a crash at the start', () =>
    withStandIn(
      (real, folder) =>
        `if mkdir '${folder}/crashed' 2>/dev/null; then kill -SEGV $$; fi\nexec '${real}' "$@"`,
      async (files, folder) => {
        const started = await startBrowserProcess(files, sandboxed)
        assert.deepEqual((await readdir(folder)).sort(), ['browser', 'crashed'])
        assert.ok(started.browser.isConnected())
        await started.close()
      },
    ))

  it("starts the packaged browser if the system's does not start", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tollgate-other-browser-'))
    const program = join(folder, 'chromium')
    await writeFile(program, '#!/bin/sh\n[ "$1" = --version ] && echo Chromium 1000.0.0.0\n', {
      mode: 0o755,
    })
    const browser = browserWith({ chromiumPath: program })
    assert.equal(await title(browser, 'packaged'), 'packaged')
    await rm(folder, { recursive: true })
  })

  it('starts no browser if the system has no sandbox, and names the setting', () =>
    withStandIn(withoutSandbox, async (files) => {
      await assert.rejects(
        startBrowserProcess(files, sandboxed),
        (error: unknown) =>
          error instanceof StartError &&
          /ALLOW_UNSANDBOXED_BROWSER=true/.test(error.message) &&
          /No usable sandbox/.test(error.message),
      )
    }))

  it('starts without a sandbox if the operator allows it, and reports that', () =>
    withStandIn(withoutSandbox, async (files) => {
      const started = await startBrowserProcess(files, { ...sandboxed, allowUnsandboxed: true })
      assert.equal(started.isSandboxed, false)
      assert.match(describeConfinement(started), /^WITHOUT its sandbox/)
      await started.close()
    }))

  it('runs pages in a sandbox, and no browser process as root', async () => {
    const browser = browserWith()
    await browser.withPage(visitor, async (page) => {
      await page.setContent('<p>x')
      const statuses = await Promise.all(
        (await groupOf(processOf(browser))).map((stat) =>
          readFile(`/proc/${stat.split(' ', 1)[0]}/status`, 'utf8').catch(() => ''),
        ),
      )
      const users = statuses.flatMap(
        (status) => /^Uid:\t(\d+)\t(\d+)\t(\d+)/m.exec(status)?.slice(1) ?? [],
      )
      assert.ok(users.length > 0)
      assert.deepEqual(
        [...new Set(users)],
        [String(process.getuid?.() === 0 ? BROWSER_USER_ID : process.getuid?.())],
      )
      const main = await readFile(`/proc/${processOf(browser)}/status`, 'utf8')
      assert.match(main, /^CapEff:\t0+$/m)
      if (process.getuid?.() === 0) assert.match(main, /^Groups:\t *$/m)
      // In their own process-id namespace, under a filter of system calls.
      assert.ok(
        statuses.some(
          (status) => /^NSpid:\t\d+\t\d+/m.test(status) && /^Seccomp:\t2$/m.test(status),
        ),
      )
    })
    assert.match(browser.status().detail, /with its sandbox/)
  })

  it('removes its profile', async () => {
    const started = await startBrowserProcess(
      await ensureBrowserFiles(CACHE, SEARCH_PATH),
      sandboxed,
    )
    const line = (await readFile(`/proc/${started.processId}/cmdline`, 'utf8')).split('\0')
    const profiles = line.flatMap((word) => /^--user-data-dir=(.+)/.exec(word)?.[1] ?? [])
    assert.ok(profiles.length > 0)
    await started.close()
    assert.deepEqual(
      profiles.filter(
        (path) => existsSync(path) || (dirname(path) !== tmpdir() && existsSync(dirname(path))),
      ),
      [],
    )
  })

  it('shares one copy between concurrent unpackers, and replaces a damaged copy', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tollgate-browser-'))
    try {
      const [one, two] = await Promise.all([
        ensureBrowserFiles(folder, SEARCH_PATH),
        ensureBrowserFiles(folder, SEARCH_PATH),
      ])
      assert.deepEqual(one, two)
      await truncate(one.executablePath, 1_000)
      assert.deepEqual(await ensureBrowserFiles(folder, SEARCH_PATH), one)
      assert.ok((await readFile(one.executablePath)).length > 1_000_000)
      assert.deepEqual(await readdir(folder), [
        dirname(one.executablePath).slice(folder.length + 1),
      ])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

function processOf(browser: PageBrowser): number {
  return leaderIn(browser.status().detail)
}

function leaderIn(detail: string): number {
  return Number(/process (\d+)/.exec(detail)?.[1])
}

/** The live processes of a process group. */
async function groupOf(leader: number): Promise<string[]> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(
    processes.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')),
  )
  // pid (comm) state ppid pgrp
  return stats.filter((stat) => new RegExp(`\\) [^ZX] \\d+ ${leader} `).test(stat))
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + 60_000
  while (!(await condition())) {
    assert.ok(Date.now() < endMs, 'the processes are still there')
    await new Promise((resume) => setTimeout(resume, 20))
  }
}
