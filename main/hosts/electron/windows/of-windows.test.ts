import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app, BrowserWindow, nativeTheme, screen } from 'electron'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_DESKTOP } from '#shared/domain/desktop/desktop.ts'
import type { Closing } from '#shared/rules/desktop/desktop.ts'
import { answer, callsTo, forgetAll } from '#kit/electron-stub/record.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { confFile } from '#main/hosts/node/settings-file.ts'
import { openSettings } from '#main/settings/store.ts'
import { APP_PAGE, SAFE_PAGE } from '../../rules/pages/serving.ts'
import { keepOnScreen, readStoredGraphics, readStoredTheme, electronTheme } from './window-state.ts'
import { electronEnding, watchClosing } from '../desktop/ending.ts'
import { electronDownloads } from '../downloads.ts'
import { recover, electronZoom } from './windows.ts'

/** Closing, quitting, crashes, zoom and downloads of windows. Electron is the kit's stub. */
beforeEach(forgetAll)
afterEach(() => {
  for (const window of BrowserWindow.getAllWindows()) window.destroy()
  app.removeAllListeners()
})

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve()
}
/** Members that only the kit's windows have. */
type Kit = {
  close: () => boolean
  visible: boolean
  focused: boolean
  emit(event: string, ...args: unknown[]): boolean
}
const kit = (window: BrowserWindow): Kit => window as unknown as Kit
const emitEvent = (part: object, event: string, ...args: unknown[]): boolean => (part as Kit).emit(event, ...args)
const emitContents = (window: BrowserWindow, event: string, ...args: unknown[]): boolean =>
  emitEvent(window.webContents, event, {}, ...args)

describe('closing a window', () => {
  function closable(decide: () => Closing, isLast = true, { isEnding = false, mustAsk = false } = {}) {
    const answers: string[] = []
    const ending = { isEnding: () => isEnding, mustAsk: () => mustAsk }
    const watch = watchClosing({ isLast: () => isLast, translate: (key) => key, ending })
    watch.set(decide, (chosen) => void answers.push(chosen))
    const window = new BrowserWindow()
    watch.watch(window)
    return { window, answers }
  }

  test('hides the last one where that was chosen, and closes any other', () => {
    const { window } = closable(() => 'tray')
    expect(kit(window).close()).toBe(false)
    expect(kit(window).visible).toBe(false)
    expect(kit(closable(() => 'quit').window).close()).toBe(true)
    expect(kit(closable(() => 'tray', false).window).close()).toBe(true)
  })

  test('shows one dialog at a time; the answer is stored and applied', async () => {
    const { window, answers } = closable(() => 'ask')
    expect(kit(window).close()).toBe(false)
    expect(kit(window).close()).toBe(false)
    await settled()
    expect(callsTo('dialog.showMessageBox').length).toBe(1)
    expect(answers).toEqual(['tray'])
    expect(kit(window).visible).toBe(false)
    answer('dialog.showMessageBox', { response: 1 })
    const other = closable(() => 'ask')
    kit(other.window).close()
    await settled()
    expect(other.answers).toEqual(['quit'])
    expect(callsTo('app.quit').length).toBe(1)
  })

  test('shows no dialog while Parlor quits or the device shuts down', () => {
    const first = closable(() => 'tray')
    kit(first.window).emit('session-end', {})
    expect(kit(first.window).close()).toBe(true)
    const second = closable(() => 'ask', true, { isEnding: true })
    expect(kit(second.window).close()).toBe(true)
    expect(callsTo('dialog.showMessageBox')).toEqual([])
  })
})

/** Emits `before-quit`; returns whether no handler prevented it. */
function quits(): boolean {
  let prevented = false
  app.emit('before-quit', { preventDefault: () => (prevented = true) })
  return !prevented
}

