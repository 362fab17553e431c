import type { Browser, Locator, Page } from 'playwright'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProblemReport, ReportControl, ReportStep } from '#shared/bridge/problem-report.ts'
import { Admin } from '../e2e/kit/admin.ts'
import { Cable } from '../e2e/kit/cable.ts'
import { connectArgs, startApp, startServer, temporaryFolder } from '../e2e/kit/processes.ts'

/** How long a step waits for what it needs. */
const PATIENCE_MS = 10_000

/** A step that could not be played; `at` is its position in the report, from 1. */
type Unplayed = { readonly at: number; readonly step: ReportStep; readonly why: string }

type Outcome = {
  readonly unplayed: readonly Unplayed[]
  /** How the screen differs from the one at the end of the recording; empty if it shows the same. */
  readonly differences: readonly string[]
  readonly screenshot: Buffer
}

/** Plays a report in a fresh profile of the built app, against a server of its own that has the shape of the report's. */
export async function replay(report: ProblemReport, browser: Browser): Promise<Outcome> {
  const endings: (() => unknown)[] = []
  try {
    const [serverFolder, data] = [temporaryFolder('replay-server'), temporaryFolder('replay')]
    endings.push(
      () => serverFolder.remove(),
      () => data.remove(),
    )
    const server = await startServer(serverFolder.path)
    endings.push(() => server.stop())
    const url = server.ready['url'] ?? ''
    const admin = new Admin(url)
    const cids = await seed(report, admin)
    const cable = await Cable.to(url)
    endings.push(() => cable.end())
    const settings = { ...report.settings, language: report.language, activePeople: false }
    writeFileSync(join(data.path, 'settings.json'), JSON.stringify({ settings }))
    const app = await startApp(data.path, ...(await connectArgs(cable.url, report.me)))
    endings.push(() => app.stop())
    const context = await browser.newContext({ viewport: report.window })
    endings.push(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(app.ready['url'] ?? '')
    const player = new Player({ report, cids, page, admin, cable })
    const unplayed = await player.play()
    return { unplayed, differences: await player.differences(), screenshot: await page.screenshot() }
  } finally {
    for (const end of endings.toReversed()) await end()
  }
}

/** The cids of the report's channels: a direct conversation gets its own from the server. */
type Cids = ReadonlyMap<string, string>

const cidOf = (cids: Cids, id: string): string => cids.get(id) ?? `team:${id}`
const pathOf = (cid: string): string => `/channels/${cid.replace(':', '/')}`

/** The server refuses an empty message; one of files alone gets a letter. */
const textOf = (text: string): string => (text.trim() === '' ? 'x' : text)

async function seed(report: ProblemReport, admin: Admin): Promise<Cids> {
  const { channels, people, me } = report
  const named = new Map(people.map(({ id, name }) => [id, name]))
  const ids = new Set([me, ...named.keys(), ...channels.flatMap(({ members }) => members)])
  await admin.call('POST', '/users', {
    users: Object.fromEntries([...ids].map((id) => [id, { id, name: named.get(id) ?? id }])),
  })
  const cids = new Map<string, string>()
  // Oldest first: the newest conversation was on top.
  for (const { id, type, name, members, messages, direct } of channels.toReversed()) {
    const data = { name, members: [...new Set([me, ...members])], created_by_id: me }
    const path = direct === true ? `/channels/${type}/query` : `/channels/${type}/${id}/query`
    const { channel } = (await admin.call('POST', path, { data, state: false })) as { channel: { cid: string } }
    cids.set(id, channel.cid)
    const posted = new Set<string>()
    for (const { id: message, by, text, thread } of messages) {
      const parent = thread !== undefined && posted.has(thread) ? { parent_id: thread } : {}
      await admin.call(
        'POST',
        `${pathOf(channel.cid)}/message`,
        { message: { id: message, text: textOf(text), ...parent } },
        by,
      )
      posted.add(message)
    }
  }
  return cids
}

type PlayerOptions = {
  readonly report: ProblemReport
  readonly cids: Cids
  readonly page: Page
  readonly admin: Admin
  readonly cable: Cable
}

class Player {
  readonly #report: ProblemReport
  readonly #cids: Cids
  readonly #page: Page
  readonly #admin: Admin
  readonly #cable: Cable
  /** Own messages have other ids here: they are found by their text. */
  readonly #own = new Map<string, string>()

  constructor({ report, cids, page, admin, cable }: PlayerOptions) {
    this.#report = report
    this.#cids = cids
    this.#page = page
    this.#admin = admin
    this.#cable = cable
  }

  async play(): Promise<Unplayed[]> {
    const { channels, start, steps } = this.#report
    if (channels.length > 0) await this.#page.locator('[data-channel-item]').first().waitFor()
    if (start !== undefined) {
      await this.#page.locator(`[data-channel-item="${cidOf(this.#cids, start)}"]`).click()
      await this.#page.locator(`[data-message-list="${cidOf(this.#cids, start)}"][data-settled]`).waitFor()
    }
    const unplayed: Unplayed[] = []
    for (const [index, step] of steps.entries()) {
      try {
        await this.#step(step)
      } catch (error) {
        unplayed.push({ at: index + 1, step, why: String(error).split('\n')[0] ?? '' })
      }
    }
    return unplayed
  }

  /** Waits for the screen of the end of the recording. */
  async differences(): Promise<string[]> {
    const until = performance.now() + PATIENCE_MS
    for (;;) {
      const found = await this.#compare()
      if (found.length === 0 || performance.now() > until) return found
      await this.#page.waitForTimeout(200)
    }
  }

  async #compare(): Promise<string[]> {
    const { lists, heading, dialogs } = this.#report.end
    const seen = await this.#page.evaluate(() => ({
      lists: [...document.querySelectorAll<HTMLElement>('[data-message-list]')].map(
        (each) => each.dataset['messageList'] ?? '',
      ),
      headings: [...document.querySelectorAll<HTMLElement>('h1')].flatMap((each) => {
        if (!each.checkVisibility()) return []
        const spoken = each.cloneNode(true) as HTMLElement
        for (const hidden of spoken.querySelectorAll('[aria-hidden="true"]')) hidden.remove()
        return [each.getAttribute('aria-label') ?? spoken.textContent]
      }),
      dialogs: document.querySelectorAll('dialog[open]').length,
    }))
    const wanted = lists.map(({ channel, thread }) => [cidOf(this.#cids, channel), thread].filter(Boolean).join('/'))
    const packed = (text: string): string => text.replaceAll(/\s+/g, '')
    return [
      ...(seen.lists.toSorted().join() === wanted.toSorted().join()
        ? []
        : [`lists: ${seen.lists.join() || 'none'} instead of ${wanted.join() || 'none'}`]),
      ...(heading === undefined || packed(seen.headings[0] ?? '') === packed(heading)
        ? []
        : [`heading: ${seen.headings[0] ?? 'none'} instead of ${heading}`]),
      ...(seen.dialogs === dialogs ? [] : [`dialogs: ${seen.dialogs} instead of ${dialogs}`]),
    ]
  }

  async #step(step: ReportStep): Promise<void> {
    switch (step.kind) {
      case 'click': {
        if (step.control.inside?.kind === 'message') {
          await this.#scrollTo(step.control.inside.id)
          await this.#inside(step.control)?.hover()
        }
        return this.#find(step.control).click({ button: step.button ?? 'left' })
      }
      case 'type':
        if (step.text === undefined) throw new Error('a password is not in the report')
        return this.#find(step.control).fill(step.text)
      case 'choose':
        return void (await this.#find(step.control).selectOption({ index: step.index }))
      case 'files':
        throw new Error('the files are not in the report')
      case 'key':
        return this.#page.keyboard.press(step.key)
      case 'window':
        return this.#page.setViewportSize({ width: step.width, height: step.height })
      case 'connection':
        if (step.state === 'unhealthy') this.#cable.cut()
        if (step.state === 'healthy') this.#cable.mend()
        return undefined
      case 'message':
        return this.#message(step)
      case 'edited':
        if (step.by === this.#report.me) return undefined
        return void (await this.#admin.call(
          'POST',
          `/messages/${step.id}`,
          { message: { text: textOf(step.text) } },
          step.by,
        ))
      case 'deleted':
        if (step.by === this.#report.me) return undefined
        return void (await this.#admin.call('DELETE', `/messages/${step.id}`, {}, step.by))
      case 'changes':
        return undefined
    }
  }

  /** An own one was sent by the keys and clicks before; that of someone else is sent for them. */
  async #message({ id, by, text, thread, channel }: Extract<ReportStep, { kind: 'message' }>): Promise<void> {
    if (by === this.#report.me) {
      this.#own.set(id, text)
      return this.#row(id).waitFor()
    }
    const path = `${pathOf(cidOf(this.#cids, channel))}/message`
    const parent = thread === undefined ? {} : { parent_id: thread }
    await this.#admin.call('POST', path, { message: { id, text: textOf(text), ...parent } }, by)
  }

  #row(id: string): Locator {
    const text = this.#own.get(id)
    const own = this.#page.locator('[data-message-id]').filter({ hasText: text }).last()
    return text === undefined ? this.#page.locator(`[data-message-id="${id}"]`).first() : own
  }

  /** Scrolling is not recorded: a row that is not drawn is looked for further up. */
  async #scrollTo(id: string): Promise<void> {
    const list = this.#page.locator('[data-message-list]').first()
    if ((await list.count()) === 0) return
    const until = performance.now() + PATIENCE_MS
    while ((await this.#row(id).count()) === 0 && performance.now() < until) {
      await list.evaluate((element) => element.scrollBy(0, -element.clientHeight))
      await this.#page.waitForTimeout(100)
    }
  }

  #inside({ inside }: ReportControl): Locator | undefined {
    if (inside === undefined) return undefined
    if (inside.kind === 'message') return this.#row(inside.id)
    const cid = cidOf(this.#cids, inside.id)
    if (inside.kind === 'channel') return this.#page.locator(`[data-channel-item="${cid}"]`)
    const key = inside.thread === undefined ? cid : `${cid}/${inside.thread}`
    return this.#page.locator(`[data-composer="${key}"]`)
  }

  #find(control: ReportControl): Locator {
    const scope = this.#inside(control)
    const { role, name, nth = 0 } = control
    if (role === undefined) {
      if (scope === undefined) throw new Error('the report does not say where')
      return scope
    }
    const within = scope ?? this.#page
    if (role === 'summary' || role === 'generic') {
      const found = within.locator(role === 'summary' ? 'summary' : GENERIC)
      return (name === undefined ? found : found.filter({ hasText: spaceless(name) })).nth(nth)
    }
    const named = name === undefined ? {} : { name: spaceless(name) }
    return within.getByRole(role as Parameters<Page['getByRole']>[0], named).nth(nth)
  }
}

/** What takes the focus and has no role of its own. */
const GENERIC = '[tabindex]:not([role], button, a, input, textarea, select, summary)'

/** Keys of an action, which stand after its name in a menu and are not in the report. */
const KEYS = String.raw`(?:(?:Ctrl|Control|Shift|Alt|Meta|Enter|Esc|Del|Space|F\d+|\+|[^\p{Ll}\s])\s*){0,5}`

/** A name whatever its spaces: where parts of it meet, the recorder and the browser put them differently. */
function spaceless(name: string): RegExp {
  const letters = Array.from(name.replaceAll(/\s+/g, ''), (letter) =>
    letter.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`),
  )
  return new RegExp(`^\\s*${letters.join(String.raw`\s*`)}\\s*${KEYS}$`, 'u')
}
