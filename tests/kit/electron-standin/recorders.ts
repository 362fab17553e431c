import { EventEmitter } from 'node:events'
import { answerOf, record } from './record.ts'

/** Parts of the system that tests only look at, or make speak: `nativeTheme.emit('updated')`. */
class Notification extends EventEmitter {
  static isSupported(): boolean {
    return answerOf('Notification.isSupported', true)
  }
  readonly options: unknown
  constructor(options: unknown) {
    super()
    this.options = options
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

const area = { x: 0, y: 0, width: 1_920, height: 1_080 }

const sealed = (text: string): Buffer => Buffer.from(`sealed:${text}`)

export const recorders = {
  Notification,
  Menu: {
    buildFromTemplate: (template: unknown) => ({ template }),
    setApplicationMenu: (menu: unknown) => record('Menu.setApplicationMenu', menu),
  },
  dialog: {
    showMessageBox(options: unknown) {
      record('dialog.showMessageBox', options)
      return Promise.resolve(answerOf('dialog.showMessageBox', { response: 0, checkboxChecked: false }))
    },
  },
  shell: {
    openExternal(url: string) {
      record('shell.openExternal', url)
      return Promise.resolve()
    },
  },
  screen: Object.assign(new EventEmitter(), { getAllDisplays: () => [{ id: 1, bounds: area, workArea: area }] }),
  nativeTheme: Object.assign(new EventEmitter(), {
    get shouldUseDarkColors() {
      return answerOf('nativeTheme.shouldUseDarkColors', false)
    },
  }),
  powerMonitor: new EventEmitter(),
  /** `standinAnswers['safeStorage']` may be `basic_text`, as on a Linux without a keychain. */
  safeStorage: {
    isAsyncEncryptionAvailable: () => Promise.resolve(true),
    getSelectedStorageBackend: () => answerOf('safeStorage', process.env['STANDIN_KEYCHAIN'] ?? 'gnome_libsecret'),
    encryptStringAsync: (text: string) => Promise.resolve(sealed(text)),
    decryptStringAsync(bytes: Buffer) {
      const text = bytes.toString('utf8')
      if (!text.startsWith('sealed:')) return Promise.reject(new Error('not sealed here'))
      return Promise.resolve({ result: text.slice('sealed:'.length), shouldReEncrypt: false })
    },
  },
}