describe('quitting', () => {
  function endable(mustAsk: boolean, ends = true) {
    const seen = { asked: 0, stopped: 0 }
    const ending = electronEnding(new ManualClock(), (error) => expect(error).toBeUndefined())
    ending.set({
      mustAsk: () => mustAsk,
      ask: () => ((seen.asked += 1), Promise.resolve(ends)),
      closing: () => undefined,
      stop: () => Promise.resolve(void (seen.stopped += 1)),
    })
    return { ending, seen }
  }

  test('waits until everything is closed, once, and then quits', async () => {
    const { seen, ending } = endable(false)
    expect(quits()).toBe(false)
    expect(quits()).toBe(false)
    await settled()
    expect(seen).toEqual({ asked: 0, stopped: 1 })
    expect(callsTo('app.quit').length).toBe(1)
    expect(ending.isEnding()).toBe(true)
    expect(quits()).toBe(true)
  })

  test('waits for its windows, which save what was typed last, but not for one that hangs', async () => {
    const order: string[] = []
    const clock = new ManualClock()
    const ending = electronEnding(clock, (error) => expect(error).toBeUndefined())
    ending.set({
      mustAsk: () => false,
      ask: () => Promise.resolve(true),
      closing: () => order.push('closing'),
      stop: () => Promise.resolve(void order.push('stop')),
    })
    new BrowserWindow().once('closed', () => order.push('closed'))
    const hangs = new BrowserWindow()
    kit(hangs).close = () => false
    quits()
    await settled()
    expect(order).toEqual(['closing', 'closed'])
    await clock.advance(2_000)
    expect(order).toEqual(['closing', 'closed', 'stop'])
    expect(clock.pending).toBe(0)
  })

  test('shows a dialog during transfers, and can be canceled and requested again', async () => {
    const { seen, ending } = endable(true, false)
    expect(quits()).toBe(false)
    await settled()
    expect({ ...seen }).toEqual({ asked: 1, stopped: 0 })
    expect(ending.isEnding()).toBe(false)
    expect(quits()).toBe(false)
    await settled()
    expect(seen).toEqual({ asked: 2, stopped: 0 })
  })

  test('shows no dialog at a shutdown, even while one is open', async () => {
    const { seen, ending } = endable(true, false)
    ending.endAtOnce()
    quits()
    await settled()
    expect(seen).toEqual({ asked: 0, stopped: 1 })
  })

  test('runs the last step it was given instead of a plain exit', async () => {
    const { ending } = endable(false)
    let installed = 0
    const result = ending.begin(() => void (installed += 1))
    quits()
    expect(await result).toBe(true)
    await settled()
    expect(installed).toBe(1)
    expect(callsTo('app.quit').length).toBe(1)
  })

  test('by closing the last window during transfers keeps the window open', () => {
    const { window } = (() => {
      const ending = { isEnding: () => false, mustAsk: () => true }
      const watch = watchClosing({ isLast: () => true, translate: (key) => key, ending })
      watch.set(
        () => 'quit',
        () => {},
      )
      const last = new BrowserWindow()
      watch.watch(last)
      return { window: last }
    })()
    expect(kit(window).close()).toBe(false)
    expect(callsTo('app.quit').length).toBe(1)
  })
})

describe('a page', () => {
  function watched() {
    const clock = new ManualClock()
    const window = new BrowserWindow()
    recover(window, { clock, log: silent, translate: (key) => key })
    const dies = (): void => void emitContents(window, 'render-process-gone', { reason: 'crashed', exitCode: 1 })
    return { clock, window, dies }
  }

  test('that crashes is reloaded at once; the third time in a minute the safe page replaces it', () => {
    const { window, dies } = watched()
    dies()
    dies()
    expect(callsTo('reload').length).toBe(2)
    expect(callsTo('loadURL')).toEqual([])
    ;(window.webContents as unknown as { url: string }).url = `${APP_PAGE}?thread=1`
    dies()
    expect(callsTo('loadURL')).toEqual([[`${SAFE_PAGE}?thread=1`]])
  })

  test('that crashes now and then is only reloaded', async () => {
    const { clock, dies } = watched()
    for (let time = 0; time < 6; time += 1) {
      dies()
      await clock.advance(40_000)
    }
    expect(callsTo('reload').length).toBe(6)
    expect(callsTo('loadURL')).toEqual([])
  })

  test('that ended normally is left alone', () => {
    const { window } = watched()
    emitContents(window, 'render-process-gone', { reason: 'clean-exit', exitCode: 0 })
    expect(callsTo('reload')).toEqual([])
  })

  test('shows a dialog when the safe page crashes too', async () => {
    const { window, dies } = watched()
    dies()
    dies()
    ;(window.webContents as unknown as { url: string }).url = SAFE_PAGE
    dies()
    await settled()
    expect(callsTo('dialog.showMessageBox')).toMatchObject([[{ buttons: ['crash.reload', 'crash.quit'] }]])
    expect(callsTo('reload').length).toBe(3)
  })

  test('that hangs shows a dialog after ten seconds: wait, or reload', async () => {
    const { clock, window } = watched()
    window.emit('unresponsive')
    await clock.advance(9_000)
    expect(callsTo('dialog.showMessageBox')).toEqual([])
    await clock.advance(1_000)
    await settled()
    expect(callsTo('dialog.showMessageBox')).toMatchObject([[{ buttons: ['hang.wait', 'hang.reload'] }]])
    expect(callsTo('forcefullyCrashRenderer')).toEqual([])
    answer('dialog.showMessageBox', { response: 1 })
    window.emit('unresponsive')
    await clock.advance(10_000)
    await settled()
    expect(callsTo('forcefullyCrashRenderer').length).toBe(1)
  })

  test('that responds again in time shows no dialog, nor one that was closed', async () => {
    const { clock, window } = watched()
    window.emit('unresponsive')
    await clock.advance(5_000)
    window.emit('responsive')
    await clock.advance(60_000)
    window.emit('unresponsive')
    window.destroy()
    await clock.advance(60_000)
    expect(callsTo('dialog.showMessageBox')).toEqual([])
    expect(clock.pending).toBe(0)
  })
})

