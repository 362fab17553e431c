import { EventEmitter } from 'node:events'
import { answerOf, record } from './record.ts'

/** Parts of the system that tests only look at, or make speak: `nativeTheme.emit('updated')`. */
class Notification extends EventEmitter {
  static latest: Notification | undefined
  static isSupported(): boolean {
    return answerOf('Notification.isSupported', true)
  }
  static handleActivation(handler: unknown): void {
    record('Notification.handleActivation', handler)
  }
  static getHistory(): Promise<Notification[]> {
    return Promise.resolve(answerOf<Notification[]>('Notification.getHistory', []))
  }
  readonly options: unknown
  constructor(options: unknown) {
    super()
    this.options = options
    Notification.latest = this
  }
  get id(): unknown {
    return (this.options as { readonly id?: unknown }).id
  }
  show(): void {
    record('Notification.show', this.options)
    this.emit('show')
  }
  close(): void {
    record('Notification.close', this.options)
    this.emit('close')
  }
}

class Tray extends EventEmitter {
  constructor(image: unknown) {
    super()
    record('new Tray', image)
  }
  setImage(image: unknown): void {
    record('Tray.setImage', image)
  }
  setToolTip(text: string): void {
    record('Tray.setToolTip', text)
  }
  setContextMenu(menu: unknown): void {
    record('Tray.setContextMenu', menu)
  }
  destroy(): void {
    record('Tray.destroy')
  }
}

const area = { x: 0, y: 0, width: 1_920, height: 1_080 }

const display = { id: 1, bounds: area, workArea: area, scaleFactor: 1 }

export const recorders = {
  Notification,
  Tray,
  nativeImage: { createFromPath: (path: string) => ({ path, setTemplateImage: () => undefined }) },
  globalShortcut: {
    register(accelerator: string) {
      record('globalShortcut.register', accelerator)
      return answerOf('globalShortcut.register', true)
    },
    unregister: (accelerator: string) => record('globalShortcut.unregister', accelerator),
  },
  Menu: {
    buildFromTemplate: (template: unknown) => ({ template, popup: () => record('Menu.popup', { template }) }),
    setApplicationMenu: (menu: unknown) => record('Menu.setApplicationMenu', menu),
  },
  dialog: {
    showMessageBox(options: unknown) {
      record('dialog.showMessageBox', options)
      return Promise.resolve(answerOf('dialog.showMessageBox', { response: 0, checkboxChecked: false }))
    },
  },
  shell: {
    openPath(path: string) {
      record('shell.openPath', path)
      return Promise.resolve(answerOf('shell.openPath', ''))
    },
    showItemInFolder: (path: string) => record('shell.showItemInFolder', path),
  },
  screen: Object.assign(new EventEmitter(), { getAllDisplays: () => [display], getDisplayMatching: () => display }),
  nativeTheme: Object.assign(new EventEmitter(), {
    get shouldUseDarkColors() {
      return answerOf('nativeTheme.shouldUseDarkColors', false)
    },
  }),
  autoUpdater: new EventEmitter(),
  powerMonitor: Object.assign(new EventEmitter(), {
    onBatteryPower: false,
    getSystemIdleTime: () => answerOf('powerMonitor.getSystemIdleTime', 0),
  }),
}
