import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Desktop } from './kit/desktop.ts'
import { Dictionaries } from './kit/dictionary.ts'
import { holdKeys } from './kit/keyboard.ts'
import { CID, expect, Parlor, test } from './kit/parlor.ts'

const KEYS = ['Ctrl', 'Shift', 'K']
const LEARN = 'Add to dictionary'
const TAKEN = 'The system or another app already uses this shortcut. Choose another one.'
/** Nothing else is spelled correctly. No two of one language begin with the same letter. */
const WORDS = { en: ['a', 'good', 'is', 'this', 'word'], pl: ['dobre', 'to'] }

test('a shortcut of another program, spelling in chosen languages and added words, before and after a restart', async ({
  desktop,
}) => {
  const display = desktop.env['DISPLAY'] ?? ''
  const dictionaries = await Dictionaries.serve(WORDS)
  const first = await start(desktop, dictionaries)

  await test.step('a global shortcut that another program holds is refused with a clear message', async () => {
    const release = await holdKeys(display, KEYS)
    await openDesktopPage(first)
    await choose(first)
    await expect(first.page.getByRole('main').getByRole('alert')).toHaveText(TAKEN)
    expect(shortcutOf(first)).toBe('')
    release()
  })

  await test.step('once it is free it can be chosen', async () => {
    // The X server may need some time to release it.
    await expect(async () => {
      await choose(first)
      await expect(first.page.getByRole('main').getByRole('alert')).toBeHidden({ timeout: 500 })
    }).toPass()
    expect(shortcutOf(first)).toBe('Mod+Shift+K')
    const isHeld = () => first.app.evaluate(({ globalShortcut }) => globalShortcut.isRegistered('Control+Shift+K'))
    await expect.poll(isHeld).toBe(true)
    await first.page.keyboard.press('Escape')
  })

  await test.step('no dictionary is loaded, and nothing is checked, before a language is chosen', async () => {
    await type(first, 'good')
    expect(await menuAfter(first, 'good wr')).not.toContain(LEARN)
    expect(dictionaries.asked).toEqual([])
    const { spelling } = await first.call<{ spelling: { languages: readonly string[] } }>('desktop.state', undefined)
    expect(spelling.languages).toEqual(expect.arrayContaining(['en-US', 'pl', 'ru']))
  })

  await test.step('in a chosen language a misspelled word has suggestions, and one of them replaces it', async () => {
    await first.chooseDesktop({ shortcut: 'Mod+Shift+K', spelling: ['en-US'] })
    expect(await menuOver(first, 'good')).not.toContain(LEARN)
    expect(dictionaries.asked).toEqual(['en'])
    expect(await menuOver(first, 'dobre')).toContain(LEARN)
    expect(await menuAfter(first, 'dobre wr')).toContain('word')
    await pressInMenu(first, 'word')
    await expect(first.screen.composer(CID)).toHaveValue('dobre word a')
  })

  await test.step('a second language is checked as well', async () => {
    await first.chooseDesktop({ shortcut: 'Mod+Shift+K', spelling: ['en-US', 'pl'] })
    await expect.poll(() => menuOver(first, 'dobre')).not.toContain(LEARN)
    expect(dictionaries.asked).toEqual(['en', 'pl'])
  })

  await test.step('a word that is added is not marked anymore', async () => {
    expect(await menuOver(first, 'tomorow')).toContain(LEARN)
    await pressInMenu(first, LEARN)
    await expect.poll(() => menuOver(first, 'tomorow')).not.toContain(LEARN)
  })

  await first.screen.composer(CID).fill('')
  await first.quit()
  const release = await holdKeys(display, KEYS)
  const second = await start(desktop, dictionaries)
  await test.step('after a restart the languages and the word are known, and nothing is loaded again', async () => {
    expect(await menuOver(second, 'tomorow')).not.toContain(LEARN)
    expect(await menuOver(second, 'dobre')).not.toContain(LEARN)
    expect(dictionaries.asked).toEqual(['en', 'pl'])
  })

  await test.step('the settings report a shortcut that another program has taken meanwhile', async () => {
    await openDesktopPage(second)
    await expect(second.page.getByRole('main').getByRole('alert')).toHaveText(TAKEN)
    expect(shortcutOf(second)).toBe('Mod+Shift+K')
  })

  await second.quit()
  release()
  dictionaries.stop()
  expect([...first.screen.complaints, ...second.screen.complaints]).toEqual([])
})

/** With the dictionaries of the test instead of those of a public server. */
async function start(desktop: Desktop, { url }: Dictionaries): Promise<Parlor> {
  const parlor = await Parlor.start(desktop, 'choices')
  await parlor.app.evaluate(({ Menu, session }, from) => {
    session.defaultSession.setSpellCheckerDictionaryDownloadURL(from)
    const popup = function popup(this: Electron.Menu): void {
      ;(globalThis as unknown as { shown: Electron.Menu }).shown = this
    }
    Menu.prototype.popup = popup
  }, url)
  return parlor
}

async function openDesktopPage({ page }: Parlor): Promise<void> {
  await page.keyboard.press('Control+,')
  await page.getByRole('navigation').getByRole('link', { name: 'App and system', exact: true }).click()
  await page.getByText(/^More: /).click()
}

async function choose({ page }: Parlor): Promise<void> {
  await page.getByRole('button', { name: 'Set shortcut: Global shortcut' }).click()
  await page.keyboard.press('Control+Shift+K')
}

const shortcutOf = ({ data }: Parlor): string => {
  type Stored = { readonly settings?: { readonly desktop?: { readonly shortcut?: string } } }
  const { settings } = JSON.parse(readFileSync(join(data, 'settings.json'), 'utf8')) as Stored
  return settings?.desktop?.shortcut ?? ''
}

/**
 * What the context menu of the composer offers over this word, once the text was checked: a misspelled word is behind
 * it. The system does not draw the menu.
 */
async function menuOver(parlor: Parlor, word: string): Promise<readonly string[]> {
  await type(parlor, word)
  await expect.poll(() => menuAfter(parlor, `${word} wr`)).toContain(LEARN)
  return menuAfter(parlor, word.slice(0, 2))
}

async function type({ screen }: Parlor, word: string): Promise<void> {
  const field = screen.composer(CID)
  await field.fill('')
  // A word is checked when the next one begins.
  await field.pressSequentially(`${word} wrod a`)
}

/** The menu where this text ends. */
async function menuAfter({ app, screen }: Parlor, text: string): Promise<readonly string[]> {
  await app.evaluate(() => void ((globalThis as { shown?: unknown }).shown = undefined))
  const field = screen.composer(CID)
  const x = await field.evaluate((element, before) => {
    const { font, paddingLeft } = getComputedStyle(element)
    const canvas = document.createElement('canvas').getContext('2d')
    if (canvas) canvas.font = font
    return Number.parseFloat(paddingLeft) + (canvas?.measureText(before).width ?? 0)
  }, text)
  await field.click({ button: 'right', position: { x, y: 12 } })
  const labels = () =>
    app.evaluate(() => (globalThis as { shown?: Electron.Menu }).shown?.items.map(({ label }) => label) ?? [])
  await expect.poll(labels).toContain('Paste')
  return labels()
}

const pressInMenu = ({ app }: Parlor, label: string): Promise<void> =>
  app.evaluate((_electron, pressed) => {
    const menu = (globalThis as { shown?: Electron.Menu }).shown
    menu?.items.find((item) => item.label === pressed)?.click()
  }, label)