test('a window on a removed display moves to another display; others stay where they are', () => {
  const away = new BrowserWindow()
  const here = new BrowserWindow()
  const closed = new BrowserWindow()
  for (const window of [away, here, closed]) keepOnScreen(window)
  away.setBounds({ x: 4_000, y: 200, width: 900, height: 2_000 })
  closed.setBounds({ x: 4_000, y: 200, width: 900, height: 2_000 })
  closed.destroy()
  emitEvent(screen, 'display-removed')
  expect(away.getBounds()).toEqual({ x: 510, y: 0, width: 900, height: 1_080 })
  expect(here.getBounds()).toEqual({ x: 0, y: 0, width: 800, height: 600 })
  expect(closed.getBounds()).toEqual({ x: 4_000, y: 200, width: 900, height: 2_000 })
})

describe('with a data folder', () => {
  let folder: string
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'parlor-windows-'))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('the zoom is stored for each display scale', async () => {
    const window = new BrowserWindow()
    const factors = (): unknown[] => callsTo('setZoomFactor').map(([factor]) => factor)
    electronZoom(folder).step(1)
    expect(factors()).toEqual([1.1])
    await expect.poll(() => readFileSync(join(folder, 'zoom.json'), 'utf8')).toContain('1.1')
    forgetAll()
    const zoom = electronZoom(folder)
    zoom.watch(window)
    emitContents(window, 'did-finish-load')
    expect(factors()).toEqual([1.1])
    const display = screen.getDisplayMatching({ x: 0, y: 0, width: 1, height: 1 })
    const before = display.scaleFactor
    display.scaleFactor = 2
    window.emit('moved')
    zoom.step('actual')
    display.scaleFactor = before
    window.emit('moved')
    expect(factors()).toEqual([1.1, 1, 1, 1.1])
    // Both are written before the folder is removed.
    await expect
      .poll(() => Object.values(JSON.parse(readFileSync(join(folder, 'zoom.json'), 'utf8'))))
      .toEqual([1.1, 1])
  })

  test('theme and graphics settings are read before the settings service starts', () => {
    const stored = (content: string): string => {
      writeFileSync(join(folder, 'settings.json'), content)
      return readStoredTheme(folder)
    }
    expect(readStoredTheme(folder)).toBe('system')
    expect(readStoredGraphics(folder)).toBe(true)
    openSettings(folder, () => {}, confFile).update({ theme: 'dark', desktop: { ...DEFAULT_DESKTOP, graphics: false } })
    expect(readStoredTheme(folder)).toBe('dark')
    expect(readStoredGraphics(folder)).toBe(false)
    expect(stored('{"settings":{"theme":"pink"}}')).toBe('system')
    expect(stored('null')).toBe('system')
    expect(stored('{')).toBe('system')
  })

  function aDownload(url: string, name: string) {
    const notified: string[] = []
    const listeners = new Map<string, (event: object, state: string) => void>()
    const hear = (event: string, fn: (event: object, state: string) => void): void => {
      const before = listeners.get(event)
      listeners.set(event, (...args) => (before?.(...args), fn(...args)))
    }
    const facts = { savePath: '', received: 0, total: 0, canResume: false }
    const item = {
      on: hear,
      getSavePath: () => facts.savePath,
      getReceivedBytes: () => facts.received,
      getTotalBytes: () => facts.total,
      canResume: () => facts.canResume,
      resume: () => void notified.push('resume'),
      cancel: () => void notified.push('cancel'),
      getURL: () => url,
      getFilename: () => name,
      setSavePath: (path: string) => void notified.push(path),
      setSaveDialogOptions: ({ defaultPath }: { defaultPath: string }) => void notified.push(`ask ${defaultPath}`),
      once: hear,
    }
    let prevented = false
    const event = { preventDefault: () => (prevented = true) }
    return {
      item,
      event,
      notified,
      facts,
      wasPrevented: () => prevented,
      updates: (state: string) => listeners.get('updated')?.({}, state),
      ends: (state: string) => listeners.get('done')?.({}, state),
    }
  }

  test('downloads are listed with progress and outcome, and can be resumed or started again', () => {
    const downloads = electronDownloads(silent, new ManualClock())
    const { session } = new BrowserWindow().webContents
    downloads.watch(session)
    const start = (name: string, total: number) => {
      const one = aDownload(`blob:app://main/${name}`, name)
      one.facts.total = total
      one.facts.savePath = join(folder, name)
      emitEvent(session, 'will-download', one.event, one.item)
      return one
    }
    const lines = () => downloads.list().map(({ name, state, receivedBytes }) => `${name} ${state} ${receivedBytes}`)
    const whole = start('whole.txt', 5)
    const short = start('short.txt', 5)
    const line = start('line.txt', 5)
    line.facts.received = 2
    writeFileSync(join(folder, 'whole.txt'), '12345')
    writeFileSync(join(folder, 'short.txt'), '123')
    whole.ends('completed')
    short.ends('completed')
    line.updates('interrupted')
    expect(lines()).toEqual(['line.txt broken 2', 'short.txt broken 0', 'whole.txt done 5'])
    line.facts.canResume = true
    downloads.retry('3')
    downloads.retry('2')
    expect(line.notified.at(-1)).toBe('resume')
    expect(callsTo('downloadURL')).toEqual([['blob:app://main/short.txt']])
    expect(downloads.pathOf('1')).toEqual(join(folder, 'whole.txt'))
    expect(downloads.pathOf('3')).toBeUndefined()
    downloads.cancel('3')
    line.ends('cancelled')
    expect(line.notified.at(-1)).toBe('cancel')
    expect(lines()).toEqual(['whole.txt done 5'])
    downloads.clear()
    expect(lines()).toEqual([])
  })

  test('a download is saved in the folder under a free name; without a folder, or its drive, a dialog asks', () => {
    const downloads = electronDownloads(silent, new ManualClock())
    const { session } = new BrowserWindow().webContents
    downloads.watch(session)
    const start = (name: string) => {
      const one = aDownload('blob:app://main/1', name)
      emitEvent(session, 'will-download', one.event, one.item)
      return one
    }
    expect(start('a.txt').notified).toEqual(['ask /home/ola/downloads/a.txt'])
    downloads.into(folder)
    writeFileSync(join(folder, 'a.txt'), 'there')
    const first = start('a.txt')
    const second = start('a.txt')
    expect(first.notified).toEqual([join(folder, 'a (2).txt')])
    expect(second.notified).toEqual([join(folder, 'a (3).txt')])
    first.ends('interrupted')
    expect(start('a.txt').notified).toEqual([join(folder, 'a (2).txt')])
    downloads.into(join(folder, 'gone'))
    expect(start('b.txt').notified).toEqual(['ask /home/ola/downloads/b.txt'])
    const foreign = aDownload('https://example.org/x.exe', 'x.exe')
    emitEvent(session, 'will-download', foreign.event, foreign.item)
    expect(foreign.wasPrevented()).toBe(true)
    expect(foreign.notified).toEqual([])
  })
})

test.each([
  ['system', 'system'],
  ['hc-dark', 'dark'],
  ['light', 'light'],
] as const)('menus and dialogs of the system follow the theme %s', (theme, source) => {
  electronTheme.set(theme)
  expect(nativeTheme.themeSource).toBe(source)
})
